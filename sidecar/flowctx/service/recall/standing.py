"""Keeping blocks in a view without breaking its prefix.

What changed rides behind the newest turn, where nothing was sent yet; the last
block of a kind counts. A round, which rewrites the view anyway, moves each to
the head. Whatever folded, a view without a block that must stand gets it back.
"""

import hashlib
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from flowctx.errors import StoreError
from flowctx.model import Injection, Insert, View
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.recall.blocks import (
    PINS,
    SCRATCHPAD,
    block_body,
    pins_block,
    scratchpad_block,
)
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.injections import ensure_injection, remove_injections
from flowctx.store.recall.pins import Pin, PinOwner, current_pins
from flowctx.store.recall.scratchpads import scratchpad_of
from flowctx.store.sessions import SessionRow
from flowctx.tokens import estimate_tokens

_NODE_CHARS = 16
_HEAD = b""


@dataclass(slots=True)
class Standing:
    """The blocks of one session while a view of it is planned."""

    context: Context
    state: SessionState
    row: SessionRow
    pins: tuple[Pin, ...] = ()
    _texts: Mapping[str, str] | None = None

    def ride(self, frame: Frame) -> None:
        """Put what changed behind the newest turn; at the head while nothing was said yet."""
        for kind, text in self._wanted().items():
            if self._last(kind) == (block_body(kind, text) if text else None):
                continue
            if not frame.messages:
                self._place(kind, text or self._emptied(kind), _HEAD)
            elif not frame.turn_runs:
                self._place(kind, text or self._emptied(kind), frame.messages[-1].digest)

    def move_to_head(self, extra: Mapping[str, str] | None = None) -> None:
        """In a round: one block of each kind, at the head; empty ones go."""
        for kind, text in {**self._wanted(), **(extra or {})}.items():
            standing = [each for each in self.state.injections if each.kind == kind]
            body = block_body(kind, text)
            if [(each.after, each.body) for each in standing] == ([(_HEAD, body)] if text else []):
                continue
            self._take_out(kind)
            if text:
                self._place(kind, text, _HEAD)

    def is_whole(self, view: View) -> bool:
        """True when every block that must stand is in the view, byte for byte."""
        shown = {op.body for op in view.ops if isinstance(op, Insert)}
        texts = self._wanted().items()
        return all(block_body(kind, text) in shown for kind, text in texts if text)

    def _wanted(self) -> Mapping[str, str]:
        """What must stand, by kind; empty for nothing."""
        if self._texts is None:
            settings, row = self.context.settings, self.row
            alone = self.state.is_sandboxed
            owner = PinOwner(row.ref.agent, row.ref.person, row.id, is_alone=alone)
            pins, pad = self.context.database.read(
                lambda connection: (
                    current_pins(connection, owner),
                    scratchpad_of(connection, row.id) if settings.scratchpad else "",
                )
            )
            self.pins = tuple(pins)
            limit = settings.scratchpad_max_chars
            self._texts = {
                PINS: pins_block(pins) if pins else "",
                SCRATCHPAD: scratchpad_block(pad, limit) if pad else "",
            }
        return self._texts

    def _emptied(self, kind: str) -> str:
        limit = self.context.settings.scratchpad_max_chars
        return pins_block(()) if kind == PINS else scratchpad_block("", limit)

    def _last(self, kind: str) -> bytes | None:
        """The block of a kind that counts; None for none, or for one that says so."""
        bodies = [each.body for each in self.state.injections if each.kind == kind]
        gone = block_body(kind, self._emptied(kind))
        return bodies[-1] if bodies and bodies[-1] != gone else None

    def _place(self, kind: str, text: str, after: bytes) -> None:
        body, now, row = block_body(kind, text), self.context.now_ms(), self.row
        named = f"{row.id} {kind} {now} {len(self.state.injections)}".encode() + after + body
        node = hashlib.sha256(named).hexdigest()[:_NODE_CHARS]
        injection = Injection(node, kind, after, body, estimate_tokens(text))
        self.state.injections.append(injection)
        self._write(lambda connection: ensure_injection(connection, row.id, injection, now))

    def _take_out(self, kind: str) -> None:
        row, now = self.row, self.context.now_ms()
        self.state.injections = [each for each in self.state.injections if each.kind != kind]
        self._write(lambda connection: remove_injections(connection, row.id, kind, now))

    def _write(self, work: Callable[[Connection], None]) -> None:
        # A block that cannot be written still stands in memory.
        self.context.database.write(work).add_done_callback(self._tell)

    def _tell(self, done: Future[None]) -> None:
        error = done.exception()
        if isinstance(error, StoreError):
            self.context.notify("engine", f"block not stored: {error}")
