"""Letting one result stand for another, where no byte that was sent changes.

A result may be left out when it takes its form for an old result for the
first time, and in a round. What was decided is stored before it is shown and
holds until the next round.
"""

import re
import time
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowctx.errors import StoreError
from flowctx.message import ParsedMessage, tool_output
from flowctx.model import Decision, Keep, Replace
from flowctx.reducers.marker import render_stub
from flowctx.service.projection import STANDING
from flowctx.store.blobs import ensure_blob
from flowctx.store.connection import Connection
from flowctx.store.originals import NewOriginal, Provenance, ensure_original, was_removed
from flowctx.store.redundant import StandIn, replace_stand_ins
from flowctx.tokens import estimate_tokens
from flowctx.view.pairing import Pairing
from flowctx.view.plan import Segment
from flowctx.view.protect import is_file_read
from flowctx.view.redundancy import Redundancy, find_redundant
from flowctx.view.touch import touches_of

if TYPE_CHECKING:
    from flowctx.service.planning import Planner

# A line in place of a result must save at least this part of it.
_MIN_SAVED = 0.5
_NOT_IN_PATHS = re.compile(r"[^\w./\\@+~ -]+")
_PATH_CHARS = 80
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def leave_out(
    planner: "Planner",
    pairing: Pairing,
    decisions: Mapping[int, Decision],
    kept: Sequence[Segment],
) -> dict[int, Decision]:
    """The decisions about results that others stand for, among those a plan decides about.

    Args:
        planner: of the view.
        pairing: of the messages the plan looks at.
        decisions: made without regard to other results.
        kept: segments of the last view that stay, before all of them.
    """
    messages, stand_ins = planner.frame.messages, planner.frame.stand_ins
    places = planner.frame.places
    choice = _Choice(planner, pairing, decisions, kept)
    standing, open_ = choice.standing(), choice.open()
    renewed = {messages[at].digest for at in open_}
    needed = {each.other for digest, each in stand_ins.items() if digest not in renewed}
    candidates = {at for at in open_ if messages[at].digest not in needed}
    found = find_redundant(
        messages,
        pairing.calls,
        candidates,
        places,
        lambda at: at not in standing and choice.is_shown(at),
    )
    made = choice.make(found) if found else {}
    gone = renewed & stand_ins.keys()
    if not _store(planner, gone - made.keys(), made):
        made = {}
    for digest in gone:
        stand_ins.pop(digest)
    stand_ins.update((digest, stub.stand_in) for digest, stub in made.items())
    return {
        at: planner.spoken(stand_ins[messages[at].digest].decision)
        for at in standing.union(stub.at for stub in made.values())
    }


@dataclass(frozen=True, slots=True)
class _Stub:
    at: int
    stand_in: StandIn
    parsed: ParsedMessage


