"""Markdown pages that are running text: headings, and the telling sentences under them.

What is no sentence, lines of code and rows of tables, is chosen line by line beside them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft
from flowctx.reducers.extracts import FLOOR, Extracts, covering
from flowctx.reducers.flow import join_wrapped
from flowctx.reducers.sentences import Sentence, rank_sentences, split_sentences

# Such a page is sentences to this share of its characters.
_MIN_SAID = 0.2
_MIN_WORDS = 7
_SAID = ("text", "item")
# What headings take of the room at most; the sentence that says most of a section ranks higher.
_HEADING_SHARE, _BEST_RANK, _OPENING_RANK = 0.15, 8.0, 1.0
# Code says less than a sentence of the same words; the first line of it is what it is about.
_CODE_SHARE, _FIRST_RANK = 0.5, 8.0
# So many characters take one off a rank: for a long sentence several short ones could be shown.
_CHARS_PER_RANK = 20.0
_PASSES, _TWICE = 3, 2
# What a page tells to type says as much as a sentence, and more.
_TYPED = re.compile(r"\s*(?:```|~~~)\s*(?:sh|bash|zsh|shell|console|powershell|ps1|cmd|bat|sql)\b")
_TYPED_RANK = 12.0
# Items that only point somewhere: a link, a file.
_POINTER = re.compile(r"\s*[-*+]\s+(?:\[[^\]]*\]\([^)]*\)|`[^`]*`)[\s.,;]*(?:\([^)]*\))?\s*\Z")
_POINTER_SHARE = 0.3


def is_prose_page(case: Case, kinds: Sequence[str]) -> bool:
    """True for a page of sentences, in paragraphs or items, with little else."""
    if case.is_listing:
        return False
    lines = case.document.lines
    total = sum(map(len, lines))
    told = [line for line, kind in zip(lines, kinds, strict=True) if kind in _SAID]
    said = sum(len(line) for line in told if _is_said(line))
    return said >= _MIN_SAID * total


def draft_page(
    case: Case,
    kinds: Sequence[str],
    raised: Mapping[int, float],
    routine: Collection[int] = frozenset(),
) -> Draft:
    """Headings as far as they fit, then the sentences that say most.

    Args:
        case: the page.
        kinds: of each line.
        raised: rank by line of headings and of what the page itself sets apart.
        routine: lines that say nothing by themselves.
    """
    document = case.document
    joined = _join(document, kinds)
    passages = _passages(document, joined, kinds)
    lines = [document.line_at(each.start) for each in passages]
    said = rank_sentences(case.words.respaced(joined), passages)
    ranks = _rank(document.lines, kinds, lines, said)
    again = _said_before([document.text[each.start : each.end] for each in passages])
    ranks = [
        0.0 if again[at] or line in routine else rank - (each.end - each.start) / _CHARS_PER_RANK
        for at, (line, rank, each) in enumerate(zip(lines, ranks, passages, strict=True))
    ]
    headings = {
        at: max(ranks[at], raised.get(line, 0.0))
        for at, line in enumerate(lines)
        if kinds[line] == "heading"
    }
    covered = covering(document.text, passages)
    kept = Extracts(document.text, covered, int(case.room * _HEADING_SHARE)).choose(headings)
    further = {
        at: rank if at in headings else max(rank, raised.get(lines[at], 0.0))
        for at, rank in enumerate(ranks)
    }
    extracts = Extracts(document.text, covered, case.room, "passages")
    return extracts.draft("markdown", _choose(extracts, further, kept, [kinds[at] for at in lines]))


def _said_before(texts: Sequence[str]) -> list[bool]:
    """Whether each was said before; what stands in a page twice may be meant."""
    seen: Counter[str] = Counter()
    told = []
    for text in texts:
        said = text.strip()
        seen[said] += 1
        told.append(seen[said] > _TWICE)
    return told


def _rank(
    texts: Sequence[str], kinds: Sequence[str], lines: Sequence[int], said: Sequence[float]
) -> list[float]:
    """What each passage is worth by what it says, what it is and where it stands.

    Args:
        texts: the lines.
        kinds: of each line.
        lines: where each passage begins.
        said: what each says by its words.
    """
    ranks = list(said)
    typed = _typed(texts, kinds)
    for at, line in enumerate(lines):
        if line in typed:
            ranks[at] += _TYPED_RANK
        elif kinds[line] not in (*_SAID, "heading", "table"):
            ranks[at] *= _CODE_SHARE
        elif _POINTER.match(texts[line]):
            ranks[at] *= _POINTER_SHARE
        if at and _opens(kinds[lines[at - 1]], kinds[line]):
            ranks[at] += _FIRST_RANK if kinds[line] in ("code", "table") else _OPENING_RANK
    for section in _by_section([kinds[line] for line in lines]):
        ranks[max(section, key=ranks.__getitem__)] += _BEST_RANK
    return ranks


def _choose(
    extracts: Extracts, ranks: Mapping[int, float], kept: frozenset[int], kinds: Sequence[str]
) -> frozenset[int]:
    """Passages that fit, each with the heading and the head of the table that it stands under.

    Args:
        extracts: the passages.
        ranks: of each.
        kept: headings chosen before.
        kinds: of each passage.
    """
    chosen = extracts.choose(ranks, floor=FLOOR, kept=kept)
    rows = _table_of_each(kinds)
    heads = {rows[at] for at in chosen if rows.get(at, at) != at}
    ranks = {at: rank for at, rank in ranks.items() if rows.get(at, -1) in {*heads, -1}}
    above = dict(_heading_of_each(kinds))
    over: set[int] = set()
    # Headings take room from what they head; those left with nothing give theirs back.
    for _ in range(_PASSES):
        needed = {above[at] for at in chosen if at in above} - {-1}
        if needed == over:
            break
        over = needed
        chosen = extracts.choose(ranks, floor=FLOOR, kept=kept | heads | over)
    bare = over - {above.get(at, -1) for at in chosen} - kept
    return extracts.choose(ranks, floor=FLOOR, kept=chosen - bare) if bare else chosen


def _typed(lines: Sequence[str], kinds: Sequence[str]) -> Collection[int]:
    """Lines of code that are commands to type."""
    found: set[int] = set()
    is_typed = False
    for at, kind in enumerate(kinds):
        if kind == "fence":
            is_typed = bool(_TYPED.match(lines[at]))
        elif kind == "code" and is_typed:
            found.add(at)
    return found


def _table_of_each(kinds: Sequence[str]) -> dict[int, int]:
    """The head of the table that each row is of; a head is its own."""
    found: dict[int, int] = {}
    for at, kind in enumerate(kinds):
        if kind == "table":
            found[at] = found.get(at - 1, at)
    return found


def _is_said(line: str) -> bool:
    """True for a line that may be a part of a sentence; scripts without spaces have no words."""
    return not line.isascii() or line.count(" ") >= _MIN_WORDS - 1 or line[:2].isspace()


def _runs(kinds: Sequence[str]) -> Iterator[tuple[bool, int, int]]:
    """Runs [start, end) of lines that are sentences, and of others."""
    start = 0
    for is_said, run in groupby(kinds, key=lambda kind: kind in (*_SAID, "blank")):
        end = start + len(list(run))
        yield is_said, start, end
        start = end


def _join(document: Document, kinds: Sequence[str]) -> str:
    """The page with wrapped lines of sentences joined, and all others as they are."""
    runs = ("\n".join(document.lines[a:b]) + "\n" for _, a, b in _runs(kinds))
    joined = (
        join_wrapped(text) if said else text
        for text, (said, _, _) in zip(runs, _runs(kinds), strict=True)
    )
    return "".join(joined)[: len(document.text)]


def _passages(document: Document, joined: str, kinds: Sequence[str]) -> list[Sentence]:
    """Sentences, and each other line as it is."""
    found: list[Sentence] = []
    for is_said, start, end in _runs(kinds):
        first, last = document.starts[start], document.line_end(end - 1)
        if is_said:
            sentences = split_sentences(joined[first:last])
            found += [Sentence(first + s.start, first + s.end, s.opens) for s in sentences]
            continue
        for at in range(start, end):
            if document.lines[at].strip():
                found.append(Sentence(document.starts[at], document.line_end(at), opens=True))
    return found


def _opens(before: str, kind: str) -> bool:
    """True for what stands right below a heading, and where code or a table begins."""
    return (before == "heading" and kind != "heading") or (
        kind in ("code", "table") and before != kind
    )


def _by_section(kinds: Sequence[str]) -> Iterator[list[int]]:
    """What stands under each heading, and above the first."""
    for _, under in groupby(_heading_of_each(kinds), key=lambda each: each[1]):
        yield [at for at, _ in under]


def _heading_of_each(kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Each passage with the heading it stands under, -1 for none."""
    above = -1
    for at, kind in enumerate(kinds):
        if kind == "heading":
            above = at
        else:
            yield at, above
