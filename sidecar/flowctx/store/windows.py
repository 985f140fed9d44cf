"""Windows: the stretches that the host parts a session into, each brought in as an epoch.

An epoch that was imported tells its window; one that came over the wire does not,
and is known by what it holds.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import apsw

from flowctx.identity import SessionRef
from flowctx.store.ledger import IMPORT
from flowctx.store.sessions import SessionRow, add_epoch

_IMPORTED = (
    "EXISTS (SELECT 1 FROM ledger l WHERE l.session_id = s.id"
    f" AND l.event = '{IMPORT}' AND l.data ->> '$.window' IS NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class Window:
    """One of a session's windows.

    Attributes:
        id: the host's.
        older, newer: how many windows of the same session came before and after it.
    """

    id: str
    older: int = 0
    newer: int = 0


def is_imported(connection: apsw.Connection, ref: SessionRef, window: Window) -> bool:
    """True for a window that was brought in before."""
    row = connection.execute(
        "SELECT 1 FROM sessions s JOIN ledger l ON l.session_id = s.id"
        " WHERE s.agent = ? AND s.key = ? AND l.event = ? AND l.data ->> '$.window' = ? LIMIT 1",
        (ref.agent, ref.key, IMPORT, window.id),
    )
    return row.fetchone() is not None


def is_held(connection: apsw.Connection, ref: SessionRef, digests: Collection[bytes]) -> bool:
    """True where most of a window's messages came another way.

    Some may have come with a window that was begun with a copy of them.
    """
    rows = connection.execute(
        "SELECT DISTINCT m.digest FROM sessions s JOIN messages m ON m.session_id = s.id"
        f" WHERE s.agent = ? AND s.key = ? AND NOT {_IMPORTED}",
        (ref.agent, ref.key),
    )
    held = {digest for (digest,) in rows}
    wanted = set(digests)
    return 2 * len(wanted & held) > len(wanted)


def open_epoch(
    connection: apsw.Connection, ref: SessionRef, window: Window, seen_ms: int
) -> SessionRow:
    """Begin the epoch of a window, in its place among those that are known.

    Epochs that came over the wire stay the newest ones of their session; what was
    before the first of them has numbers below its own.
    """
    rows: list[Any] = connection.execute(
        f"SELECT s.epoch, {_IMPORTED} FROM sessions s WHERE s.agent = ? AND s.key = ?",
        (ref.agent, ref.key),
    ).fetchall()
    taken = {int(epoch) for epoch, _ in rows}
    told = [int(epoch) for epoch, is_import in rows if not is_import]
    place = min(told) - window.newer if told else window.older + 1
    if place in taken:
        place = min(taken) - 1 if told or window.newer else max(taken) + 1
    return add_epoch(connection, ref, place, seen_ms)
