"""How much each line of a report would be missed.

Lines are grouped by shape. What is rare, says that something went wrong,
counts the run, or stands out among lines of its shape ranks high; of what
repeats, an example is enough.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.columns import is_constant, judge_column, score_rows
from flowctx.reducers.diagnostics import diagnosed, rank_messages
from flowctx.reducers.document import indent_of
from flowctx.reducers.encoded import encoded_lines
from flowctx.reducers.facts import cues_are_common, report_facts
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, VITAL
from flowctx.reducers.severities import severe_lines
from flowctx.reducers.shapes import Cluster, tokens_of_each

# A line that stands out among those of its shape, by bit; and one that no other is like.
_BITS_WEIGHT, _ALONE_RANK = 4.0, 16.0
# Clusters below this size are not compared word by word.
_MIN_COMPARED = 6
_MAX_WORDS = 40
# Lines of one shape that are shown only because there is room.
_FEW_SHARE, _MAX_FEW_SHARE, _QUIET_RANK, _FADING = 0.07, 0.14, 7.0, 0.1
_FULL_EXAMPLES, _MAX_EXAMPLES = 3, 6
_EDGE_RANK = 8.0
# Ranks up to this are not worth their room in a text that repeats itself.
FILLER_RANK = 3.0
# From here on a text counts as repeating itself.
MIN_REPETITIVENESS = 0.3
_ENCODED_RANK = 0.5
_MIN_ALIKE, _MAX_PARAGRAPH, _TELLING_RANK = 6, 40, 30.0
_CHANGE_SIGNS = ("+ ", "- ")
_MIN_CHANGES, _MAX_CHANGED = 8, 0.6
MIN_REPEATS = 10
# Lines around a fact, nearest first: what they say of it is worth less and less.
_CONTEXT_RANKS = (60.0, 45.0, 30.0)
_HEADING_REACH = 200
# Behind a line of a shape of its own; where many are, none says that it is odd.
_COMPANY_RANKS = (15.0, 12.0)
_MAX_RARE_SHARE = 0.1
# Above rows with so many numbers, of which there are so many, stand the names of the columns.
_MIN_ROWS, _MIN_TABLE_SHARE, _MIN_NUMBERS = 12, 0.1, 3
_HEAD_LINES, _HEAD_REACH, _FEW_ALIKE, _HEAD_RANK = 3, 6, 2, VITAL - 2
# And what a text says before its rows, where that is little.
_MAX_OPENING = 12
_FURTHER_RANKS = (46.0, 44.0, 42.0, 38.0)
_DETAIL_RANKS = (60.0, 58.0, 56.0, 50.0, 46.0, 42.0, 38.0, 34.0)
# Below a message of a compiler stands the code it is about.
_QUOTED_RANKS = (60.0, 58.0, 24.0, 20.0, 16.0)


@remembered
def rank_report(case: Case) -> Mapping[int, float]:
    """Rank of every line that may be shown; in every room the same."""
    ranks = [0.0] * len(case.masked)
    facts = report_facts(case)
    for wishes in (
        _edges(case),
        _examples(case),
        _odd_lines(case),
        _quiet_lines(case),
        ((line, MUST + worth) for line, worth in facts.items()),
        _troubles(case),
        rank_messages(case),
        ((line, MUST + worth) for line, worth in severe_lines(case).items()),
        _continued(case, facts),
        _changes(case),
        _surroundings(case, facts),
        _company(case),
        _table_heads(case),
    ):
        for line, rank in wishes:
            if rank > ranks[line]:
                ranks[line] = rank
    for line, rank in _paragraph_heads(case, ranks):
        ranks[line] = max(ranks[line], rank)
    for line in encoded_lines(case).difference(facts):
        ranks[line] = min(ranks[line], _ENCODED_RANK)
    return MappingProxyType({line: ranks[line] for line in case.filled if ranks[line] > 0})


def _paragraph_heads(case: Case, ranks: Sequence[float]) -> Iterable[tuple[int, float]]:
    """Where paragraphs all begin alike, the first line says whose the telling ones below are."""
    lines, masked = case.document.lines, case.masked
    filled = [bool(line.strip()) for line in lines]
    heads = [at for at in case.filled if at == 0 or not filled[at - 1]]
    # A line drawn above a heading is none itself.
    last = len(lines) - 1
    heads = [at if at == last or any(map(str.isalnum, lines[at])) else at + 1 for at in heads]
    counts = Counter(masked[at] for at in heads)
    for head in heads:
        end = head + 1
        while end < min(len(lines), head + _MAX_PARAGRAPH) and filled[end]:
            end += 1
        best = max(ranks[head + 1 : end], default=0.0)
        if counts[masked[head]] >= _MIN_ALIKE and best >= _TELLING_RANK:
            yield head, best - 0.5


def repetitiveness(case: Case) -> float:
    """0 where every line has a shape of its own, near 1 where all are alike."""
    return 1 - len(case.clusters) / len(case.masked)


def odd_members(case: Case, cluster: Cluster) -> dict[int, float]:
    """Lines that stand out among those of their shape, word by word, in bits."""
    if cluster.size < _MIN_COMPARED or not cluster.shape:
        return {}
    rows = tokens_of_each([case.document.lines[line] for line in cluster.members])
    words = islice(zip(*rows, strict=False), _MAX_WORDS)
    columns = (column for column in words if not is_constant(column))
    scores = score_rows(judge_column("", column) for column in columns)
    return {cluster.members[row]: bits for row, bits in scores.items()}


def _edges(case: Case) -> Iterable[tuple[int, float]]:
    """How a text begins and ends; the plain fallback is head 60 %, tail 30 %."""
    total = len(case.masked)
    for cluster in case.clusters:
        # Of lines that repeat, the first few count in full and the others hardly.
        for order, line in enumerate(cluster.members[:_MAX_EXAMPLES]):
            weight = _EDGE_RANK if order < _FULL_EXAMPLES else _EDGE_RANK / 2
            yield line, weight * max(1 - line / total, 2 * line / total - 1)
    yield from ((line, 28.0 - line) for line in range(min(3, total)))
    for distance, line in enumerate(range(total - 1, max(total - 7, -1), -1)):
        repeats = case.shape_counts[case.masked[line]] >= MIN_REPEATS
        if distance < 2 or not repeats:
            yield line, 40.0 - 3 * distance


def _examples(case: Case) -> Iterable[tuple[int, float]]:
    total, weight = len(case.masked), repetitiveness(case)
    for cluster in case.clusters:
        bits = math.log2(total / cluster.size)
        yield cluster.members[0], 12 + 3 * bits * weight
        if cluster.size > 1:
            yield cluster.members[-1], 9 + bits * weight
        if cluster.size > 2:
            yield cluster.members[1], 8 + bits * weight
    yield from ((line, _ALONE_RANK + _BITS_WEIGHT * math.log2(total)) for line in _alone(case))


@remembered
def _alone(case: Case) -> list[int]:
    """Lines of a shape of their own in a text that repeats itself; none where they are many."""
    alone = [c.members[0] for c in case.clusters if c.size == 1 and c.shape.strip()]
    is_told = len(alone) <= _MAX_RARE_SHARE * len(case.masked)
    return alone if is_told and repetitiveness(case) >= MIN_REPETITIVENESS else []


@remembered
def odd_by_shape(case: Case) -> dict[str, dict[int, float]]:
    """The odd lines of each shape of which there are enough to compare."""
    large = (cluster for cluster in case.clusters if cluster.size >= _MIN_COMPARED)
    return {cluster.shape: odd_members(case, cluster) for cluster in large}


def _odd_lines(case: Case) -> Iterable[tuple[int, float]]:
    for odd in odd_by_shape(case).values():
        for line, bits in odd.items():
            yield line, 14 + _BITS_WEIGHT * bits


def _quiet_lines(case: Case) -> Iterable[tuple[int, float]]:
    """All lines of shapes that a few lines have where nearly all have others: if there is room."""
    total = len(case.masked)
    few = [c for c in case.clusters if 1 < c.size <= _FEW_SHARE * total and c.shape.strip()]
    if sum(cluster.size for cluster in few) > _MAX_FEW_SHARE * total:
        return
    for cluster in few:
        yield from ((line, _QUIET_RANK - _FADING * n) for n, line in enumerate(cluster.members))


def _troubles(case: Case) -> Iterable[tuple[int, float]]:
    """Further lines with cues; of those of one shape the first weighs most."""
    seen: dict[str, int] = {}
    base = 20.0 if cues_are_common(case) else 50.0
    told = diagnosed(case)
    for line, weight in sorted(case.cue_lines.items()):
        shape = case.masked[line]
        seen[shape] = seen.get(shape, 0) + 1
        if line not in told:
            yield line, base * (1 if weight == 2 else 0.8) / seen[shape] ** 2


def goes_on(case: Case, line: int) -> bool:
    """True for a line that ends with a colon, above one that says what it announces."""
    lines = case.document.lines
    return lines[line].rstrip().endswith(":") and bool("".join(lines[line + 1 : line + 2]).strip())


def _continued(case: Case, facts: Mapping[int, float]) -> Iterable[tuple[int, float]]:
    return ((at + 1, MUST + worth - 0.5) for at, worth in facts.items() if goes_on(case, at))


def _changes(case: Case) -> Iterable[tuple[int, float]]:
    """What is added and removed in a text that marks it but is no patch, the odd before others."""
    lines = case.document.lines
    changed = [at for at in case.filled if lines[at].startswith(_CHANGE_SIGNS)]
    signs = {lines[at][0] for at in changed}
    if len(signs) < len(_CHANGE_SIGNS) or len(changed) < _MIN_CHANGES:
        return
    if len(changed) <= _MAX_CHANGED * len(case.filled):
        bits = excess(word_rarity([lines[at] for at in changed]))
        yield from ((at, 14 + 6 * over) for at, over in zip(changed, bits, strict=True))


def _company(case: Case) -> Iterable[tuple[int, float]]:
    """What follows a rare line in a text that repeats itself: the rest of its block."""
    total = len(case.masked)
    for line in _alone(case):
        for distance, rank in enumerate(_COMPANY_RANKS, 1):
            if line + distance < total:
                yield line + distance, rank
        yield from ((at, _COMPANY_RANKS[0]) for at in block_behind(case, line))


def _table_heads(case: Case) -> Iterable[tuple[int, float]]:
    """What stands above rows of numbers that make up much of a text: the names of its columns."""
    for cluster in case.clusters:
        is_table = cluster.size >= max(_MIN_ROWS, _MIN_TABLE_SHARE * len(case.masked))
        if is_table and cluster.shape.count("0") >= _MIN_NUMBERS:
            first = cluster.members[0]
            reach, count = (_HEAD_REACH, _HEAD_LINES) if first > _MAX_OPENING else (first, first)
            above = [at for at in range(max(first - reach, 0), first) if case.masked[at]]
            for at in above[-count:]:
                if case.shape_counts[case.masked[at]] <= _FEW_ALIKE:
                    yield at, _HEAD_RANK


def block_behind(case: Case, line: int) -> Iterable[int]:
    """Lines behind one that are indented deeper, a few."""
    lines, margin = case.document.lines, _margin(case)
    depth = indent_of(lines[line].removeprefix(margin))
    for at in range(line + 1, min(line + 1 + len(_DETAIL_RANKS), len(lines))):
        body = lines[at].removeprefix(margin)
        if body.strip() and indent_of(body) <= depth:
            return
        yield at


@remembered
def _margin(case: Case) -> str:
    """What every line begins with, e.g. "==4121== "; indents are told behind it."""
    # What the first and the last in order share, all between them share.
    first, last = min(case.sample, default=""), max(case.sample, default="")
    pairs = enumerate(zip(first, last, strict=False))
    end = next((at for at, (one, other) in pairs if one != other), min(len(first), len(last)))
    shared = first[:end]
    return shared[: shared.rfind(" ") + 1] if shared.strip() else ""


def _surroundings(case: Case, facts: Iterable[int]) -> Iterable[tuple[int, float]]:
    lines, total, told = case.document.lines, len(case.masked), diagnosed(case)
    for fact in facts:
        for distance, rank in enumerate(_CONTEXT_RANKS, 1):
            if fact >= distance:
                yield fact - distance, rank - 5
            if fact + distance < total:
                yield fact + distance, rank
        yield from _headings(lines, fact)
        ranks = _QUOTED_RANKS if fact in told else _DETAIL_RANKS
        yield from zip(block_behind(case, fact), ranks, strict=False)
        if fact + 1 < total:
            # What an error says more of, in a line of its own that goes on.
            yield from zip(block_behind(case, fact + 1), _FURTHER_RANKS, strict=False)


def _headings(lines: list[str], line: int) -> Iterable[tuple[int, float]]:
    """The lines an indented fact stands under, nearest first."""
    depth = indent_of(lines[line])
    for above in range(line - 1, max(line - _HEADING_REACH, -1), -1):
        if depth == 0:
            return
        if lines[above].strip() and indent_of(lines[above]) < depth:
            depth = indent_of(lines[above])
            yield above, MUST - 1
