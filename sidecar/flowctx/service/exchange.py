"""What a caller asks for a view, and the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.model import Op
from flowctx.service.frame import NO_BASE, Base


@dataclass(frozen=True, slots=True)
class AssembleRequest:
    """One call of the host.

    Attributes:
        base: the list both sides know.
        bodies: messages from there on.
        token_budget: tokens the view may take; 0 when not told.
        view_token: of the view the caller still holds.
        tools: flowctx's own tools that the run may call.
        prompt: the incoming user message, which is not among the messages yet.
        extend_only: only take the messages in.
        context_window: of the model, tokens; 0 when not told.
        model: that reads the view; empty when not told.
    """

    bodies: Sequence[bytes] = ()
    base: Base = NO_BASE
    token_budget: int = 0
    view_token: bytes = b""
    tools: frozenset[str] = frozenset()
    prompt: str = ""
    extend_only: bool = False
    context_window: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class AssembleAnswer:
    """What the caller is told.

    Attributes:
        count, token: the list both sides know from now on.
        lead, gone: indices in ops count `gone` messages behind the first `lead` that
            are not in that list.
        kept_ops: so many ops of the view the caller holds stay; `ops` follow.
        round: why bytes that had been sent changed; empty if they did not.
    """

    count: int
    token: bytes
    lead: int = 0
    gone: int = 0
    kept_ops: int = 0
    ops: tuple[Op, ...] = ()
    view_token: bytes = b""
    estimated_tokens: int = 0
    round: str = ""
    reduced: int = 0
    pending: int = 0
