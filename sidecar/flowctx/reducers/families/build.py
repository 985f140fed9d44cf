"""Compilers, linters, builds and installers: distinct errors with context, counts, the end.

Which lines those are is told by `rules/build.toml`.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import draft_report, find_rule


def _fits(case: Case) -> bool:
    return find_rule(case, "build") is not None


def _reduce(case: Case) -> Draft | None:
    rule = find_rule(case, "build")
    return draft_report(case, f"build/{rule.id}", rule) if rule else None


FAMILY = Family("build", _fits, _reduce, is_report=True)
