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
        seen = seen_by(self.family, case)
        return _sound(case, seen, self.family, self.family.draft(seen, self.found))


def seen_by(family: Family[Any], case: Case) -> Case:
    """What a family looks at of a case: all lines, or those chosen of very many."""
    is_whole = len(case.document.lines) <= family.whole_up_to
    if is_whole or not case.thinned:
        return case
    # What is known of it in one room is known in every other.
    return case.part if case.part.room == case.room else case.part.with_room(case.room)


def draft_part(case: Case, families: Sequence[Family[Any]]) -> Draft | None:
    """The draft of the first family that fits a part and passes the guards, if one does."""
    part = fit_part(case, families)
    return part.draft if part else None


def fit_part(case: Case, families: Sequence[Family[Any]]) -> Part | None:
    """The part as the first family sees it that fits and passes the guards."""
    for family in families:
        seen = seen_by(family, case)
        found = family.find(seen)
        drafted = family.draft(seen, found) if found is not None else None
        draft = _sound(case, seen, family, drafted)
        if draft is not None:
            return Part(draft, family, found)
    return None


def _sound(case: Case, seen: Case, family: Family[Any], drafted: Draft | None) -> Draft | None:
    """The draft of what is seen as one of the case, where it passes the guards."""
    if drafted is None or check_draft(seen, drafted):
        return None
    if family.is_report and missing_fact(seen, drafted):
        return None
    if seen.document is case.document or case.thinned is None:
        return drafted
    draft = case.thinned.restore(drafted)
    return None if check_draft(case, draft) else draft
