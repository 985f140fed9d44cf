"""Why a reply is no note: checks in order, each with its own reason."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from flowctx.dag.facts.occurrence import squeezed
from flowctx.dag.notes.reply import STOPPED, Reply, holds_reasoning
from flowctx.dag.notes.sections import Section, parse_sections, present_keys
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.source.language import text_language
from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from flowctx.tokens import estimate_tokens

Reason = Literal[
    "stopped early", "reasoning only", "empty", "refusal", "longer than its source",
    "copy of the source", "wrong language", "sections missing",
]  # fmt: skip

# Of the seven sections so many must be there: a model may leave out or join empty ones,
# which code then adds; with fewer it did not follow the form at all.
_LEAST_SECTIONS = 4
# A note quotes; one that is nearly all quotes, and not short of its source, is no note.
_COPIED_SHARE = 0.85
_COPIED_SIZE = 0.4
_PIECE_CHARS = 40
_REFUSAL_CHARS = 300

_IDENTIFIER_LIKE = re.compile(r"`[^`\n]*`|\[[^\]\n]*\]")


@dataclass(frozen=True)
class Hearing:
    """A reply before its judges.

    Attributes:
        reply: as it came.
        text: what of it is meant to be read.
        source: text of everything it was made of.
        terms: that it is held to.
    """

    reply: Reply
    text: str
    source: str
    terms: NoteTerms

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The note's sections."""
        return parse_sections(self.text)


def fault_of(hearing: Hearing) -> Reason | None:
    """The first reason why a reply is no note; None where there is none."""
    return next((reason for reason, applies in _CHECKS if applies(hearing)), None)


def _stopped_early(hearing: Hearing) -> bool:
    return hearing.reply.stop_reason != STOPPED


def _is_reasoning_only(hearing: Hearing) -> bool:
    return not hearing.text.strip() and holds_reasoning(hearing.reply.text)


def _is_empty(hearing: Hearing) -> bool:
    return not hearing.text.strip()


def _is_refusal(hearing: Hearing) -> bool:
    if len(present_keys(hearing.sections)) >= _LEAST_SECTIONS:
        return False
    head = hearing.text[:_REFUSAL_CHARS]
    codes = dict.fromkeys(("en", hearing.terms.language))
    return any(lexicon(code).cues["refusal"].found_in(head) for code in codes)


def _is_too_long(hearing: Hearing) -> bool:
    tokens = estimate_tokens(hearing.text)
    return 0 < hearing.terms.source_tokens <= tokens


def _is_copy(hearing: Hearing) -> bool:
    source = squeezed(hearing.source)
    pieces = [
        line[at : at + _PIECE_CHARS]
        for line in map(squeezed, hearing.text.split("\n"))
        for at in range(0, len(line), _PIECE_CHARS)
    ]
    length = sum(map(len, pieces))
    if length < len(source) * _COPIED_SIZE:
        return False
    return sum(len(piece) for piece in pieces if piece in source) >= length * _COPIED_SHARE


def _is_other_language(hearing: Hearing) -> bool:
    prose = "\n".join(section.text for section in hearing.sections)
    spoken = text_language(_IDENTIFIER_LIKE.sub(" ", prose).replace("#", " "))
    return bool(spoken) and spoken != hearing.terms.language


def _lacks_sections(hearing: Hearing) -> bool:
    return len(present_keys(hearing.sections)) < min(_LEAST_SECTIONS, len(SECTIONS))


_CHECKS: tuple[tuple[Reason, Callable[[Hearing], bool]], ...] = (
    ("stopped early", _stopped_early),
    ("reasoning only", _is_reasoning_only),
    ("empty", _is_empty),
    ("refusal", _is_refusal),
    ("longer than its source", _is_too_long),
    ("copy of the source", _is_copy),
    ("wrong language", _is_other_language),
    ("sections missing", _lacks_sections),
)
