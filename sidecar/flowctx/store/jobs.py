"""Jobs: one row for each note that is to be written, however many calls it takes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import apsw
import orjson

from flowctx.identity import SessionKind, SessionRef

JobState = Literal["queued", "running", "done", "failed", "superseded"]

_OPEN = "('queued', 'running', 'failed')"


@dataclass(frozen=True, slots=True)
class JobKey:
    """What a job is about; two jobs with the same key are the same job.

    Attributes:
        kind: "leaf", "rolling" or "condense".
        first, last, count: anchors of the messages that its note will cover.
        chain: hash over the digests of all these messages.
        sources: the notes it is made from, oldest first.
    """

    kind: str
    depth: int
    first: bytes
    last: bytes
    count: int
    chain: bytes
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job.

    Attributes:
        generation: of the session when it was last found to be wanted.
        attempts: calls that were made for it and came to nothing.
        next_try_ms: not before, Unix milliseconds.
        error: why the last attempt failed.
    """

    id: int
    session_id: int
    generation: int
    key: JobKey
    state: JobState
    attempts: int
    next_try_ms: int
    error: str


@dataclass(frozen=True, slots=True)
class CallCost:
    """What one call took, as the host reported it.

    Attributes:
        cached_tokens: part of the input that the provider had cached.
        cost_usd: US dollars; 0 where the host knows no price.
        seconds: from the request to the reply.
    """

    provider: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0


NO_COST = CallCost()


def ensure_job(
    connection: apsw.Connection, session_id: int, key: JobKey, generation: int, now_ms: int
) -> JobRow:
    """The open job for a note; made when there is none. Others that are open end.

    A job that begins with the same message is the same one, grown or shrunk: it
    keeps its failed attempts, so that a new turn does not make it try at once.
    """
    found = None
    for job in open_jobs(connection, session_id):
        if found is None and _begins_like(job.key, key):
            found = job
        else:
            end_job(connection, job.id, "superseded", now_ms)
    sources = orjson.dumps(key.sources).decode()
    if found is not None:
        connection.execute(
            "UPDATE jobs SET last = ?, count = ?, chain = ?, sources = ?, generation = ?"
            " WHERE id = ?",
            (key.last, key.count, key.chain, sources, generation, found.id),
        )
        return replace(found, key=key, generation=generation)
    connection.execute(
        "INSERT INTO jobs (session_id, generation, kind, depth, first, last, count, chain,"
        " sources, state, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)",
        (
            session_id, generation, key.kind, key.depth, key.first, key.last, key.count,
            key.chain, sources, now_ms,
        ),
    )  # fmt: skip
    id_ = connection.last_insert_rowid()
    return JobRow(id_, session_id, generation, key, "queued", 0, 0, "")


def open_jobs(connection: apsw.Connection, session_id: int) -> list[JobRow]:
    """The jobs of a session that are still to be done, oldest first."""
    return list(_select(connection, f"session_id = ? AND state IN {_OPEN}", session_id))


def count_open_jobs(connection: apsw.Connection) -> int:
    """How many notes of all sessions are still to be written."""
    return int(connection.execute(f"SELECT count(*) FROM jobs WHERE state IN {_OPEN}").get)


def find_job(connection: apsw.Connection, job_id: int) -> JobRow | None:
    """The job with an id, or None when its session was purged."""
    return next(_select(connection, "id = ?", job_id), None)


def start_job(connection: apsw.Connection, job_id: int, now_ms: int) -> None:
    """Note that a call is made for a job."""
    connection.execute(
        "UPDATE jobs SET state = 'running', started_ms = ? WHERE id = ?", (now_ms, job_id)
    )


def requeue_job(connection: apsw.Connection, job_id: int) -> None:
    """Note that the call for a job ended without an answer that counts."""
    connection.execute(
        "UPDATE jobs SET state = 'queued' WHERE id = ? AND state = 'running'", (job_id,)
    )


def finish_job(connection: apsw.Connection, job_id: int, node: str, now_ms: int) -> None:
    """Note that a job's note is written."""
    connection.execute("UPDATE jobs SET node = ?, error = '' WHERE id = ?", (node, job_id))
    end_job(connection, job_id, "done", now_ms)


