"""How each tool result of a session appears; final once it has been shown."""

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from flowctx.model import Decision

# Why a result is shown whole whose original was deleted for good.
PURGED = "its original was purged"


@dataclass(frozen=True, slots=True)
class StoredView:
    """A decision about one tool result, with the content type it was reduced as."""

    digest: bytes
    type: str
    decision: Decision
    was_shown: bool = False


def ensure_view(connection: apsw.Connection, session_id: int, view: StoredView) -> None:
    """Store a decision unless the session has one for the same message."""
    decision = view.decision
    connection.execute(
        "INSERT OR IGNORE INTO views (session_id, digest, state, type, reason, text, tokens, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session_id,
            view.digest,
            decision.state,
            view.type,
            decision.reason,
            decision.text,
            decision.tokens,
            decision.hash or None,
        ),
    )


def load_views(
    connection: apsw.Connection, session_id: int, digests: Iterable[bytes]
) -> dict[bytes, StoredView]:
    """The stored decisions about some messages."""
    found = {}
    for digest in digests:
        row = connection.execute(
            f"{_SELECT} AND digest = ?",
            (session_id, digest),
        ).fetchone()
        if row is not None:
            found[digest] = _view(row)
    return found


def all_views(connection: apsw.Connection, session_id: int) -> dict[bytes, StoredView]:
    """All stored decisions of a session."""
    return {row[0]: _view(row) for row in connection.execute(_SELECT, (session_id,))}


def mark_shown(
    connection: apsw.Connection, session_id: int, digests: Iterable[bytes], now_ms: int
) -> None:
    """Note that views were sent; from then on they are final."""
    connection.executemany(
        "UPDATE views SET first_shown_ms = ? WHERE session_id = ? AND digest = ?"
        " AND first_shown_ms IS NULL",
        [(now_ms, session_id, digest) for digest in digests],
    )


_SELECT = (
    "SELECT digest, type, state, reason, text, tokens, coalesce(hash, ''),"
    " first_shown_ms IS NOT NULL FROM views WHERE session_id = ?"
)


def _view(row: tuple[bytes, str, str, str, str, int, str, int]) -> StoredView:
    digest, type_, state, reason, text, tokens, hash_, shown = row
    decision = Decision(state, reason, text, tokens, hash_)  # type: ignore[arg-type]
    return StoredView(digest, type_, decision, bool(shown))
