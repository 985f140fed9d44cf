"""Parts of a text that are reduced each by itself, as what it is."""

from collections.abc import Sequence
from typing import Any

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.guards import check_draft, missing_fact


def draft_part(case: Case, families: Sequence[Family[Any]]) -> Draft | None:
    """The draft of the first family that fits a part and passes the guards, if one does."""
    for family in families:
        found = family.find(case)
        drafted = family.draft(case, found) if found is not None else None
        if drafted is None or check_draft(case, drafted):
            continue
        if not (family.is_report and missing_fact(case, drafted)):
            return drafted
    return None