def end_job(connection: apsw.Connection, job_id: int, state: JobState, now_ms: int) -> None:
    """End a job, because it is done or no longer wanted."""
    connection.execute(
        "UPDATE jobs SET state = ?, ended_ms = ? WHERE id = ?", (state, now_ms, job_id)
    )


def fail_job(connection: apsw.Connection, job_id: int, error: str, next_try_ms: int) -> None:
    """Note that an attempt came to nothing, and when the next one may be made."""
    connection.execute(
        "UPDATE jobs SET state = 'failed', attempts = attempts + 1, error = ?, next_try_ms = ?"
        " WHERE id = ?",
        (error, next_try_ms, job_id),
    )


def end_open_jobs(connection: apsw.Connection, session_id: int, now_ms: int) -> None:
    """End what is open of a session: its plan holds no job any more."""
    connection.execute(
        f"UPDATE jobs SET state = 'superseded', ended_ms = ? WHERE session_id = ?"
        f" AND state IN {_OPEN}",
        (now_ms, session_id),
    )


def add_cost(connection: apsw.Connection, job_id: int, cost: CallCost) -> None:
    """Add what a call took to its job."""
    connection.execute(
        "UPDATE jobs SET provider = ?, model = ?, input_tokens = input_tokens + ?,"
        " output_tokens = output_tokens + ?, cost_usd = cost_usd + ? WHERE id = ?",
        (cost.provider, cost.model, cost.input_tokens, cost.output_tokens, cost.cost_usd, job_id),
    )


def calls_since(connection: apsw.Connection, ref: SessionRef, since_ms: int) -> list[int]:
    """When calls were made for the notes of a session, in all its epochs, oldest first."""
    rows = connection.execute(
        "SELECT l.time_ms FROM ledger l JOIN sessions s ON s.id = l.session_id"
        " WHERE s.agent = ? AND s.key = ? AND l.event = 'summary-call' AND l.time_ms > ?"
        " ORDER BY l.time_ms",
        (ref.agent, ref.key, since_ms),
    )
    return [time_ms for (time_ms,) in rows]


def tokens_since(connection: apsw.Connection, ref: SessionRef, since_ms: int) -> int:
    """Input and output tokens of these calls, as far as they were answered."""
    total = connection.execute(
        "SELECT sum(json_extract(l.data, '$.input_tokens') + json_extract(l.data,"
        " '$.output_tokens')) FROM ledger l JOIN sessions s ON s.id = l.session_id"
        " WHERE s.agent = ? AND s.key = ? AND l.event = 'summary' AND l.time_ms > ?",
        (ref.agent, ref.key, since_ms),
    ).get
    return int(total or 0)


def sessions_to_go_on(connection: apsw.Connection) -> list[SessionRef]:
    """Sessions whose notes are not finished: open jobs, or drafts that no round has committed."""
    rows: Any = connection.execute(
        "SELECT DISTINCT key, agent, kind, person FROM sessions s WHERE ended_ms IS NULL AND"
        f" (EXISTS (SELECT 1 FROM jobs WHERE session_id = s.id AND state IN {_OPEN}) OR"
        " EXISTS (SELECT 1 FROM notes WHERE session_id = s.id AND committed_ms IS NULL))"
    )
    return [SessionRef(key, agent, SessionKind(kind), person) for key, agent, kind, person in rows]


def _begins_like(one: JobKey, other: JobKey) -> bool:
    return (one.kind, one.depth, one.first) == (other.kind, other.depth, other.first)


def _select(connection: apsw.Connection, where: str, value: int) -> Iterator[JobRow]:
    rows: Any = connection.execute(
        "SELECT kind, depth, first, last, count, chain, sources, id, session_id, generation,"
        f" state, attempts, next_try_ms, error FROM jobs WHERE {where} ORDER BY id",
        (value,),
    )
    for kind, depth, first, last, count, chain, sources, *rest in rows:
        key = JobKey(kind, depth, first, last, count, chain, tuple(orjson.loads(sources)))
        id_, session_id, generation, state, attempts, next_try_ms, error = rest
        yield JobRow(id_, session_id, generation, key, state, attempts, next_try_ms, error)
