"""Why each line of an injected block is there."""

from collections.abc import Sequence
from typing import Any

from flowctx.card import Pick
from flowctx.model import Message, Placement
from flowctx.service.frame import SUMMARY_ROLES
from flowctx.store.card_blocks import picks_of
from flowctx.store.connection import Connection
from flowctx.store.injections import current_injections
from flowctx.store.sessions import SessionRow
from flowctx.view.inject import CARDS, HEAD, place_injections, standing
from flowctx.view.places import Places

Document = dict[str, Any]


def explain_blocks(
    connection: Connection,
    row: SessionRow,
    messages: Sequence[Message],
    folds: Sequence[Placement],
) -> list[Document]:
    """The blocks of cards that stand in a session's view, with the reason for every line.

    `behind` is the index of the message that a block's turn began with; -1 is the head.
    """
    current = [each for each in current_injections(connection, row.id) if each.kind == CARDS]
    lead = sum(message.role in SUMMARY_ROLES for message in messages[:1])
    blocks = standing(current, folds, lead)
    places = {
        placed.injection.node: placed.at for placed in place_injections(Places(messages), blocks)
    }
    return [
        {
            "behind": places.get(block.node, HEAD),
            "tokens": block.tokens,
            "lines": [_line(pick) for pick in picks_of(connection, block.node)],
        }
        for block in blocks
        if block.node in places
    ]


def _line(pick: Pick) -> Document:
    return {
        "time_ms": pick.time_ms,
        "key": pick.session_key,
        "kind": pick.kind,
        "shown": pick.level,
        "reason": f"{pick.why}; {pick.wall}",
        "score": pick.score,
        "signals": pick.signals,
    }
