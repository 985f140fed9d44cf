"""Lists of releases without markup: the lines that name a release, of Debian, GNU and others."""

import re
from collections.abc import Collection, Sequence

# "util-linux (2.38.1-5) bookworm; urgency=medium", as Debian's policy 4.4 has it.
_DEBIAN = re.compile(r"[a-z0-9][a-z0-9+.-]+ \([^()\s]+\) [\w -]+; urgency=\w+")
# "2022-04-11  Ann Author  <ann@example.org>", as the GNU coding standards have it.
_GNU = re.compile(r"\d{4}-\d\d-\d\d {1,3}\S.{0,60}<[^<>]+@[^<>]+>\s*\Z")
# "4.10 2022-10-09", "v2.3.1 (Mar 4, 2024)", "Version 1.2.0 - 2020-01-02", "### 0.9.1".
_VERSION = re.compile(
    r"(?:(?:[Vv]ersion|[Rr]elease|Changes in|NEW IN|What's new in)\s+)?"
    r"[vV]?\d{1,4}(?:\.\d{1,5}){1,3}"
    r"(?:[-~+.]?[a-z]{1,5}\d{0,3})?(?![\w.%])[^.;=|]{0,50}:?\s*\Z"
)
_HEADS = (_DEBIAN, _GNU, _VERSION)
_ANY_HEAD = re.compile("|".join(f"(?:{each.pattern})" for each in _HEADS))
# Who signed a release of Debian, and when.
_SIGNED = re.compile(r" -- \S.*<[^<>]+>  \w{3}, ")
# So many of the newest are named whatever they bring.
_NEWEST = 3
_MIN_HEADS, _MAX_SHARE = 4, 0.34
# Lines among which the first release must stand.
_PROBED = 60


def release_heads(lines: Sequence[str]) -> frozenset[int]:
    """Lines that each head what is new in a release; none where a text is no list of them."""
    if not any(map(_may_head, lines[:_PROBED])):
        return frozenset()
    filled = sum(1 for line in lines if line.strip())
    for pattern in _HEADS:
        found = [at for at, line in enumerate(lines) if _heads(lines, at) and pattern.match(line)]
        if _MIN_HEADS <= len(found) <= _MAX_SHARE * filled:
            return frozenset(found)
    return frozenset()


def routine_lines(lines: Sequence[str], heads: Collection[int]) -> frozenset[int]:
    """Lines of a list of releases that say nothing by themselves: older heads, and who signed.

    Args:
        lines: the list.
        heads: the lines that name a release.
    """
    signed = (at for at, line in enumerate(lines) if _SIGNED.match(line))
    return frozenset((*sorted(heads)[_NEWEST:], *signed)) if heads else frozenset()


def _may_head(line: str) -> bool:
    return _ANY_HEAD.match(line) is not None


def _heads(lines: Sequence[str], at: int) -> bool:
    """True for a line at the margin with a blank one above it."""
    return bool(lines[at][:1].strip()) and (at == 0 or not lines[at - 1].strip())
