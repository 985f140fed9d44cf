"""Why each message of a session is raw, reduced, folded, digested or left out."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flowctx.config import Settings
from flowctx.dag.plan.frontier import place_folds
from flowctx.errors import InvalidRequestError
from flowctx.model import Decision, Message, Placement
from flowctx.service.projection import BELOW, OWN_RESULT, standing_reason
from flowctx.service.sliding.explain import explain_blocks
from flowctx.store.connection import Connection
from flowctx.store.messages import gists_of, visible_messages
from flowctx.store.notes import current_folds
from flowctx.store.reader import Readable
from flowctx.store.redundant import StandIn, current_stand_ins
from flowctx.store.sessions import SessionRow, list_sessions
from flowctx.store.views import StoredView, all_views
from flowctx.view.pairing import Pairing, pair_results
from flowctx.view.plan import is_left_out
from flowctx.view.protect import protect_stored

Document = dict[str, Any]


def unknown_session(key: str) -> InvalidRequestError:
    """The error of who asks for a session that is not stored."""
    message = f"No session {key!r} is stored."
    return InvalidRequestError(message, hint="`flowctx sessions` lists them.")


def explain_session(database: Readable, key: str, settings: Settings) -> Document:
    """Explain the newest epoch of a session.

    Raises:
        InvalidRequestError: no session has this key.
        StoreError: the store cannot be read.
    """

    def work(connection: Connection) -> Document:
        return explain(connection, newest_epoch(connection, key), settings)

    return database.read(work)


def newest_epoch(connection: Connection, key: str) -> SessionRow:
    """The newest epoch of a session.

    Raises:
        InvalidRequestError: no session has this key.
    """
    rows = list_sessions(connection, key) if key else []
    if not rows:
        raise unknown_session(key)
    return max(rows, key=lambda row: row.epoch)


def explain(connection: Connection, row: SessionRow, settings: Settings) -> Document:
    """Explain the view of a session's messages as the host last handed them over."""
    messages = visible_messages(connection, row.id)
    gists = gists_of(connection, row.id, 0, len(messages))
    folds = place_folds(messages, current_folds(connection, row.id))
    explainer = _Explainer(
        messages,
        pair_results(messages),
        folds,
        _Stored(all_views(connection, row.id), current_stand_ins(connection, row.id)),
        settings,
    )
    lines = [
        {"index": at, "role": m.role, "tokens": m.tokens, **explainer.line(at), "gist": gist.text}
        for at, (m, gist) in enumerate(zip(messages, gists, strict=True))
    ]
    return {
        "key": row.ref.key,
        "agent": row.ref.agent,
        "epoch": row.epoch,
        "messages": lines,
        "cards": explain_blocks(connection, row, messages, folds),
    }


class _Stored(NamedTuple):
    """What is stored about results, by digest."""

    views: dict[bytes, StoredView]
    stand_ins: dict[bytes, StandIn]


class _Explainer:
    def __init__(
        self,
        messages: Sequence[Message],
        pairing: Pairing,
        placements: Sequence[Placement],
        stored: _Stored,
        settings: Settings,
    ) -> None:
        self._messages = messages
        self._pairing = pairing
        self._placements = placements
        self._stored = stored
        self._settings = settings
        self._protection = protect_stored(messages, settings)

    def line(self, at: int) -> Document:
        """State, reason and, for a reduced result, what it became."""
        placed = next((p for p in self._placements if p.start <= at < p.end), None)
        if placed is not None:
            reason = f"covered by {placed.fold.kind} {placed.fold.node}"
            state = "folded" if placed.fold.kind == "note" else "digested"
            return {"state": state, "reason": reason}
        message = self._messages[at]
        if is_left_out(message):
            return {"state": "dropped", "reason": "empty assistant message"}
        if not message.is_result:
            return {"state": "raw", "reason": f"{message.role} messages stay as they are"}
        if at not in self._pairing.placed:
            return {"state": "dropped", "reason": "answers no call, or repeats an answer"}
        return self._result(at, message)

    def _result(self, at: int, message: Message) -> Document:
        call = self._pairing.calls.get(at)
        reason = standing_reason(at, message, call, self._protection, self._settings)
        stand_in = self._stored.stand_ins.get(message.digest)
        if stand_in is not None and reason in ("", BELOW):
            return _reduced(message, stand_in.decision, "stand-in", stand_in.decision.reason)
        view = self._stored.views.get(message.digest)
        if reason and not (reason == OWN_RESULT and view):
            return {"state": "raw", "reason": reason}
        if view is None:
            return {"state": "pending", "reason": "not reduced yet"}
        decision = view.decision
        if decision.state != "reduced":
            return {"state": "raw", "reason": decision.reason}
        return _reduced(message, decision, view.type, f"reduced as {view.type}")


def _reduced(message: Message, decision: Decision, type_: str, reason: str) -> Document:
    return {
        "state": "reduced",
        "reason": reason,
        "type": type_,
        "tokens_after": message.tokens - message.text_tokens + decision.tokens,
        "hash": decision.hash,
    }
