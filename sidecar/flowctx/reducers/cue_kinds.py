"""Kinds of cues: how something went, and what sentences state."""

from typing import Literal, get_args

OutcomeKind = Literal["error", "trouble"]
StatementKind = Literal[
    "decision",
    "agreed",
    "binding",
    "ban",
    "caveat",
    "unit",
    "one",
    "few",
    "number",
    "contrast",
    "open",
    "shift",
    "duty",
    "day",
]
CueKind = OutcomeKind | StatementKind
OUTCOMES: tuple[CueKind, ...] = get_args(OutcomeKind)
# What stands in sentences, and is looked for in the languages of the text alone.
STATEMENTS: tuple[CueKind, ...] = get_args(StatementKind)
# The words of these are listed in `cues.toml`, of the others in `statements.toml`.
IN_CUES: tuple[CueKind, ...] = (*OUTCOMES, "decision")
