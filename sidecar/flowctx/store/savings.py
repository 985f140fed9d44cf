"""What each call cost and would have cost, by session and day; and how estimates fare."""

from dataclasses import astuple, dataclass
from typing import Any

import apsw

SCHEMA = """
CREATE TABLE savings (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    time_ms INTEGER NOT NULL,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    cached INTEGER NOT NULL,
    tokens_without INTEGER NOT NULL,
    cost REAL NOT NULL,
    cost_without REAL NOT NULL,
    price_usd REAL NOT NULL,
    counted INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    PRIMARY KEY (session_id, digest, time_ms)
) STRICT;
CREATE INDEX savings_by_model ON savings (model, time_ms);
"""
# Calls that an estimate is corrected by: enough to be steady, few enough to follow a change.
_CALLS = 400
_PRIOR_TOKENS = 1_000
_SUMS = (
    "count(*), coalesce(sum(tokens), 0), coalesce(sum(tokens_without), 0), coalesce(sum(cost), 0),"
    " coalesce(sum(cost_without), 0), coalesce(sum((cost_without - cost) * price_usd), 0)"
)


@dataclass(frozen=True, slots=True)
class SavingRow:
    """One call of a model.

    Attributes:
        digest, time_ms: of the message it answered with, or of the note it wrote.
        day: in UTC, YYYY-MM-DD.
        tokens, cost: of its prompt, in tokens and in tokens of plain input.
        cached: of its tokens, read from the provider's cache.
        tokens_without, cost_without: without flowctx.
        price_usd: of a token of plain input.
        counted, estimated: tokens since the call before by the provider's count and by
            our estimate; 0 where they cannot be compared.
    """

    digest: bytes
    time_ms: int
    day: str
    model: str
    tokens: int
    cached: int
    tokens_without: int
    cost: float
    cost_without: float
    price_usd: float
    counted: int = 0
    estimated: int = 0


def add_saving(connection: apsw.Connection, session_id: int, row: SavingRow) -> None:
    """Store a call once, however often its message is handed over."""
    connection.execute(
        "INSERT OR IGNORE INTO savings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (session_id, *astuple(row)),
    )


def sum_savings(connection: apsw.Connection, session_id: int | None = None) -> dict[str, Any]:
    """Sums over the calls of a session, or over all."""
    where, values = ("WHERE session_id = ?", (session_id,)) if session_id else ("", ())
    row = connection.execute(f"SELECT {_SUMS} FROM savings {where}", values).fetchone()
    return _sums(row or (0, 0, 0, 0.0, 0.0, 0.0))


def cache_hits(connection: apsw.Connection, session_id: int) -> list[float]:
    """Share of each prompt of a session that came from the cache, oldest call first."""
    rows = connection.execute(
        "SELECT cached * 1.0 / max(tokens, 1) FROM savings WHERE session_id = ?"
        " AND tokens_without > 0 ORDER BY time_ms, rowid",
        (session_id,),
    )
    return [round(share, 4) for (share,) in rows]


def daily_savings(connection: apsw.Connection) -> list[dict[str, Any]]:
    """Sums by day, newest first."""
    rows = connection.execute(f"SELECT day, {_SUMS} FROM savings GROUP BY day ORDER BY day DESC")
    return [{"day": day, **_sums(tuple(sums))} for day, *sums in rows]


def token_factor(connection: apsw.Connection, model: str) -> float | None:
    """Provider's tokens for each estimated one, over a model's last calls; None for none.

    As many tokens as `_PRIOR_TOKENS` are taken to be as estimated: what a call adds beside
    its text would otherwise make a few short messages look like another vocabulary.
    """
    counted, estimated = connection.execute(
        "SELECT coalesce(sum(counted), 0), coalesce(sum(estimated), 0) FROM ("
        " SELECT counted, estimated FROM savings WHERE model = ? AND estimated > 0"
        " ORDER BY time_ms DESC LIMIT ?)",
        (model, _CALLS),
    ).fetchone() or (0, 0)
    prior = _PRIOR_TOKENS
    return (counted + prior) / (estimated + prior) if estimated else None


def _sums(row: tuple[Any, ...]) -> dict[str, Any]:
    calls, tokens, without, cost, cost_without, usd = row
    return {
        "calls": calls,
        "tokens": tokens,
        "tokens_without": without,
        "cost": round(cost),
        "cost_without": round(cost_without),
        "net_cost_saved": round(cost_without) - round(cost),
        "net_usd_saved": round(usd, 4),
    }
