"""A pass over a session: one note after the other, then all of them into the view at once.

Planned anew before each note, from what the store holds: so that a pass goes on
where it stood after any restart, and nothing is covered twice or left out.
"""

from dataclasses import asdict, dataclass
from typing import Any

from flowctx.dag.plan.planner import gate_tokens, plan
from flowctx.dag.plan.steps import LEAST_NOTE_TOKENS, Idle, Step
from flowctx.service.breaker import Pause
from flowctx.service.context import Context
from flowctx.service.notes.assignment import Assignment, assign, job_key
from flowctx.service.notes.commit import commit_pass
from flowctx.service.notes.dump import dump_event
from flowctx.service.notes.limits import spent_pause
from flowctx.service.notes.survey import Survey, most_tokens, survey
from flowctx.service.state import UNSTORED, SessionState
from flowctx.store.connection import Connection
from flowctx.store.jobs import JobRow, end_open_jobs, ensure_job, start_job
from flowctx.store.ledger import add_event

# A pass that has to wait longer than this shows what it has.
PATIENCE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing to do now, and why; `until_ms` says when to look again, 0 for not before a wake."""

    reason: str
    until_ms: int = 0


def next_assignment(context: Context, state: SessionState) -> Assignment | Rest:
    """The next note a session needs; ends its pass where there is none.

    Raises:
        StoreError: the store cannot be used.
    """
    found = _look(context, state)
    if isinstance(found, Rest):
        _tell(context, state, found)
    return found


def _look(context: Context, state: SessionState) -> Assignment | Rest:
    if reason := _cheap_reason(context, state):
        return Rest(reason)
    surveyed = survey(context, state)
    if surveyed is None:
        return Rest("nothing of it is stored")
    step = _next_step(context, surveyed)
    if not isinstance(step, Step):
        _end(context, state, surveyed, step)
        context.database.write(
            lambda connection: end_open_jobs(connection, surveyed.row.id, context.now_ms())
        )
        return Rest(step)
    if state.notes.pass_end is None:
        state.notes.pass_end = len(surveyed.messages)
    job = _job(context, surveyed, step)
    if pause := _pause(context, surveyed, job):
        if pause.until_ms - context.now_ms() > PATIENCE_MS:
            _end(context, state, surveyed, pause.reason)
        return Rest(pause.reason, pause.until_ms)
    assignment = assign(context, surveyed, step, job.id)
    dump_event(context, assignment.ref, "request", _asked(assignment))
    _begin(context, surveyed, job)
    return assignment


def _asked(assignment: Assignment) -> dict[str, Any]:
    prompt = assignment.prompt
    return {"job": assignment.job, "system": prompt.system, "user": prompt.user}


def _cheap_reason(context: Context, state: SessionState) -> str:
    """Why there is nothing to do, where that can be told at once."""
    settings = context.settings
    if not (settings.short_term_memory and settings.background_summary):
        return "switched off"
    frame, notes = state.frame, state.notes
    if frame is None or not frame.view_tokens or notes.pass_end is not None:
        return ""
    window = notes.window_tokens or settings.context_window_tokens
    below = most_tokens(frame) < window * settings.summary_trigger_ratio
    return "below the gate" if below else ""


def _next_step(context: Context, surveyed: Survey) -> Step | Idle:
    planned = plan(surveyed.plan_state, context.settings)
    for step in planned.steps:
        if step.ceiling_tokens >= LEAST_NOTE_TOKENS:
            return step
    return planned.idle or "nothing to gain"


def _job(context: Context, surveyed: Survey, step: Step) -> JobRow:
    key, now = job_key(surveyed, step), context.now_ms()
    return context.database.write(
        lambda connection: ensure_job(connection, surveyed.row.id, key, surveyed.generation, now)
    ).result()


def _pause(context: Context, surveyed: Survey, job: JobRow) -> Pause | None:
    now, ref = context.now_ms(), surveyed.row.ref
    if pause := context.breaker.pause(ref.agent, now):
        return pause
    if job.next_try_ms > now:
        return Pause(f"the last attempt failed: {job.error}", job.next_try_ms)
    return spent_pause(context, ref)


def _begin(context: Context, surveyed: Survey, job: JobRow) -> None:
    """Count the call before it is made: one that is never answered may have cost as much."""
    now = context.now_ms()

    def write(connection: Connection) -> None:
        start_job(connection, job.id, now)
        add_event(connection, surveyed.row.id, "summary-call", {"job": job.id}, now)

    context.database.write(write).result()


def _end(context: Context, state: SessionState, surveyed: Survey, reason: str) -> None:
    """End a pass: show what it wrote."""
    gate = gate_tokens(surveyed.plan_state, context.settings)
    commit_pass(context, state, surveyed, reason, gate)
    state.notes.pass_end = None


def _tell(context: Context, state: SessionState, rest: Rest) -> None:
    """Note why there is nothing to do, when that is new."""
    row, notes = state.row, state.notes
    if row is None or row.id == UNSTORED or rest.reason == notes.said:
        return
    notes.said = rest.reason
    now = context.now_ms()
    context.database.write(
        lambda connection: add_event(connection, row.id, "notes-rest", asdict(rest), now)
    )
    context.notify("engine", f"no further note: {rest.reason}; {row.ref.key}")
