"""Markdown pages that are running text: headings, and the telling sentences under them."""

from collections.abc import Mapping, Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.cues import read_vocabulary
from flowctx.reducers.draft import Draft
from flowctx.reducers.extracts import FLOOR, Extracts, covering
from flowctx.reducers.flow import join_wrapped
from flowctx.reducers.sentences import rank_sentences, split_sentences

# Such a page is sentences to this share of its characters, and code or tables to this one at most.
_MIN_PROSE, _MAX_OTHER = 0.75, 0.1
_MIN_WORDS = 7
# What headings take of the room at most; the sentence that says most of a section ranks higher.
_HEADING_SHARE, _BEST_RANK, _OPENING_RANK = 0.3, 6.0, 2.0


def is_prose_page(case: Case, kinds: Sequence[str]) -> bool:
    """True for a page of sentences, in paragraphs or items, with little else."""
    if case.is_listing:
        return False
    total = said = other = 0
    for line, kind in zip(case.document.lines, kinds, strict=True):
        total += len(line)
        if kind in ("text", "item"):
            said += len(line) if _is_said(line) else 0
        elif kind != "heading":
            other += len(line)
    return said >= _MIN_PROSE * total and other <= _MAX_OTHER * total


def draft_page(case: Case, kinds: Sequence[str], raised: Mapping[int, float]) -> Draft:
    """Headings as far as they fit, then the sentences that say most.

    Args:
        case: the page.
        kinds: of each line.
        raised: rank by line of headings and of what the page itself sets apart.
    """
    text = case.document.text
    joined = join_wrapped(text)
    words = case.words if joined == text else read_vocabulary(joined)
    sentences = split_sentences(joined)
    lines = [case.document.line_at(each.start) for each in sentences]
    ranks = rank_sentences(words, sentences)
    for at in _openings(lines, kinds):
        ranks[at] += _OPENING_RANK
    for at in _best_of_sections(lines, kinds, ranks):
        ranks[at] += _BEST_RANK
    wanted = {at: max(rank, raised.get(lines[at], 0.0)) for at, rank in enumerate(ranks)}
    headings = {at: wanted[at] for at, line in enumerate(lines) if kinds[line] == "heading"}
    covered = covering(text, sentences)
    kept = Extracts(text, covered, int(case.room * _HEADING_SHARE)).choose(headings)
    further = {at: ranks[at] if at in headings else rank for at, rank in wanted.items()}
    extracts = Extracts(text, covered, case.room)
    return extracts.draft("markdown", extracts.choose(further, floor=FLOOR, kept=kept))


def _is_said(line: str) -> bool:
    """True for a line that may be a part of a sentence; scripts without spaces have no words."""
    return not line.isascii() or line.count(" ") >= _MIN_WORDS - 1 or line[:2].isspace()


def _openings(lines: Sequence[int], kinds: Sequence[str]) -> list[int]:
    """The sentences right below headings."""
    return [
        at
        for at in range(1, len(lines))
        if kinds[lines[at - 1]] == "heading" and kinds[lines[at]] != "heading"
    ]


def _best_of_sections(
    lines: Sequence[int], kinds: Sequence[str], ranks: Sequence[float]
) -> list[int]:
    """Of every section the sentence that says most."""
    best: dict[int, int] = {}
    section = -1
    for at, line in enumerate(lines):
        if kinds[line] == "heading":
            section = at
        elif section not in best or ranks[at] > ranks[best[section]]:
            best[section] = at
    return list(best.values())
