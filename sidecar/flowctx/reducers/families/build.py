"""Compilers, linters, builds and installers: distinct errors with context, counts, the end.

Which lines those are is told by `rules/build.toml`.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import ReportRule, draft_report, find_rule


def _find(case: Case) -> ReportRule | None:
    return find_rule(case, "build")


def _draft(case: Case, rule: ReportRule) -> Draft:
    return draft_report(case, f"build/{rule.id}", rule)


FAMILY = Family(
    "build",
    _find,
    _draft,
    looks_for="messages of a compiler, linter, build or installer",
    is_report=True,
)
