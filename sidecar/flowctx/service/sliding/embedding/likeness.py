"""Which cards stand out by being like a prompt."""

from flowctx.card import StoredCard
from flowctx.store.card_vectors import CardVector, likeness_in
from flowctx.store.cards import CardScope, cards_by_id
from flowctx.store.connection import Connection

# As many as are looked at by their words.
_MATCHES = 24


def distinct_cards(
    connection: Connection,
    scope: CardScope,
    vector: CardVector | None,
    found: dict[int, StoredCard],
) -> dict[int, float]:
    """By how many standard deviations cards are more like a prompt than cards are in general.

    Args:
        connection: to the store.
        scope: which cards may be looked at.
        vector: of the prompt; without it no card stands out.
        found: cards at hand; those most like the prompt join them.
    """
    if vector is None:
        return {}
    likeness = likeness_in(connection, scope, vector, found, _MATCHES)
    if not likeness.deviation:
        return {}
    missing = likeness.cosines.keys() - found.keys()
    found.update((each.id, each) for each in cards_by_id(connection, missing))
    return {
        id_: (cosine - likeness.mean) / likeness.deviation
        for id_, cosine in likeness.cosines.items()
    }
