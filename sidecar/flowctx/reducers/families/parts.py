"""Parts of a text that are reduced each by itself, as what it is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.guards import check_draft, missing_fact


class Part(NamedTuple):
    """A draft of a part, the family it is of, and what that found."""

    draft: Draft
    family: Family[Any]
    found: Any

    def again(self, case: Case) -> Draft | None:
        """Another draft of the same part, for other room."""
        return _sound(case, self.family, self.family.draft(case, self.found))


def draft_part(case: Case, families: Sequence[Family[Any]]) -> Draft | None:
    """The draft of the first family that fits a part and passes the guards, if one does."""
    part = fit_part(case, families)
    return part.draft if part else None


def fit_part(case: Case, families: Sequence[Family[Any]]) -> Part | None:
    """The part as the first family sees it that fits and passes the guards."""
    for family in families:
        found = family.find(case)
        drafted = family.draft(case, found) if found is not None else None
        draft = _sound(case, family, drafted)
        if draft is not None:
            return Part(draft, family, found)
    return None


def _sound(case: Case, family: Family[Any], drafted: Draft | None) -> Draft | None:
    """The draft, where it passes the guards."""
    if drafted is None or check_draft(case, drafted):
        return None
    return None if family.is_report and missing_fact(case, drafted) else drafted
