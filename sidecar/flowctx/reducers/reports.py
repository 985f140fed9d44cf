"""Reports of programs we know: rule tables on top of the ranking every report gets.

A rule names lines by pattern: vital, facts, worth keeping, noise. It applies
where a line with one of its hints is a sign that only its program prints, and
where the command names the program or its lines make up a good part of the text.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from flowctx.errors import RuleTableError
from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, one_line
from flowctx.reducers.facts import cue_windows, required_lines
from flowctx.reducers.hints import Hint, HintIndex, read_hints
from flowctx.reducers.ranking import (
    FILLER_RANK,
    MIN_REPETITIVENESS,
    block_behind,
    goes_on,
    odd_by_shape,
    rank_report,
    repetitiveness,
)
from flowctx.reducers.report_notes import describe_lines
from flowctx.reducers.rules import read_rules, read_words
from flowctx.reducers.select import MUST, VITAL, Layout, choose_facts, draft_lines
from flowctx.rule_tables import Table

_FACT_BONUS, _KEEP_RANK, _NOISE_RANK = 6.0, 66.0, 1.0
# Of lines of one shape a rule names, each further one is worth this much less.
_FADING = 0.25
_TOLD_TWICE = 2
# What the first fact of a shape says more, indented below it.
_DETAIL_LINES = 2
# Of more facts of one shape those that stand out among them are still facts.
_FULL_FACTS = 8
# Lists of patterns for lines that the program prints.
_HEAD_COST = 0.5
_LINES = ("signs", "vital", "facts", "keep", "noise")
# More that never end are of a program that does not say when they do.
_MAX_UNFINISHED = 6
_PROBED_HINTS, _PROBED_CHARS = 40, 500
# Without its program in the command, lines of a rule must make up this share.
_MIN_SHARE = 0.12


class ReportRule(NamedTuple):
    """One program's report, as its rule table describes it."""

    id: str
    programs: frozenset[str]
    hints: tuple[Hint, ...]
    signs: re.Pattern[str]
    vital: re.Pattern[str] | None
    otherwise: re.Pattern[str] | None
    facts: re.Pattern[str] | None
    keep: re.Pattern[str] | None
    noise: re.Pattern[str] | None
    heads: re.Pattern[str] | None
    opens: re.Pattern[str] | None
    known: re.Pattern[str]


def find_rule(case: Case, table: str) -> ReportRule | None:
    """The rule of a table that describes the text best; None where none does."""
    rules, possible = report_rules(table), _hint_index(table).possible(case.words)
    fitting = [rules[at] for at in sorted(possible) if _has_sign(case, rules[at], possible[at])]
    if not fitting:
        return None
    named = [rule for rule in fitting if rule.programs & set(case.words_of_command)]
    if len(named) == 1:
        return named[0]
    if len(fitting) == 1:
        return fitting[0] if _share(case, fitting[0], _MIN_SHARE) >= _MIN_SHARE else None
    shares = {rule.id: _share(case, rule) for rule in named or fitting}
    best = max(named or fitting, key=lambda rule: shares[rule.id])
    return best if named or shares[best.id] >= _MIN_SHARE else None


def speaks_of(rule: ReportRule, case: Case) -> bool:
    """True where the lines that a rule knows make up enough of a text to be of its program."""
    return _share(case, rule) >= _MIN_SHARE


def draft_report(
    case: Case,
    content_type: str,
    rule: ReportRule | None,
    *,
    told: str = "",
    raised: Mapping[int, float] = MappingProxyType({}),
) -> Draft:
    """A draft that shows what the rule and the general ranking want most.

    Args:
        case: the report.
        content_type: as the pointer names it.
        rule: the rule of the program that made it, where it is known.
        told: what else to say of the whole, in a note at the top.
        raised: what lines are worth at least, for reasons that this ranking does not know.
    """
    ranks = dict(rank_report(case))
    for line, rank in raised.items():
        ranks[line] = max(ranks.get(line, 0.0), rank)
    if rule is not None:
        _apply(case, rule, ranks)
    for line in required_lines(case):
        ranks[line] = max(ranks.get(line, 0.0), VITAL - 1)
    floor = FILLER_RANK if repetitiveness(case) > MIN_REPETITIVENESS else 0.0
    # Lines that are shown are named by number, which takes less than quoting them.
    note = one_line([told, describe_lines(case, range(len(case.masked)))])
    reserved = -1
    while len(note) > reserved:
        reserved = len(note)
        room = case.room - (reserved + 3 if note else 0)
        chosen, exceeds = choose_facts(case.document, ranks, room, floor=floor)
        note = one_line([told, describe_lines(case, chosen)])
    layout = Layout(notes={-1: note} if note else {}, windows=cue_windows(case))
    draft = draft_lines(case.document, content_type, chosen, layout)
    return draft.exceeding() if exceeds else draft


@cache
def report_rules(table: str) -> tuple[ReportRule, ...]:
    """The rules of a table, in its order.

    Raises:
        RuleTableError: a field is missing or does not compile.
    """
    return tuple(_read_rule(table, rule) for rule in read_rules(table, "rule"))


@cache
def _hint_index(table: str) -> HintIndex:
    return HintIndex(rule.hints for rule in report_rules(table))


