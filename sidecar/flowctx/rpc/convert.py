"""Between the wire's messages and the model's values; wire types stop here."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from flowctx.config import Settings
from flowctx.excerpt.parts import DEFAULT_TOKENS, Part
from flowctx.identity import SessionRef, resolve_session
from flowctx.message import encode_text
from flowctx.model import Insert, Keep, Op, Replace
from flowctx.service.events import Outcome
from flowctx.service.exchange import AssembleAnswer, AssembleRequest
from flowctx.service.frame import Base
from flowctx.service.notes.assignment import Assignment
from flowctx.service.notes.replies import Completion, ErrorKind
from flowctx.service.notes.retrieve import NodeRequest
from flowctx.service.recall.parts import Retrieved
from flowctx.setting import Problem
from flowctx.store.jobs import CallCost
from flowctx.store.originals import StoredOriginal
from flowctx.store.purge import PurgeCount
from flowctx.store.status import StoreStatus
from flowctx.v1 import flowctx_pb2 as pb

_ERROR_KINDS: Mapping[str, ErrorKind] = {
    "auth": "auth",
    "cancelled": "cancelled",
    "timeout": "timeout",
    "failed": "failed",
}


def session_ref(wire: pb.SessionRef) -> SessionRef:
    """Who asks; a caller without a key is known by the host's session id."""
    key = wire.key or f"id:{wire.id}"
    ref = resolve_session(key, agent=wire.agent, parent_key=wire.parent_key)
    return replace(ref, is_sandboxed=wire.sandboxed)


def assemble_request(wire: pb.AssembleRequest) -> AssembleRequest:
    """One call of the host."""
    return AssembleRequest(
        bodies=tuple(wire.bodies),
        base=Base(wire.base.token, wire.base.count, wire.base.lead, wire.base.skip),
        token_budget=wire.token_budget,
        view_token=wire.view_token,
        tools=frozenset(wire.tools),
        prompt=wire.prompt,
        extend_only=wire.extend_only,
        context_window=wire.context_window,
        model=wire.model,
    )


def assemble_response(answer: AssembleAnswer | None) -> pb.AssembleResponse:
    """The view, or the need for all bodies."""
    if answer is None:
        return pb.AssembleResponse(need=pb.Need())
    base = pb.Base(count=answer.count, token=answer.token)
    view = pb.View(
        base=base,
        kept_ops=answer.kept_ops,
        ops=map(wire_op, answer.ops),
        token=answer.view_token,
        estimated_tokens=answer.estimated_tokens,
        round=answer.round,
        reduced=answer.reduced,
        pending=answer.pending,
        lead=answer.lead,
        gone=answer.gone,
    )
    return pb.AssembleResponse(view=view)


def wire_op(op: Op) -> pb.Op:
    """One op of a view."""
    match op:
        case Keep(start, end):
            return pb.Op(keep=pb.Keep(**{"from": start}, to=end))
        case Replace(index, text):
            return pb.Op(replace=pb.Replace(index=index, text=text))
        case Insert(body):
            return pb.Op(insert=pb.Insert(json=body))


def wire_problems(problems: Iterable[Problem]) -> list[pb.SettingProblem]:
    """Settings that were not taken as written."""
    return [pb.SettingProblem(key=problem.key, message=problem.message) for problem in problems]


def wire_status(status: StoreStatus) -> pb.StoreStatus:
    """Whether the store can be used."""
    return pb.StoreStatus(state=status.state, reason=status.reason)


def outcome(wire: pb.Outcome) -> Outcome:
    """What became of a view."""
    return Outcome(
        used=wire.used, reason=wire.reason, waited_ms=wire.waited_ms, told_ms=wire.time_ms
    )


def part(wire: pb.RetrieveRequest) -> Part:
    """What part of an original is wanted."""
    return Part(
        lines=wire.lines,
        grep=wire.grep,
        context=wire.context,
        json_path=wire.json_path,
        rows=wire.rows,
        columns=wire.columns,
        max_tokens=wire.max_tokens or DEFAULT_TOKENS,
    )


def wire_retrieved(found: Retrieved) -> pb.RetrieveResponse:
    """An original, or parts of some."""
    if found.whole is not None:
        return pb.RetrieveResponse(original=wire_original(found.whole))
    return pb.RetrieveResponse(excerpt=pb.Excerpt(text=found.text))


def wire_original(original: StoredOriginal) -> pb.Original:
    """An original with where it came from."""
    return pb.Original(
        text=encode_text(original.text),
        hash=original.hash,
        tool=original.provenance.tool,
        session_key=original.provenance.session_key,
        time_ms=original.provenance.time_ms,
    )


def wire_purge(count: PurgeCount) -> pb.PurgeResponse:
    """How much a purge deleted."""
    return pb.PurgeResponse(
        sessions=count.sessions,
        messages=count.messages,
        originals=count.originals,
        bytes_freed=count.bytes_freed,
    )


def node_request(wire: pb.RetrieveNoteRequest) -> NodeRequest:
    """What is asked of a note."""
    start: int = getattr(wire, "from")
    return NodeRequest(wire.node, wire.expand, start, wire.max_tokens)


def llm_job(id_: int, assignment: Assignment, settings: Settings) -> pb.LlmJob:
    """A call for a note."""
    ref = assignment.ref
    return pb.LlmJob(
        id=id_,
        session=pb.SessionRef(key=ref.key, agent=ref.agent),
        system=encode_text(assignment.prompt.system).decode("utf-8", "replace"),
        user=encode_text(assignment.prompt.user).decode("utf-8", "replace"),
        max_tokens=settings.summary_max_tokens,
        purpose=f"flowctx handoff note ({assignment.key.kind})",
        model=settings.summary_model,
    )


def completion(wire: pb.LlmResult) -> Completion:
    """How a call ended; what a gateway calls by an unknown word counts as failed."""
    kind = _ERROR_KINDS.get(wire.error_kind, "failed") if wire.error else ""
    cost = CallCost(
        provider=wire.provider,
        model=wire.model,
        input_tokens=wire.input_tokens + wire.cache_read_tokens + wire.cache_write_tokens,
        output_tokens=wire.output_tokens,
        cached_tokens=wire.cache_read_tokens,
        cost_usd=wire.cost_usd,
    )
    return Completion(wire.text, wire.stop_reason, cost, wire.error, kind)
