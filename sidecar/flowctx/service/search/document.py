"""A message or note as it is indexed: its words, without what flowctx or the host put in."""

import re

from flowctx.cjk import spaced
from flowctx.dag.source.injected import clean_user_text, strip_blocks
from flowctx.message import ParsedMessage, parse_message, text_of, well_formed
from flowctx.reducers.terminal import without_escapes
from flowctx.store.recall.documents import Document, Waiting
from flowctx.view.protect import is_own_tool

_WORD = re.compile(r"[^\W\d_]{2,}")


def document_of(source: Waiting, body: bytes | None, most_chars: int) -> Document:
    """A row for the index.

    Args:
        source: the row that waits.
        body: its message, None where it is gone.
        most_chars: as much of its text is indexed.
    """
    if body is None:
        return Document(source, "", "")
    parsed = parse_message(body)
    tool = parsed.message.tool
    if is_own_tool(tool):
        # What was found must not be found again in place of what it was found in.
        return Document(source, tool, "")
    return Document(source, tool, spaced(_shortened(said_in(parsed), most_chars)))


def said_in(parsed: ParsedMessage) -> str:
    """The text of a message, with its calls."""
    # An escape sequence would be one word with what stands behind it.
    text = without_escapes(well_formed(text_of(parsed.value)))
    if parsed.message.role == "user":
        text = clean_user_text(text, parsed.value).text
    elif not parsed.message.is_result:
        text = strip_blocks(text)
    calls = [
        f"{call.tool} {call.detail}" for call in parsed.message.calls if not is_own_tool(call.tool)
    ]
    return "\n".join([text, *calls] if text else calls)


def _shortened(text: str, most_chars: int) -> str:
    """A long text cut down to lines that bring a word of their own, as many as there is room for.

    The lines of a log say the same again and again; the ones that say something
    new are what is searched for. A progress bar paints its line again and again, too.
    """
    if len(text) <= most_chars:
        return text
    known: set[str] = set()
    kept, room = [], most_chars
    for line in text.replace("\r", "\n").split("\n"):
        words = set(_WORD.findall(line[:most_chars]))
        if words <= known:
            continue
        known |= words
        if room <= len(line):
            kept.append(line[:room])
            break
        kept.append(line)
        room -= len(line) + 1
    return "\n".join(kept)
