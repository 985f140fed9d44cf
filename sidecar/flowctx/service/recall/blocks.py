"""The blocks that must stand in a view: pins and working memory, as text.

Text inside a block can close nothing: what reads as markup of ours is written
with entities, all else stands word for word.
"""

from collections.abc import Sequence

from flowctx.dag.quoting import inert
from flowctx.store.recall.pins import Pin
from flowctx.view.engine_made import custom_message

PINS, SCRATCHPAD, CHECKPOINT = "pins", "scratchpad", "checkpoint"

_PINS_HEAD = "Pinned rules and facts. They hold until unpinned; the last such block counts."
_PINS_GONE = "Nothing is pinned any more."


def block_body(kind: str, text: str) -> bytes:
    """A block as a message; its bytes depend on its text alone."""
    return custom_message(f"flowctx.{kind}", text, 0)


def pins_block(pins: Sequence[Pin]) -> str:
    """All pins, each under its id."""
    lines = [f"- [{pin.id}] {inert(pin.text)}" for pin in pins]
    return "\n".join(["<flowctx-pins>", *([_PINS_HEAD, *lines] if pins else [_PINS_GONE]),
                      "</flowctx-pins>"])  # fmt: skip


def scratchpad_block(text: str, limit_chars: int) -> str:
    """The working memory with its size and limit."""
    head = f'<working_memory chars="{len(text)}" limit="{limit_chars}">'
    return "\n".join([head, inert(text), "</working_memory>"])
