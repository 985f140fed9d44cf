"""Upkeep: what maintain() wakes. Bounded, and quiet when there is nothing to do."""

from flowctx.service.context import Context
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import prune_ledger
from flowctx.store.purge import PurgeCount, expired_sessions, purge_sessions

# How often ended epochs are looked at for expiry.
EXPIRY_EVERY_MS = 3_600_000


def maintain(context: Context, state: SessionState) -> None:
    """Keep a session's ledger short and let ended epochs expire.

    Raises:
        StoreError: the store cannot be written.
    """
    row = state.row
    if row is not None:
        context.database.write(lambda connection: prune_ledger(connection, row.id)).result()
    expire(context)


def expire(context: Context) -> PurgeCount:
    """Delete epochs that ended longer ago than originals have to live.

    Raises:
        StoreError: the store cannot be written.
    """
    now = context.now_ms()
    # Further off than one period, it was set by a clock that has been put back since.
    if 0 < context.next_expiry_ms - now <= EXPIRY_EVERY_MS:
        return PurgeCount()
    context.next_expiry_ms = now + EXPIRY_EVERY_MS
    before = now - context.settings.projection_ttl_seconds * 1000

    def work(connection: Connection) -> PurgeCount:
        ids = expired_sessions(connection, before)
        return purge_sessions(connection, ids, now) if ids else PurgeCount()

    count = context.database.write(work).result()
    if count.sessions:
        context.index.begin_anew()
        context.notify("trigger", f"expired {count.sessions} ended sessions")
    return count
