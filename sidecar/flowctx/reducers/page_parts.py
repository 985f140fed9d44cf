"""Parts of pages told by what is written in them: forms that send, notices of rights."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

_SENDING = re.compile(r"method=[\"']?post|type=[\"']?hidden", re.IGNORECASE)
# Whose text it is and on what terms, which stands in most pages.
_LICENSING = re.compile(
    r"\bcopyright\b|©|&copy;|\bwithout any warranty|\bpublic licen[cs]e\b|\bsoftware foundation\b",
    re.IGNORECASE,
)
_OPENINGS = ("copyright", "©", "&copy;", "without any", "public", "software")
_MAX_FORM_CHARS = 600


def sends(markup: str) -> bool:
    """True for a short form that sends something; others are searches and surveys."""
    return len(markup) <= _MAX_FORM_CHARS and bool(_SENDING.search(markup))


def notices(text: str) -> Callable[[int, int], bool]:
    """A function that tells which parts of a text are notices of rights or lists of authors.

    Lists of authors are told by their addresses.
    """
    lowered = text.lower()
    # Where a letter changes its length, all places are looked at.
    begun = _LICENSING.finditer(text) if len(lowered) != len(text) else _begun(text, lowered)
    spans = sorted(match.span() for match in begun)
    starts = [start for start, _ in spans]

    def says_whose(start: int, end: int) -> bool:
        at = bisect_left(starts, start)
        is_notice = at < len(spans) and spans[at][1] <= end
        return is_notice or text.count("mailto:", start, end) > 1

    return says_whose


def _begun(text: str, lowered: str) -> Iterator[re.Match[str]]:
    for opening in _OPENINGS:
        at = lowered.find(opening)
        while at >= 0:
            if match := _LICENSING.match(text, at):
                yield match
            at = lowered.find(opening, at + 1)
