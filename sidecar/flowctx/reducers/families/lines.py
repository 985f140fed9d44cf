"""Any text of lines: distinct shapes by example, odd lines, errors with what surrounds them.

This is the outline every other family gives way to; it fits always.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.reports import draft_report


def _find(case: Case) -> bool | None:
    del case
    return True


def _draft(case: Case, found: bool) -> Draft:
    del found
    return draft_report(case, "text", None)


FAMILY = Family("text", _find, _draft, looks_for="lines of any kind", is_report=True)
