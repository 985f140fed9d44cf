"""Any text of lines: distinct shapes by example, odd lines, errors with what surrounds them.

This is the outline every other family gives way to; it fits always.
"""

import re

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.like_blocks import read_like_blocks
from flowctx.reducers.plans import plan_ranks
from flowctx.reducers.reports import draft_report

# Settings in braces: a block opens or ends, or a statement does.
_IN_BRACES, _BRACED_SHARE = re.compile(r"[^{};]*[{};]\s*(?:[#/}].*)?$"), 0.8
_ODD_RANK, _CONTEXT_COST = 60.0, 0.5


def _find(case: Case) -> bool | None:
    del case
    return True


def _draft(case: Case, found: bool) -> Draft:
    del found
    return draft_report(case, "text", None, raised=_odd_in_blocks(case) | plan_ranks(case))


def _odd_in_blocks(case: Case) -> dict[int, float]:
    """What hardly another of many like blocks says, with the head and the name of its block."""
    if case.sampled_share(_IN_BRACES) < _BRACED_SHARE:
        return {}
    blocks = read_like_blocks(case.document.lines)
    if blocks is None:
        return {}
    ranks: dict[int, float] = {}
    for at, bits in blocks.odd.items():
        ranks[at] = max(ranks.get(at, 0.0), _ODD_RANK + bits)
        for line in blocks.context[at]:
            ranks[line] = max(ranks.get(line, 0.0), _ODD_RANK + bits - _CONTEXT_COST)
    return ranks


FAMILY = Family("text", _find, _draft, looks_for="lines of any kind", is_report=True)
