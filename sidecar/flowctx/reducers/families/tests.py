"""Test runs: every failing test with its assertion, place and frames of our own code; totals.

Which lines those are is told by `rules/tests.toml`.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import ReportRule, draft_report, find_rule


def _find(case: Case) -> ReportRule | None:
    return find_rule(case, "tests")


def _draft(case: Case, rule: ReportRule) -> Draft:
    return draft_report(case, f"test/{rule.id}", rule)


FAMILY = Family("test", _find, _draft, looks_for="what a test runner prints", is_report=True)
