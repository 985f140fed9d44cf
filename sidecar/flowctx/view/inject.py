"""Placing injections by the messages they stand behind."""

from collections.abc import Iterable

from flowctx.model import Injection, PlacedInjection, Placement
from flowctx.view.places import Places

HEAD = -1
# The kind of injections that belong to one turn, even where they stand at the head.
CARDS = "card"


def place_injections(places: Places, injections: Iterable[Injection]) -> list[PlacedInjection]:
    """Place the injections whose anchor is among the messages, in order."""
    placed = [
        PlacedInjection(injection, at)
        for injection in injections
        if (at := places.last(injection.after) if injection.after else HEAD) is not None
    ]
    return sorted(placed, key=lambda each: each.at)


def standing(
    injections: Iterable[Injection], folds: Iterable[Placement], lead: int
) -> list[Injection]:
    """The injections that still stand.

    Cards at the head were chosen for the first turn of the session: they go with
    it, when a fold covers it or the host's own summary has taken its place.
    """
    is_first_gone = lead > 0 or any(placed.start == 0 for placed in folds)
    return [each for each in injections if each.after or each.kind != CARDS or not is_first_gone]
