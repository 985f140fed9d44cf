"""Cards and the sessions that leave them, for tests."""

from __future__ import annotations

from typing import Any

from flowctx.card import Card, StoredCard
from flowctx.identity import resolve_session
from flowctx.service.context import Context
from flowctx.sliding.terms import terms_of
from flowctx.sliding.walls import side_of
from flowctx.store.cards import ensure_card
from flowctx.store.connection import Connection
from flowctx.store.sessions import ensure_session
from tests.support.host import HostSession
from tests.support.transcripts import assistant, call, result, user

Body = dict[str, Any]
HOUR_MS = 3_600_000


def turn(asked: str, answered: str, at: int, **facts: Any) -> list[Body]:
    """A turn without tools; *facts* are the host's about the sender."""
    return [
        user(asked, timestamp=at, **({"__openclaw": facts} if facts else {})),
        assistant(answered, timestamp=at + 1000, stopReason="stop"),
    ]


def tool_turn(asked: str, command: str, output: str, answered: str, at: int) -> list[Body]:
    """A turn with one command."""
    return [
        user(asked, timestamp=at),
        assistant(call("c1", command=command), timestamp=at + 1, stopReason="toolUse"),
        result("c1", output, timestamp=at + 2, isError="exited with code" in output),
        assistant(answered, timestamp=at + 3, stopReason="stop"),
    ]


def live(session: HostSession, *turns: list[Body]) -> HostSession:
    """Let turns happen in a session, as the write hook tells of them."""
    for bodies in turns:
        session.observe(*bodies)
    session.settle()
    return session


def card(text: str, at: int, *, kind: str = "dm", has_work: bool = False) -> Card:
    """A card made by hand."""
    words = " ".join(terms_of(text))
    return Card(str(text).encode()[:16], at, kind, "ok", text, text, words, has_work, 2)  # type: ignore[arg-type]


def stored(text: str, at: int, id_: int = 1, *, key: str = "agent:main:main") -> StoredCard:
    """A card as if it came from the store."""
    ref = resolve_session(key)
    return StoredCard(id_, 1, key, ref.agent, ref.person, side_of(ref), card(text, at))


def plant(connection: Connection, key: str, cards: list[Card], now: int) -> None:
    """Write cards into the store as those of a session."""
    ref = resolve_session(key)
    row = ensure_session(connection, ref, now)
    for each in cards:
        ensure_card(connection, row.id, ref, side_of(ref), each)


def texts_of(context: Context) -> list[str]:
    """The texts of all cards, oldest first."""
    query = "SELECT text FROM cards ORDER BY time_ms, id"
    return context.database.read(lambda c: [text for (text,) in c.execute(query)])


def block_of(view: list[Body]) -> str:
    """The text of the newest block of cards in a view; empty where there is none."""
    blocks = [body["content"] for body in view if body.get("customType") == "flowctx.sliding"]
    return blocks[-1] if blocks else ""