def _read_rule(table: str, rule: Table) -> ReportRule:
    signs = _pattern(table, rule, "signs")
    if signs is None:
        raise RuleTableError("signs missing", file=f"{table}.toml", rule=rule["id"])
    return ReportRule(
        id=rule["id"],
        programs=frozenset(read_words(table, rule, "programs")),
        hints=read_hints(table, rule),
        signs=signs,
        vital=_pattern(table, rule, "vital"),
        otherwise=_pattern(table, rule, "otherwise"),
        facts=_pattern(table, rule, "facts"),
        keep=_pattern(table, rule, "keep"),
        noise=_pattern(table, rule, "noise"),
        heads=_pattern(table, rule, "heads"),
        opens=_pattern(table, rule, "opens"),
        known=_pattern(table, rule, *_LINES) or signs,
    )


def _pattern(table: str, rule: Table, *keys: str) -> re.Pattern[str] | None:
    sources = [source for key in keys for source in read_words(table, rule, key)]
    try:
        return re.compile("|".join(f"(?:{source})" for source in sources)) if sources else None
    except re.error as error:
        raise RuleTableError(
            f"{keys[0]}: {error}", file=f"{table}.toml", rule=rule["id"]
        ) from error


def _has_sign(case: Case, rule: ReportRule, hints: Iterable[str]) -> bool:
    """True where a line that holds a hint is a sign; only a few such lines are looked at."""
    text = case.glance
    for hint in hints:
        searched = case.plain_glance if hint.isascii() else text
        at = searched.find(hint)
        for _ in range(_PROBED_HINTS):
            if at < 0:
                break
            start = text.rfind("\n", 0, at + (hint[0] == "\n")) + 1
            end = text.find("\n", start)
            end = end if end >= 0 else len(text)
            if rule.signs.match(text, start, min(end, start + _PROBED_CHARS)):
                return True
            at = searched.find(hint, end)
    return False


def _share(case: Case, rule: ReportRule, enough: float = 1.0) -> float:
    """Share of the lines that the rule knows, judged by one line of each shape.

    Where it is enough, further lines are not looked at.
    """
    known, lines = 0, case.document.lines
    total = sum(map(bool, lines))
    for shape, members in case.clusters:
        if shape and rule.known.match(lines[members[0]], 0, _PROBED_CHARS):
            known += len(members)
            if known >= enough * total:
                break
    return known / total if total else 0.0


def _apply(case: Case, rule: ReportRule, ranks: dict[int, float]) -> None:
    for line in _matching(case, rule.noise):
        ranks[line] = min(ranks.get(line, 0.0), _NOISE_RANK)
    vital = rule.vital if rule.otherwise is None or _matching(case, rule.vital) else rule.otherwise
    for pattern, rank in (
        (rule.otherwise, _KEEP_RANK),
        (rule.keep, _KEEP_RANK),
        (rule.facts, MUST + _FACT_BONUS),
        (vital, VITAL + _FACT_BONUS),
    ):
        seen: dict[str, int] = {}
        said: Counter[str] = Counter()
        for line in _matching(case, pattern):
            shape, text = case.masked[line], case.document.lines[line]
            seen[shape] = seen.get(shape, 0) + 1
            said[text] += 1
            # What was said in the same words is no fact a third time.
            times = seen[shape] + (_FULL_FACTS if said[text] > _TOLD_TWICE else 0)
            faded = _faded(rank, times)
            if faded < MUST and rank > MUST and line in odd_by_shape(case).get(shape, {}):
                faded = rank
            ranks[line] = max(ranks.get(line, 0.0), faded)
            if rank > MUST and goes_on(case, line):
                ranks[line + 1] = max(ranks.get(line + 1, 0.0), min(faded, VITAL) - 0.5)
            if pattern is rule.facts and seen[shape] == 1:
                for below in islice(block_behind(case, line), _DETAIL_LINES):
                    ranks[below] = max(ranks.get(below, 0.0), MUST + 1)
    ranks.update((line, VITAL + _FACT_BONUS) for line in _unfinished(case, rule.opens))
    _raise_heads(case, rule, ranks)


def _faded(rank: float, seen: int) -> float:
    """What a line is worth as the so manieth of its shape."""
    if rank > VITAL:
        return max(rank - _FADING * seen, VITAL)
    if rank > MUST and seen <= _FULL_FACTS:
        return rank - _FADING * seen
    return min(rank, _KEEP_RANK) / seen


def _unfinished(case: Case, opens: re.Pattern[str] | None) -> list[int]:
    """Lines that begin something of which nothing is heard again, where they are few."""
    if opens is None:
        return []
    document, text = case.document, case.document.text
    left = []
    for at in case.readable:
        match = opens.match(document.lines[at])
        if match is None:
            continue
        name = next(filter(None, match.groups()), match.group())
        if text.find(name, document.line_end(at)) < 0:
            left.append(at)
        if len(left) > _MAX_UNFINISHED:
            return []
    return left


def _raise_heads(case: Case, rule: ReportRule, ranks: dict[int, float]) -> None:
    """A line that says what the lines below it are of goes with the facts among them."""
    heads = _matching(case, rule.heads)
    for line in [line for line, rank in ranks.items() if rank > MUST]:
        at = bisect_right(heads, line) - 1
        if at >= 0:
            ranks[heads[at]] = max(ranks.get(heads[at], 0.0), ranks[line] - _HEAD_COST)


def _matching(case: Case, pattern: re.Pattern[str] | None) -> Sequence[int]:
    """Lines that begin with a pattern."""
    lines = case.document.lines
    return [at for at in case.readable if pattern.match(lines[at])] if pattern else ()
