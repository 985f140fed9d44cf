"""What a family is: a name, when it applies, and how it reduces."""

from collections.abc import Callable
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft


class Family(NamedTuple):
    """One kind of content.

    Attributes:
        name: first part of the content type its drafts carry.
        fits: whether the whole text is of this kind.
        reduce: a draft, or None where it finds nothing to leave out.
        is_report: its content is what a program reports, so that the errors and
            totals in it are facts every draft must show.
    """

    name: str
    fits: Callable[[Case], bool]
    reduce: Callable[[Case], Draft | None]
    is_report: bool = False
