"""Plans of queries with what their steps took: where the time went, and what was in vain.

As PostgreSQL, MySQL and their kin print them: a step a line behind an arrow,
what is told of it indented below.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import indent_of
from flowctx.reducers.select import MUST

_STEP = re.compile(r"[\s|]*(?:->\s+)?[A-Z][\w ():,.'\"-]*.*\((?:cost=|actual time=)")
_ACTUAL = re.compile(r"actual time=[\d.e+]+\.\.([\d.e+]+) rows=([\d.e+]+)(?: loops=(\d+))?")
_ESTIMATED = re.compile(r"\(cost=\S+ rows=([\d.e+]+)")
_STEP_SHARE, _MIN_STEPS = 0.12, 3
# What a step did that it would better not have done, whatever it took.
_SPILLED = re.compile(
    r"\s*(?!Worker )(?:Sort Method: external|.*\b(?:Disk|Disk Usage): \d|.*\bBatches: (?!1\b)\d"
    r"|.*\blossy=\d|.*never executed|Rows Removed by (?:Index )?Recheck: \d{4})"
)
_REMOVED = re.compile(r"\s*Rows Removed by (?:Join )?Filter: (\d{1,18})")
_CONDITION = re.compile(r"\s*(?:[\w ]*Cond|(?:Join )?Filter|Sort Key|Group Key|Recheck Cond)\b.*:")
_SUMMARY = re.compile(
    r"\s*(?:Planning Time|Execution Time|Total runtime|Trigger \S.*|Settings)\b.*:"
)
_TOP_STEPS, _STEP_RANK, _BELOW_COST, _SUMMARY_RANK = 3, MUST - 10, 2.0, MUST + 2
_SPILLED_RANK, _REMOVED_RANK = MUST + 4, MUST + 3
# Rows that a filter throws away are in vain where they are so many times those it keeps.
_TIMES_KEPT, _MIN_REMOVED = 3, 1000
# And an estimate is wrong that is so many times too high or low.
_TIMES_ESTIMATED, _WRONG_RANK = 100, MUST - 14


class _Step(NamedTuple):
    """A step of a plan.

    Attributes:
        at: its line.
        indent: how deep it stands.
        ms: the time it took, all steps below it included, over all loops.
        rows: what it gave over all loops.
        loops: how often it ran.
    """

    at: int
    indent: int
    ms: float
    rows: float
    loops: float


def plan_ranks(case: Case) -> dict[int, float]:
    """What lines of a plan are worth; empty for other texts."""
    if case.sampled_share(_STEP) < _STEP_SHARE:
        return {}
    lines = case.document.lines
    steps = [step for at in case.readable if (step := _read(lines[at], at)) is not None]
    if len(steps) < _MIN_STEPS:
        return {}
    own = _own_times(steps)
    ranks = {at: _SUMMARY_RANK for at in case.readable if _SUMMARY.match(lines[at])}
    costly = sorted((step for step in steps if own[step.at] > 0), key=lambda step: -own[step.at])
    for order, step in enumerate(costly[:_TOP_STEPS]):
        ranks[step.at] = _STEP_RANK - order
        for at in _below(lines, step):
            if _CONDITION.match(lines[at]):
                ranks[at] = _STEP_RANK - order - _BELOW_COST
    for step in steps:
        for at, rank in _in_vain(lines, step):
            ranks[at] = rank
            ranks[step.at] = max(ranks.get(step.at, 0.0), rank - _BELOW_COST)
    return ranks


def _read(line: str, at: int) -> _Step | None:
    took = _ACTUAL.search(line) if _STEP.match(line) else None
    if took is None:
        return None
    loops = float(took.group(3) or 1)
    return _Step(
        at, _depth(line), float(took.group(1)) * loops, float(took.group(2)) * loops, loops
    )


def _depth(line: str) -> int:
    """Where the arrow of a step stands, or its first word."""
    arrow = line.find("->")
    return arrow if arrow >= 0 else indent_of(line)


def _own_times(steps: Sequence[_Step]) -> Mapping[int, float]:
    """What each step took without the steps below it."""
    own = {step.at: step.ms for step in steps}
    above: list[_Step] = []
    for step in steps:
        while above and above[-1].indent >= step.indent:
            above.pop()
        if above:
            own[above[-1].at] -= step.ms
        above.append(step)
    return own


def _below(lines: Sequence[str], step: _Step) -> Iterator[int]:
    """What is told of a step, before the next one."""
    for at in range(step.at + 1, len(lines)):
        if _STEP.match(lines[at]) or indent_of(lines[at]) <= step.indent:
            return
        yield at


def _in_vain(lines: Sequence[str], step: _Step) -> Iterator[tuple[int, float]]:
    """What a step wrote to disk, read to throw away, or was planned wrongly for."""
    estimated = _ESTIMATED.search(lines[step.at])
    if estimated:
        ratio = (step.rows / step.loops + 1) / (float(estimated.group(1)) + 1)
        if max(ratio, 1 / ratio) >= _TIMES_ESTIMATED:
            yield step.at, _WRONG_RANK
    for at in _below(lines, step):
        if _SPILLED.match(lines[at]):
            yield at, _SPILLED_RANK
        elif _removed(lines[at]) * step.loops >= max(_TIMES_KEPT * step.rows, _MIN_REMOVED):
            yield at, _REMOVED_RANK
            # By which they are told from those that stay.
            yield at - 1, _REMOVED_RANK - _BELOW_COST / 2


def _removed(line: str) -> int:
    """How many rows a line says that a filter threw away."""
    told = _REMOVED.match(line)
    return int(told.group(1)) if told else 0
