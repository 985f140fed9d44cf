"""What a terminal would show at last: no colours, repainted lines in their final state.

The grammar of escape sequences is ECMA-48 (5th edition), sections 5.3 to 5.6.
"""

import re
from dataclasses import dataclass

_ESCAPE = re.compile(
    r"\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor, erase
    r"|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?"  # operating system commands: titles, links
    r"|[PX^_][^\x1b\n]*(?:\x1b\\)?"  # device strings
    r"|[ -/]*[0-~]"  # two- and three-byte sequences
    r")?"
)
# So many other characters for each backspace are read in runs.
_FEW_BETWEEN = 20
_TYPED = re.compile(r"[^\b]+|[\b]+")
_NOT_LETTERS = re.compile(r"[\W\d_]+")
# A repaint whose words differ from the last state is a message of its own, up to this many.
_MAX_STATES = 3
_BYTE_ORDER_MARK = "\ufeff"
# A text is of lines when so many of its states, the first ones, differ in their words.
_MIN_LINES, _DIFFERING_SHARE, _MAX_PROBED = 8, 0.5, 200


@dataclass(frozen=True, slots=True)
class Cleaning:
    """What was taken away before a text was read.

    Attributes:
        escapes: number of terminal escape sequences.
        repaints: states of progress lines that a later state painted over.
    """

    escapes: int = 0
    repaints: int = 0


def clean(text: str) -> tuple[str, Cleaning]:
    """The text as a terminal leaves it, and what is gone; most texts come back as they are."""
    text = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n")
    escapes = 0
    if "\x1b" in text:
        text, escapes = _ESCAPE.subn("", text)
    if "\r" not in text and "\b" not in text:
        return text, Cleaning(escapes)
    if _ends_lines_by_returns(text):
        text = text.replace("\r", "\n")
    lines, repaints = [], 0
    for line in text.split("\n"):
        states = _final_states(_apply_backspaces(line)) if "\r" in line or "\b" in line else [line]
        repaints += max(line.count("\r") + 1 - len(states), 0) if "\r" in line else 0
        lines.extend(states)
    return "\n".join(lines), Cleaning(escapes, repaints)


def without_escapes(text: str) -> str:
    """The text without colours and other escape sequences; nothing else of it is gone."""
    return _ESCAPE.sub("", text) if "\x1b" in text else text


def _ends_lines_by_returns(text: str) -> bool:
    """True where carriage returns end lines, as on old Macs: a progress repaints the same words."""
    if "\n" in text.strip("\r\n"):
        return False
    states = [state for state in text.split("\r", _MAX_PROBED)[:_MAX_PROBED] if state.strip()]
    return len({_NOT_LETTERS.sub(" ", state) for state in states}) > max(
        _MIN_LINES, len(states) * _DIFFERING_SHARE
    )


def _final_states(line: str) -> list[str]:
    """The last state of each differently worded message painted on one line."""
    states: dict[str, str] = {}
    for state in line.split("\r"):
        if state.strip():
            words = _NOT_LETTERS.sub(" ", state)
            states.pop(words, None)
            states[words] = state
    return list(states.values())[-_MAX_STATES:] or [""]


def _apply_backspaces(line: str) -> str:
    if "\b" not in line:
        return line
    rub_out = _rub_out_few if line.count("\b") * _FEW_BETWEEN < len(line) else _rub_out
    return "\r".join(map(rub_out, line.split("\r")))


def _rub_out(typed: str) -> str:
    """What is left of a line without returns, where each backspace takes what is before it."""
    kept: list[str] = []
    for character in typed:
        if character != "\b":
            kept.append(character)
        elif kept:
            kept.pop()
    return "".join(kept)


def _rub_out_few(typed: str) -> str:
    """The same run by run, which is faster where there is much between them."""
    kept: list[tuple[int, int]] = []
    for run in _TYPED.finditer(typed):
        start, end = run.span()
        if typed[start] != "\b":
            kept.append((start, end))
            continue
        gone = end - start
        while kept and gone > 0:
            first, last = kept.pop()
            if last - first > gone:
                kept.append((first, last - gone))
            gone -= last - first
    return "".join([typed[first:last] for first, last in kept])
