"""A note as it stands in the view: its text between flowctx's tags, said to be a record."""

import re
from dataclasses import dataclass
from typing import Literal

from flowctx.dag.wording.lexicon import LANGUAGES, lexicon
from flowctx.moment import moment

TAG = "flowctx-handoff-note"
NoteKind = Literal["note", "digest"]

_OWN_TAGS = re.compile(r"<(?=/?(?:flowctx-|sliding-context|working_memory))", re.IGNORECASE)
_NODE = re.compile(r"[^0-9A-Za-z._-]")


@dataclass(frozen=True, slots=True)
class Covers:
    """What a note stands for.

    Attributes:
        first_turn, last_turn: numbers of the turns, inclusive; 0 where not known.
        messages: how many.
        from_ms, to_ms: times of the first and the last, Unix milliseconds; 0 for none.
    """

    first_turn: int
    last_turn: int
    messages: int
    from_ms: int = 0
    to_ms: int = 0


def render_note(text: str, covers: Covers, *, node: str, kind: NoteKind, depth: int) -> str:
    """Wrap a note's text for the view.

    Args:
        text: as `examine` accepted it, or as a digest was written.
        covers: what it stands for.
        node: id under which its sources can be had.
        kind: "note", or "digest" for one without a model.
        depth: 0 for a leaf.
    """
    attributes = [
        ("node", _NODE.sub("", node)),
        ("kind", kind),
        ("depth", str(depth)),
        ("turns", f"{covers.first_turn}-{covers.last_turn}" if covers.first_turn else ""),
        ("messages", str(covers.messages)),
        ("from", moment(covers.from_ms)),
        ("to", moment(covers.to_ms)),
    ]
    opening = " ".join([TAG, *(f'{name}="{value}"' for name, value in attributes if value)])
    return f"<{opening}>\n{escape_tags(text.strip())}\n</{TAG}>"


def with_record_line(text: str, language: str) -> str:
    """The text under the line that says it is a record and asks for nothing."""
    return f"{lexicon(language).labels['record']}\n\n{text.strip()}"


def note_text(note: str) -> str:
    """The text inside a rendered note, without its tags and its first line."""
    inner = re.sub(rf"\A\s*<{TAG}[^>]*>\n?|\n?</{TAG}>\s*\Z", "", note).strip()
    first, _, rest = inner.partition("\n")
    records = {lexicon(code).labels["record"] for code in LANGUAGES}
    return rest.strip() if first.strip() in records else inner


def escape_tags(text: str) -> str:
    """Make flowctx's own tags in foreign text inert."""
    return _OWN_TAGS.sub("&lt;", text)
