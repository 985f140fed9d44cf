"""What a family is: a name, what it finds in a text of its kind, and how it drafts from it."""

import math
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft

Found = TypeVar("Found")
ALL_LINES = math.inf


class Family(NamedTuple, Generic[Found]):
    """One kind of content.

    Attributes:
        name: kind of content, for explanations.
        find: what it needs of a text of its kind, read once; None for other texts.
        draft: a draft from what was found, or None where there is nothing to leave out.
        is_report: its content is what a program reports, so that the errors and
            totals in it are facts every draft must show.
        whole_up_to: up to this many lines the text is looked at whole, whatever their length;
            `ALL_LINES` where a part of its lines is no text of its kind.
        looks_for: what a text must show to be of the kind, for explanations.
    """

    name: str
    find: Callable[[Case], Found | None]
    draft: Callable[[Case, Found], Draft | None]
    is_report: bool = False
    whole_up_to: float = 0
    looks_for: str = ""
