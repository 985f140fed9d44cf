"""What calls may cost: pauses after failures, calls an hour, tokens a day."""

from flowctx.config import Settings
from flowctx.identity import SessionRef
from flowctx.service.breaker import Pause
from flowctx.service.context import Context
from flowctx.store.connection import Connection
from flowctx.store.jobs import calls_since, tokens_since

HOUR_MS, DAY_MS = 3_600_000, 86_400_000
# The pause after a failed attempt doubles from the first to the longest.
FIRST_PAUSE_MS, LONGEST_PAUSE_MS = 15_000, HOUR_MS


def pause_after(attempts: int) -> int:
    """Milliseconds to wait after so many failed attempts, the first being 1."""
    return int(min(FIRST_PAUSE_MS * 2 ** min(attempts - 1, 30), LONGEST_PAUSE_MS))


def spent_pause(context: Context, ref: SessionRef) -> Pause | None:
    """The pause that a session's own limits call for, if any.

    Raises:
        StoreError: the store cannot be read.
    """
    now, settings = context.now_ms(), context.settings

    def read(connection: Connection) -> tuple[list[int], int]:
        calls = calls_since(connection, ref, now - HOUR_MS)
        daily = settings.summary_daily_token_budget
        return calls, tokens_since(connection, ref, now - DAY_MS) if daily else 0

    calls, tokens = context.database.read(read)
    return _over_calls(calls, settings) or _over_tokens(tokens, settings, now)


def _over_calls(calls: list[int], settings: Settings) -> Pause | None:
    most = settings.summary_max_calls_per_hour
    if len(calls) < most:
        return None
    until = calls[len(calls) - most] + HOUR_MS
    return Pause(f"{most} calls within an hour are the limit", until)


def _over_tokens(tokens: int, settings: Settings, now_ms: int) -> Pause | None:
    most = settings.summary_daily_token_budget
    if not most or tokens < most:
        return None
    return Pause(f"{most:,} tokens a day are the limit", now_ms + HOUR_MS)
