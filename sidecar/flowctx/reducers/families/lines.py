"""Any text of lines: distinct shapes by example, odd lines, errors with what surrounds them.

This is the outline every other family gives way to; it fits always.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import draft_report


def _fits(case: Case) -> bool:
    del case
    return True


def _reduce(case: Case) -> Draft | None:
    return draft_report(case, "text", None)


FAMILY = Family("text", _fits, _reduce, is_report=True)
