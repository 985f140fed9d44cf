"""Values that every layer speaks: messages, calls, ops and views.

All are frozen; they travel forward and are never changed in place.
"""

from dataclasses import dataclass, field
from typing import Literal

Role = str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call inside an assistant message.

    Attributes:
        id: the host's id, reduced to letters and digits; may repeat or be empty.
        host_id: the id as this host wrote it.
        tool: name of the tool.
        detail: the argument that says most: command, path, url, pattern or hash.
        rest: digest of its other arguments; empty where it has none.
    """

    id: str
    tool: str
    detail: str = ""
    host_id: str = ""
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What planning needs to know of a host message; its body stays bytes.

    Attributes:
        digest: 16 bytes over its canonical form, see `flowctx.message`.
        role: the host's role; "user" begins a turn.
        tokens: estimate for everything the model sees of it.
        time_ms: the host's timestamp; 0 where it has none.
        calls: tool calls it makes (assistant).
        answers: id of the call it answers (toolResult), reduced like `Call.id`.
        tool: name of the tool that produced it (toolResult).
        text_tokens: estimate of its text alone.
        text_hash: of its text, as markers name it (toolResult); empty for short texts.
        is_error: the host marked the result as failed.
        is_blank: holds nothing a model could read.
        is_placeholder: stands in for a result that was never recorded.
        has_media: holds blocks that are not text.
    """

    digest: bytes
    role: Role
    tokens: int
    time_ms: int = 0
    calls: tuple[Call, ...] = ()
    answers: str = ""
    tool: str = ""
    text_tokens: int = 0
    is_error: bool = False
    is_blank: bool = False
    is_placeholder: bool = False
    has_media: bool = False
    text_hash: str = ""

    @property
    def is_result(self) -> bool:
        """True for the result of a tool call."""
        return self.role == "toolResult"

    @property
    def opens_turn(self) -> bool:
        """True for a user message: a turn begins with it."""
        return self.role == "user"


@dataclass(frozen=True, slots=True)
class Keep:
    """Messages [start, end) as the host handed them over."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Message `index` with its text replaced; everything else of it stays."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Insert:
    """A message the engine made, as JSON."""

    body: bytes


Op = Keep | Replace | Insert


@dataclass(frozen=True, slots=True)
class Omission:
    """What a reduction left out.

    Attributes:
        unit: the content's own unit: "lines", "rows", "files", "keys", "characters".
        omitted: how many were left out.
        total: how many there were.
    """

    unit: str
    omitted: int
    total: int


@dataclass(frozen=True, slots=True)
class Reduction:
    """A short form of a tool result, without its pointer lines.

    Attributes:
        type: content type and rule, e.g. "json/array".
        body: raw lines of the input and omission marks between them.
        omissions: what was left out, per unit.
        note: something the reader must know of the original, e.g. that the
            host had cut it before.
    """

    type: str
    body: str
    omissions: tuple[Omission, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unreduced:
    """A tool result that stays as it is, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A tool result as the reducers see it.

    Attributes:
        text: all of its text.
        tool: name of the tool.
        command: the command line, or the path or URL it worked on.
        exit_code: where the host supplied it.
        is_error: the host marked the result as failed.
    """

    text: str
    tool: str = ""
    command: str = ""
    exit_code: int | None = None
    is_error: bool = False


ViewState = Literal["raw", "reduced", "digested", "dropped", "pending"]


@dataclass(frozen=True, slots=True)
class Decision:
    """How one tool result appears in the view.

    Attributes:
        state: "raw", "reduced" or "pending" (would be reduced, not ready yet).
        reason: why, for `flowctx explain`.
        text: the text shown instead, when reduced.
        tokens: estimate of that text.
        hash: hash of the original, when reduced.
    """

    state: ViewState
    reason: str
    text: str = ""
    tokens: int = 0
    hash: str = ""


FoldKind = Literal["note", "digest"]


@dataclass(frozen=True, slots=True)
class Fold:
    """A run of messages that one engine-made message replaces.

    Attributes:
        node: its id, stable for the same content.
        kind: "digest" (no model) or "note".
        first, last: digests of the first and last message covered.
        count: how many messages it covers.
        body: the engine-made message, JSON.
        tokens: estimate of that message.
        depth: 0 for one made from messages, more for one made from notes.
        chain: of all messages covered; empty for a digest.
    """

    node: str
    kind: FoldKind
    first: bytes
    last: bytes
    count: int
    body: bytes
    tokens: int
    depth: int = 0
    chain: bytes = b""


@dataclass(frozen=True, slots=True)
class Placement:
    """A fold whose anchors were found: it stands for messages [start, end)."""

    fold: Fold
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Injection:
    """An engine-made message that keeps its place in a session's view.

    Attributes:
        node: its id, stable for the same content and place.
        kind: what it is, e.g. "pins" or "card".
        after: digest of a message of the turn it stands behind; empty for the
            head, behind the folds. One behind a turn goes when the turn is folded.
        body: the message, JSON.
        tokens: estimate of that message.
    """

    node: str
    kind: str
    after: bytes
    body: bytes
    tokens: int


@dataclass(frozen=True, slots=True)
class PlacedInjection:
    """An injection whose anchor was found at message `at`; -1 is the head."""

    injection: Injection
    at: int


@dataclass(frozen=True, slots=True)
class View:
    """The view of a session for one model call.

    Attributes:
        ops: what to do with the host's messages, in order.
        tokens: estimate of the whole view.
        reduced, pending: how many results are reduced, or wait to be.
        folds: that stand in it.
    """

    ops: tuple[Op, ...] = ()
    tokens: int = 0
    reduced: int = 0
    pending: int = 0
    folds: tuple[Fold, ...] = field(default=())
