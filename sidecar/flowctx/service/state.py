"""What the sidecar holds in memory of a session; all of it can be rebuilt."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from flowctx.identity import SessionRef
from flowctx.model import Call, Fold, Injection
from flowctx.service.frame import Frame
from flowctx.store.database import Database
from flowctx.store.sessions import SessionRow

# Messages held over all sessions; beyond it the sessions idle longest are forgotten.
MAX_HELD_MESSAGES = 200_000
MAX_HELD_SESSIONS = 64
# Row id of a session that the store could not take; no row ever has it.
UNSTORED = 0


# What the host keeps of a window beside the messages (its reserve, its prompt and tools),
# measured: 28,500 of 200,000 tokens; small windows lose about a third.
_HOST_SHARE, _HOST_MOST_TOKENS = 3, 28_000


@dataclass(slots=True)
class NoteState:
    """What the writing of notes knows of a session.

    Attributes:
        generation: rises with every view; a call for a note is made in one.
        window_tokens: window of the model that reads the view; 0 when not told.
        pass_end: messages at hand when the pass began; later ones wait for the next.
        said: why there was nothing to do, as last told.
    """

    generation: int = 0
    window_tokens: int = 0
    pass_end: int | None = None
    said: str = ""

    def note_view(self, window: int, budget: int) -> None:
        """Note that a view was made for a window, or for what the host leaves of it."""
        self.generation += 1
        if window:
            self.window_tokens = window
        elif budget and not self.window_tokens:
            self.window_tokens = budget + min(budget // _HOST_SHARE, _HOST_MOST_TOKENS)


@dataclass(slots=True)
class SessionState:
    """One session in memory.

    Attributes:
        lock: makes the session's operations serial.
        row, frame, folds, injections: built from the store when first needed.
        recent_calls: by id, to know the command of a result that comes ahead.
        is_stale: the store fell behind what is held here.
        is_sandboxed: runs walled off: it shares no memory with other sessions.
        told_cards: in its view, of which the store may not know yet.
        unsent: node of the block of cards that the last view added, until it was used.
        owes_cards: cards were chosen and never reached the model: choose again.
        notes: of the background.
    """

    ref: SessionRef
    lock: threading.Lock = field(default_factory=threading.Lock)
    row: SessionRow | None = None
    frame: Frame | None = None
    folds: tuple[Fold, ...] = ()
    injections: list[Injection] = field(default_factory=list)
    recent_calls: OrderedDict[str, Call] = field(default_factory=OrderedDict)
    is_stale: bool = False
    is_sandboxed: bool = False
    told_cards: frozenset[int] = frozenset()
    unsent: str = ""
    owes_cards: bool = False
    notes: NoteState = field(default_factory=NoteState)

    def refresh(self, database: Database) -> None:
        """Forget what the store fell behind of; only before an operation, never inside one.

        While the store takes nothing, memory is all there is, and stays.
        """
        is_unstored = self.row is not None and self.row.id == UNSTORED
        if is_unstored or (self.is_stale and database.keeps_originals):
            self.forget()

    def forget(self) -> None:
        """Drop what was built from messages, so that it is built anew."""
        self.frame = None
        self.row = None
        self.folds = ()
        self.injections = []
        self.told_cards = frozenset()
        self.is_stale = False
        self.notes.pass_end = None


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
            state.is_sandboxed = state.is_sandboxed or ref.is_sandboxed
            self._states.move_to_end(key)
            self._evict()
            return state

    def held(self, key: str = "") -> list[SessionState]:
        """The sessions in memory with a key, or all of them."""
        with self._lock:
            return [state for state in self._states.values() if key in ("", state.ref.key)]

    def forget(self, key: str = "") -> None:
        """Drop what is held of the sessions with a key, or of all."""
        for state in self.held(key):
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