@dataclass(frozen=True, slots=True)
class _Choice:
    planner: "Planner"
    pairing: Pairing
    decisions: Mapping[int, Decision]
    kept: Sequence[Segment]

    def standing(self) -> set[int]:
        """Results that were left out before and stay so: what stands for them is shown."""
        messages, stand_ins = self.planner.frame.messages, self.planner.frame.stand_ins
        told = [
            at
            for at in self.decisions
            if messages[at].digest in stand_ins and not self._is_renewed(at) and self._may(at)
        ]
        if not told:
            return set()
        others = {stand_ins[messages[at].digest].other for at in told}
        places = self.planner.frame.places
        shown = {other for other in others if any(map(self.is_shown, places.of(other)))}
        return {at for at in told if stand_ins[messages[at].digest].other in shown}

    def open(self) -> set[int]:
        """Results that may take another form now; none whose digest is not its own."""
        messages, places = self.planner.frame.messages, self.planner.frame.places
        if not self.planner.context.database.keeps_originals:
            return set()
        told = {at for at in self.decisions if self._is_renewed(at) and self._may(at)}
        return {at for at in told if places.is_single(messages[at].digest)}

    def is_shown(self, at: int) -> bool:
        """True for a result that stands in the view, in full or reduced."""
        if at in self.decisions:
            return self.decisions[at].state != "reduced" or "\n" in self.decisions[at].text
        before = bisect_right(self.kept, at, key=lambda part: part.start) - 1
        part = self.kept[before] if before >= 0 else None
        if part is None or at >= part.end:
            return False
        return any(
            op.start <= at < op.end if isinstance(op, Keep) else op.index == at and "\n" in op.text
            for op in part.ops
            if isinstance(op, Keep | Replace)
        )

    def make(self, found: Mapping[int, Redundancy]) -> dict[bytes, _Stub]:
        """What is shown instead of some results, where that is shorter; as time allows."""
        made: dict[bytes, _Stub] = {}
        for at, redundancy in sorted(found.items()):
            if time.monotonic() > self.planner.deadline:
                break
            stub = self._stub(at, redundancy)
            if stub is not None:
                made[self.planner.frame.messages[at].digest] = stub
        return made

    def _stub(self, at: int, redundancy: Redundancy) -> _Stub | None:
        message = self.planner.frame.messages[at]
        parsed = self.planner.parsed(message.digest)
        if parsed is None:
            return None
        call = self.pairing.calls.get(at)
        output = tool_output(parsed.value, call)
        why = self._why(at, redundancy)
        if output.exit_code or output.is_error:
            why += f" · failed, exit code {output.exit_code}" if output.exit_code else " · failed"
        text = render_stub(
            output.text,
            why=why,
            kind=redundancy.kind,
            tool=output.tool,
            original_hash=message.text_hash,
        )
        tokens = estimate_tokens(text)
        before = self.decisions[at].tokens or message.text_tokens
        if not message.text_hash or tokens > before * _MIN_SAVED:
            return None
        decision = Decision("reduced", why, text, tokens, message.text_hash)
        other = self.planner.frame.messages[redundancy.other].digest
        return _Stub(at, StandIn(other, decision), parsed)

    def _why(self, at: int, redundancy: Redundancy) -> str:
        between = sorted((at, redundancy.other))
        results = sum(
            self.planner.frame.messages[each].is_result and each not in self.pairing.dropped
            for each in range(between[0] + 1, between[1] + 1)
        )
        distance = f"{results} result{'s' if results > 1 else ''}"
        if redundancy.kind == "repeat":
            return f"the same text as {distance} before, {_ordinal(redundancy.times)} time"
        path = touches_of(self.pairing.calls[at])[0].path
        path = _NOT_IN_PATHS.sub("_", path)[-_PATH_CHARS:]
        verb = "read again" if redundancy.kind == "reread" else "changed"
        return f"{path} was {verb} {distance} later"

    def _is_renewed(self, at: int) -> bool:
        """True for a result that the last view held verbatim, and for all in a round."""
        protection, message = self.planner.renewed, self.planner.frame.messages[at]
        call = self.pairing.calls.get(at)
        is_read = is_file_read(message.tool or (call.tool if call else ""))
        return at >= protection.tail_start or (is_read and at >= protection.reads_start)

    def _may(self, at: int) -> bool:
        decision = self.decisions[at]
        return decision.state != "raw" or decision.reason not in STANDING


def _store(planner: "Planner", gone: Collection[bytes], made: dict[bytes, _Stub]) -> bool:
    """Write originals and what stands for them in one transaction; False where that failed."""
    context, row = planner.context, planner.row
    if not gone and not made:
        return True
    now = context.now_ms()

    def write(connection: Connection) -> None:
        for digest, stub in list(made.items()):
            message, hash_ = stub.parsed.message, stub.stand_in.decision.hash
            if was_removed(connection, hash_):
                del made[digest]
                continue
            text = tool_output(stub.parsed.value, None).text
            body = ensure_blob(connection, stub.parsed.body)
            original = NewOriginal(hash_, body, len(text), message.text_tokens)
            tool = message.tool
            provenance = Provenance(
                row.id, row.ref.key, row.ref.agent, row.ref.person, tool, message.time_ms or now
            )
            ensure_original(connection, original, provenance, now)
        stand_ins = {digest: stub.stand_in for digest, stub in made.items()}
        replace_stand_ins(connection, row.id, gone, stand_ins)

    try:
        context.database.write(write).result()
    except StoreError:
        return False
    return True


def _ordinal(number: int) -> str:
    ending = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"
