"""What the sidecar holds in memory of a session; all of it can be rebuilt."""

import hashlib
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from flowctx.identity import SessionRef
from flowctx.model import Call, Fold, Message, Op, Placement
from flowctx.store.sessions import SessionRow
from flowctx.view.plan import Segment
from flowctx.view.turns import Turn

TOKEN_BYTES = 16
# Lists a shim may still know us by: those of the last so many answers.
_KEPT_MARKS = 16
# Messages held over all sessions; beyond it the sessions idle longest are forgotten.
MAX_HELD_MESSAGES = 200_000
MAX_HELD_SESSIONS = 64


@dataclass(slots=True)
class Frame:
    """The host's list of messages as last handed over, and the view planned from it.

    Attributes:
        messages: in order; `turn_starts` are the indices at which turns begin, and
            `raw_tokens` the estimate for all of them.
        token: chain hash over their digests.
        marks: token -> count of lists that are still a prefix of this one.
        segments: planned segments behind the folds, in order.
        placements: where folds stand.
        with_tool: whether markers name the retrieve tool.
        ops: of the last view, and `view_token` its name.
        settled: messages before this index change in the view in rounds only.
    """

    messages: list[Message] = field(default_factory=list)
    turn_starts: list[int] = field(default_factory=list)
    raw_tokens: int = 0
    token: bytes = b""
    marks: OrderedDict[bytes, int] = field(default_factory=OrderedDict)
    segments: list[Segment] = field(default_factory=list)
    placements: list[Placement] = field(default_factory=list)
    with_tool: bool = True
    ops: tuple[Op, ...] = ()
    view_token: bytes = b""
    settled: int = 0

    @property
    def pending(self) -> frozenset[bytes]:
        """Digests of results that were shown raw for want of time."""
        return frozenset(digest for segment in self.segments for digest in segment.pending)

    def known_prefix(self, token: bytes, count: int) -> int | None:
        """How many messages a base stands for, or None when it is not known."""
        if count == 0:
            return 0
        known = self.marks.get(token)
        return count if known is not None and count <= known else None

    def turns(self, start: int = 0) -> list[Turn]:
        """Turns from an index on; what stands before the first one counts as a turn."""
        starts = self.turn_starts[bisect_left(self.turn_starts, start) :]
        if start < len(self.messages) and (not starts or starts[0] > start):
            starts = [start, *starts]
        ends = [*starts[1:], len(self.messages)] if starts else []
        return [Turn(*edge) for edge in zip(starts, ends, strict=True)]

    def replace_tail(self, kept: int, tail: Sequence[Message]) -> None:
        """Make the list its first `kept` messages followed by `tail`."""
        if kept < len(self.messages):
            self.marks = OrderedDict((t, n) for t, n in self.marks.items() if n <= kept)
            self.raw_tokens -= sum(message.tokens for message in self.messages[kept:])
            del self.messages[kept:]
            del self.turn_starts[bisect_left(self.turn_starts, kept) :]
            self.token = chain_token(b"", self.messages)
        starts = (at for at, message in enumerate(tail, start=kept) if message.opens_turn)
        self.turn_starts.extend(starts)
        self.raw_tokens += sum(message.tokens for message in tail)
        self.messages.extend(tail)
        self.token = chain_token(self.token, tail)
        self.marks[self.token] = len(self.messages)
        self.marks.move_to_end(self.token)
        while len(self.marks) > _KEPT_MARKS:
            self.marks.popitem(last=False)


@dataclass(slots=True)
class SessionState:
    """One session in memory.

    Attributes:
        lock: makes the session's operations serial.
        row, frame, folds: built from the store when first needed.
        recent_calls: by id, to know the command of a result that comes ahead.
        is_stale: the store fell behind; forget before the next use.
    """

    ref: SessionRef
    lock: threading.Lock = field(default_factory=threading.Lock)
    row: SessionRow | None = None
    frame: Frame | None = None
    folds: list[Fold] = field(default_factory=list)
    recent_calls: OrderedDict[str, Call] = field(default_factory=OrderedDict)
    is_stale: bool = False

    def forget(self) -> None:
        """Drop what was built from messages, so that it is built anew."""
        self.frame = None
        self.row = None
        self.folds = []
        self.is_stale = False


class SessionTable:
    """All sessions in memory, the idle ones forgotten when there are too many."""

    def __init__(self) -> None:
        self._states: OrderedDict[tuple[str, str], SessionState] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, ref: SessionRef) -> SessionState:
        """The state of a session; made when there is none."""
        with self._lock:
            key = (ref.agent, ref.key)
            state = self._states.get(key)
            if state is None:
                state = self._states[key] = SessionState(ref)
            self._states.move_to_end(key)
            self._evict()
            return state

    def forget(self, key: str = "") -> None:
        """Drop what is held of the sessions with a key, or of all."""
        with self._lock:
            states = [state for state in self._states.values() if key in ("", state.ref.key)]
        for state in states:
            with state.lock:
                state.forget()

    def __len__(self) -> int:
        return len(self._states)

    def _evict(self) -> None:
        # The newest one is in use and stays whatever its size.
        held = sum(len(s.frame.messages) for s in self._states.values() if s.frame)
        for key in list(self._states)[:-1]:
            if len(self._states) <= MAX_HELD_SESSIONS and held <= MAX_HELD_MESSAGES:
                return
            state = self._states[key]
            if state.lock.acquire(blocking=False):
                held -= len(state.frame.messages) if state.frame else 0
                del self._states[key]
                state.lock.release()


def chain_token(token: bytes, messages: Sequence[Message]) -> bytes:
    """Extend a chain hash by the digests of some messages."""
    for message in messages:
        token = hashlib.sha256(token + message.digest).digest()[:TOKEN_BYTES]
    return token
