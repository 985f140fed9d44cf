"""A message or note as it is indexed: its words, without what flowctx or the host put in."""

import re
from collections.abc import Iterable, Iterator

from flowctx.cjk import spaced
from flowctx.dag.notes.note import note_text
from flowctx.dag.source.injected import clean_user_text, strip_blocks
from flowctx.message import ParsedMessage, parse_message, text_of, well_formed
from flowctx.reducers.terminal import without_escapes
from flowctx.spoken import spoken_calls
from flowctx.store.recall.documents import Document, Waiting
from flowctx.view.protect import is_own_tool

_WORD = re.compile(r"[^\W\d_]{2,}")
# A progress bar draws each of its states over the last one.
_LINE_END = re.compile(r"\r\n|[\n\r]")
# A line takes at first so much of the room that is left, and not less than so many characters.
_LARGEST_SHARE, _LEAST_CHARS = 4, 200


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
    said = said_in(parsed, is_note=bool(source.node))
    return Document(source, tool, spaced(_shortened(said, most_chars)))


def said_in(parsed: ParsedMessage, *, is_note: bool = False) -> str:
    """The text of a message with what its calls hand over, or of a note without its tags."""
    # An escape sequence would be one word with what stands behind it.
    text = without_escapes(well_formed(text_of(parsed.value)))
    if is_note:
        return note_text(text)
    if parsed.message.role == "user":
        text = clean_user_text(text, parsed.value).text
    elif not parsed.message.is_result:
        text = strip_blocks(text)
    calls = list(spoken_calls(parsed.value, is_own_tool)) if parsed.message.calls else []
    return "\n".join([text, *calls] if text else calls)


def _shortened(text: str, most_chars: int) -> str:
    """A long text cut down to lines that bring a word of their own, as many as there is room for.

    The lines of a log say the same again and again; the ones that say something
    new are what is searched for. No line takes so much that none behind it has room.
    """
    if len(text) <= most_chars:
        return text
    known: set[str] = set()
    kept: list[tuple[str, int]] = []
    room = most_chars
    for line in _LINE_END.split(text):
        most = max(room // _LARGEST_SHARE, _LEAST_CHARS)
        words = set(_WORD.findall(line[:most]))
        if words <= known:
            continue
        known |= words
        shown = min(len(line), most, room)
        kept.append((line, shown))
        room -= shown + 1
        if room <= 0:
            break
    return "\n".join(_filled(kept, room))


def _filled(kept: Iterable[tuple[str, int]], room: int) -> Iterator[str]:
    """Lines up to where they are shown; the room that is left goes to those that were cut."""
    for line, shown in kept:
        more = min(len(line) - shown, max(room, 0))
        room -= more
        yield line[: shown + more]
