"""Blocks that never reached the model: taken back, so that they do not appear in old history."""

from flowctx.service.context import Context
from flowctx.service.state import SessionState
from flowctx.store.injections import remove_injection


def note_outcome(context: Context, state: SessionState, *, used: bool) -> None:
    """Take the newest block back when the view that brought it was not used."""
    node, state.unsent = state.unsent, ""
    if used or not node:
        return
    state.injections = [each for each in state.injections if each.node != node]
    state.owes_cards, state.told_cards = True, frozenset()
    now = context.now_ms()
    context.database.write(lambda connection: remove_injection(connection, node, now))
