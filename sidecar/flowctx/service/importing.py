"""Import: cards and messages of the sessions that the host already has.

Each window of a session is brought in as a whole, in one transaction, as an epoch;
that of the newest one goes on, unless the session was told of since. One that is
known already is left alone. So an import that was broken off goes on where it
stopped, and a second one does nothing.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from flowctx.errors import StoreError
from flowctx.identity import SessionRef, resolve_session
from flowctx.message import ParsedMessage, parse_message
from flowctx.service.context import Context
from flowctx.service.hostconfig import HostConfig
from flowctx.service.sliding.capture import people_of
from flowctx.sliding.compose import CardLimits, compose_card
from flowctx.sliding.walls import is_skipped, side_of
from flowctx.store.card_people import note_people
from flowctx.store.cards import ensure_card
from flowctx.store.connection import Connection
from flowctx.store.hoststore import StoredSession, list_sessions, read_events
from flowctx.store.ledger import IMPORT, add_event
from flowctx.store.messages import add_imported
from flowctx.store.sessions import current_session, end_epoch
from flowctx.store.windows import Window, is_held, is_imported, open_epoch

STORES = "agents/*/agent/openclaw-agent.sqlite"
_KNOWN = "known already"
_ROLES = frozenset({"user", "assistant", "toolResult", "compactionSummary", "branchSummary"})


@dataclass(frozen=True, slots=True)
class HostSession:
    """A window of a session in the host's own store, or a store that cannot be read.

    Attributes:
        ref: the session; of a store that cannot be read its key is the path.
        stored: where it lies; None for a store that cannot be read.
        trouble: why it cannot.
    """

    ref: SessionRef
    stored: StoredSession | None
    trouble: str = ""

    @property
    def window(self) -> Window:
        """Which of the session's it is."""
        stored = self.stored
        return Window(stored.id, stored.older, stored.newer) if stored else Window("")


@dataclass(frozen=True, slots=True)
class Imported:
    """What came, or would come, of one window of a session.

    Attributes:
        skipped: why nothing did; empty when something did.
        window: the host's id of it; empty for a store that cannot be read.
    """

    key: str
    messages: int = 0
    cards: int = 0
    skipped: str = ""
    window: str = ""


def find_sessions(state_dir: Path, host: HostConfig) -> list[HostSession]:
    """The windows of all sessions in a host's state directory, oldest first.

    A store that cannot be read is named in their place, and does not keep the others back.
    """
    found: list[HostSession] = []
    for path in sorted(state_dir.glob(STORES)):
        agent = path.parent.parent.name
        try:
            stored = list_sessions(path)
        except StoreError as error:
            found.append(HostSession(resolve_session(str(path), agent=agent), None, str(error)))
            continue
        for each in stored:
            ref = resolve_session(each.key, agent=agent)
            found.append(HostSession(replace(ref, is_sandboxed=host.is_sandboxed(ref)), each))
    return found


def import_session(context: Context, session: HostSession, *, dry_run: bool) -> Imported:
    """Bring in one window; with `dry_run` only count what would come.

    Raises:
        StoreError: it could not be written; nothing of it was.
    """
    ref, id_ = session.ref, session.window.id
    reason = _reason_to_skip(context, session)
    try:
        messages = [] if reason or not session.stored else list(_messages(session.stored))
    except StoreError as error:
        messages, reason = [], f"cannot be read ({error})"
    is_known = context.database.read(lambda c: _is_held(c, ref, messages)) if messages else False
    if is_known or not messages:
        reason = _KNOWN if is_known else reason
        return Imported(ref.key, skipped=reason or "holds no message", window=id_)
    cards = _Cards(context, ref, messages)
    if not dry_run:
        window = session.window
        context.database.write(lambda c: _write(c, context, cards, window)).result()
    return Imported(ref.key, len(messages), len(cards.made), window=id_)


class _Cards:
    """The cards of a session's turns that lie within the window."""

    def __init__(
        self, context: Context, ref: SessionRef, messages: Sequence[ParsedMessage]
    ) -> None:
        settings = context.settings
        limits = CardLimits(settings.sliding.skip_trivial, settings.capture_field_max_chars)
        since = context.now_ms() - settings.sliding.window_ms
        self.ref, self.messages = ref, messages
        self.people = set(people_of(ref, messages))
        recent = [
            turn
            for turn in _turns(messages)
            if max(parsed.message.time_ms for parsed in turn) >= since
        ]
        made = (compose_card(turn, ref, limits, since) for turn in recent)
        is_out = not (settings.sliding.enabled and settings.session_continuity)
        self.made = [] if is_out else [card for card in made if card is not None]


def _write(connection: Connection, context: Context, cards: _Cards, window: Window) -> None:
    now, ref = context.now_ms(), cards.ref
    newest = current_session(connection, ref)
    if _is_held(connection, ref, cards.messages):
        message = f"{ref.key} has just begun."
        raise StoreError(message)
    # It was last active when its last message came, and is kept as long as any that ends now.
    last = max((parsed.message.time_ms for parsed in cards.messages), default=0)
    row = open_epoch(connection, ref, window, min(last or now, now))
    add_imported(connection, row.id, cards.messages)
    note_people(connection, row.id, ref, cards.people)
    for card in cards.made:
        ensure_card(connection, row.id, ref, side_of(ref), card)
    data = {"messages": len(cards.messages), "window": window.id}
    add_event(connection, row.id, IMPORT, data, now)
    is_newest = newest is None or newest.epoch < row.epoch
    if newest is not None and is_newest:
        end_epoch(connection, newest.id, now)
    if window.newer or not is_newest:
        end_epoch(connection, row.id, now)


def _is_held(connection: Connection, ref: SessionRef, messages: Sequence[ParsedMessage]) -> bool:
    return is_held(connection, ref, {parsed.message.digest for parsed in messages})


def _reason_to_skip(context: Context, session: HostSession) -> str:
    ref = session.ref
    if session.trouble:
        return f"store cannot be read ({session.trouble})"
    if ref.is_private:
        return "private"
    if ref.is_sandboxed:
        return "sandboxed"
    if is_skipped(ref.key, context.settings.sliding.skip_sessions):
        return "skipSessions"
    known = context.database.read(lambda c: is_imported(c, ref, session.window))
    return _KNOWN if known else ""


def _messages(stored: StoredSession) -> Iterator[ParsedMessage]:
    for event in read_events(stored):
        message = parse_message(event).value.get("message")
        if isinstance(message, dict) and message.get("role") in _ROLES:
            yield parse_message(_as_json(message))


def _as_json(message: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(message)
    except (TypeError, ValueError):
        # Halves of surrogate pairs and numbers beyond 64 bits, which the host may write.
        return json.dumps(message).encode()


def _turns(messages: Sequence[ParsedMessage]) -> list[list[ParsedMessage]]:
    turns: list[list[ParsedMessage]] = []
    for parsed in messages:
        if parsed.message.opens_turn:
            turns.append([])
        if turns:
            turns[-1].append(parsed)
    return turns
