"""What becomes of a model's reply: a draft, or a failed attempt and a pause."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from flowctx.chain import chain_of
from flowctx.dag.counterfactual import Usage
from flowctx.dag.notes.examine import Accepted, examine
from flowctx.dag.notes.note import render_note
from flowctx.dag.notes.reply import STOPPED, Reply
from flowctx.dag.plan.frontier import find_folds
from flowctx.model import Fold
from flowctx.service.adopt import open_frame
from flowctx.service.context import Context
from flowctx.service.folding import NODE_CHARS
from flowctx.service.notes.assignment import Assignment
from flowctx.service.notes.dump import dump_event
from flowctx.service.notes.limits import pause_after
from flowctx.service.savings import charge_summary
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.jobs import (
    NO_COST,
    CallCost,
    add_cost,
    end_job,
    fail_job,
    find_job,
    finish_job,
    requeue_job,
)
from flowctx.store.ledger import add_event
from flowctx.store.notes import Draft, ensure_draft, session_notes
from flowctx.store.sessions import is_running
from flowctx.tokens import estimate_tokens
from flowctx.view.engine_made import CUSTOM_TYPE_NOTE, custom_message

# "auth": refused credentials or rights; "link": the gateway left, which says nothing
# of the model; "cancelled": by us.
ErrorKind = Literal["", "auth", "link", "cancelled", "timeout", "failed"]


@dataclass(frozen=True, slots=True)
class Completion:
    """How a call ended."""

    text: str = ""
    stop_reason: str = STOPPED
    cost: CallCost = NO_COST
    error: str = ""
    error_kind: ErrorKind = ""


def is_wanted(context: Context, state: SessionState, assignment: Assignment) -> bool:
    """True while an assignment's messages and sources stand as they did, in the same epoch.

    Raises:
        StoreError: the store cannot be read.
    """
    settings = context.settings
    if not (settings.short_term_memory and settings.background_summary):
        return False
    with state.lock:
        messages = open_frame(context, state).messages
        row = state.row
        key = assignment.key
        stub = Fold("", "note", key.first, key.last, key.count, b"", 0, chain=key.chain)
        spots = find_folds(messages, [stub])
        stands = any(chain_of(messages[s.start : s.end]) == key.chain for s in spots)

    def read(connection: Connection) -> bool:
        job = find_job(connection, assignment.job)
        return (
            job is not None
            and row is not None
            and job.session_id == row.id
            and job.state == "running"
            and is_running(connection, row.id)
            and _are_there(connection, row.id, key.sources)
        )

    return stands and context.database.read(read)


def _are_there(connection: Connection, session_id: int, nodes: Sequence[str]) -> bool:
    known = {note.fold.node for note in session_notes(connection, session_id)} if nodes else set()
    return known.issuperset(nodes)


def take_completion(
    context: Context, state: SessionState, assignment: Assignment, completion: Completion
) -> str:
    """Make of a reply what it is worth.

    Returns:
        Why it is no note; empty when its draft is stored.

    Raises:
        StoreError: nothing was stored.
    """
    agent, now = assignment.ref.agent, context.now_ms()
    dump_event(context, assignment.ref, "reply", asdict(completion))
    _note_cost(context, assignment, completion)
    if completion.error_kind in ("link", "cancelled"):
        context.database.write(lambda c: requeue_job(c, assignment.job)).result()
        return completion.error or completion.error_kind
    if completion.error_kind == "auth":
        context.breaker.trip(agent, now)
    elif not completion.error_kind:
        context.breaker.reset(agent)
    made = _draft(assignment, completion)
    if isinstance(made, str):
        _fail(context, assignment, made)
        return made
    if not is_wanted(context, state, assignment):
        context.database.write(lambda c: end_job(c, assignment.job, "superseded", now)).result()
        return "no longer wanted"
    return _store(context, assignment, made)


def _draft(assignment: Assignment, completion: Completion) -> Draft | str:
    """The note that a reply makes, or why it makes none."""
    if completion.error_kind:
        return completion.error or completion.error_kind
    reply = Reply(completion.text, completion.stop_reason)
    verdict = examine(reply, assignment.turns, assignment.facts, assignment.terms)
    if not isinstance(verdict, Accepted):
        return verdict.reason
    key = assignment.key
    # Equal messages, here or in another session, have notes of their own.
    owner = f"{assignment.session_id} {assignment.covers.first_turn} {key.depth} ".encode()
    node = hashlib.sha256(owner + key.chain + verdict.text.encode()).hexdigest()[:NODE_CHARS]
    text = render_note(verdict.text, assignment.covers, node=node, kind="note", depth=key.depth)
    tokens = estimate_tokens(text)
    if tokens >= assignment.ceiling_tokens:
        return "longer than what it replaces"
    body = custom_message(CUSTOM_TYPE_NOTE, text, assignment.covers.to_ms)
    fold = Fold(node, "note", key.first, key.last, key.count, body, tokens, key.depth, key.chain)
    return Draft(fold, key.chain, key.sources)


def _store(context: Context, assignment: Assignment, draft: Draft) -> str:
    now = context.now_ms()

    def write(connection: Connection) -> bool:
        job = find_job(connection, assignment.job)
        if job is None or job.state != "running" or not is_running(connection, job.session_id):
            return False
        ensure_draft(connection, job.session_id, draft, now)
        finish_job(connection, job.id, draft.fold.node, now)
        return True

    return "" if context.database.write(write).result() else "no longer wanted"


def _fail(context: Context, assignment: Assignment, reason: str) -> None:
    now = context.now_ms()

    def write(connection: Connection) -> int:
        job = find_job(connection, assignment.job)
        if job is None or job.state != "running":
            return 0
        pause = pause_after(job.attempts + 1)
        fail_job(connection, job.id, reason, now + pause)
        return pause

    pause = context.database.write(write).result()
    context.notify(
        "engine",
        f"no note ({reason}), next try in {pause // 1000} s; {assignment.ref.key}",
    )


def _note_cost(context: Context, assignment: Assignment, completion: Completion) -> None:
    cost, now = completion.cost, context.now_ms()
    told = {**asdict(cost), "job": assignment.job, "kind": assignment.key.kind}

    def write(connection: Connection) -> None:
        job = find_job(connection, assignment.job)
        if job is not None:
            add_cost(connection, job.id, cost)
            add_event(connection, job.session_id, "summary", told, now)

    context.database.write(write).result()
    if context.settings.savings_tracking and cost.input_tokens + cost.output_tokens:
        fresh = max(cost.input_tokens - cost.cached_tokens, 0)
        usage = Usage(fresh, cost.cached_tokens, 0, cost.output_tokens)
        # What the host says the call cost holds; a list price is for where it says nothing.
        units = usage.cost(context.prices) + context.prices.output * usage.output
        usage = replace(usage, price_usd=cost.cost_usd / units)
        charge_summary(context, assignment.session_id, assignment.job, usage, cost.model)
