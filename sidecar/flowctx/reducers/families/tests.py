"""Test runs: every failing test with its assertion, place and frames of our own code; totals.

Which lines those are is told by `rules/tests.toml`.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import draft_report, find_rule


def _fits(case: Case) -> bool:
    return find_rule(case, "tests") is not None


def _reduce(case: Case) -> Draft | None:
    rule = find_rule(case, "tests")
    return draft_report(case, f"test/{rule.id}", rule) if rule else None


FAMILY = Family("test", _fits, _reduce, is_report=True)
