"""Setting, removing and listing pins, and offering what the user forbade as one."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from flowctx.dag.facts.constraints import find_constraints
from flowctx.dag.source.injected import clean_user_text, is_engine_made, is_host_event
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.errors import InvalidRequestError
from flowctx.identity import SessionKind, SessionRef
from flowctx.message import parse_message, text_of, well_formed
from flowctx.service.context import Context
from flowctx.service.recall.keeping import known_row, stored_row
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.reader import Readable
from flowctx.store.recall.asks import user_bodies
from flowctx.store.recall.pins import (
    Pin,
    PinOwner,
    PinScope,
    add_pin,
    all_pins,
    current_pins,
    remove_pin,
    take_pin,
    widen_pin,
)
from flowctx.store.sessions import SessionRow, current_session
from flowctx.tokens import estimate_tokens

# All pins of a view together: they cost this much in every request.
MOST_TOKENS = 1_500
_PLACES: dict[PinScope, str] = {
    "agent": "in all your sessions with this person",
    "session": "until it is reset",
}
# What a mail or a job's text demands is no word of the user.
_SPOKEN_IN = frozenset({SessionKind.DIRECT, SessionKind.GROUP})
# User messages that are looked through for what was forbidden, and offers made at once.
_ASKS_READ, _MOST_OFFERS = 200, 8


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins of a session, and what could be pinned, too.

    Attributes:
        said: what was done, for the model; empty when nothing was.
        offers: what the user forbade or demanded, word for word, and is not pinned.
    """

    pins: tuple[Pin, ...]
    offers: tuple[str, ...] = ()
    said: str = ""

    def document(self) -> dict[str, Any]:
        """For machines."""
        return {"pins": [asdict(pin) for pin in self.pins], "offers": list(self.offers)}


def pin(context: Context, state: SessionState, text: str, scope: str) -> Pins:
    """Pin a text; what is pinned already stays one pin.

    Args:
        context: of the sidecar.
        state: of the caller's session.
        text: word for word as it is to stand.
        scope: "agent" for all sessions of this agent and person; else this session's epoch.

    Raises:
        InvalidRequestError: nothing to pin, or too much; the message is for the model.
        StoreError: it could not be stored.
    """
    return _pin(context, _owner(context, state), text, scope)


def pin_as_owner(context: Context, ref: SessionRef, text: str, scope: str) -> Pins:
    """The same in any session, or for its agent and person; for the owner of the store.

    Raises:
        InvalidRequestError: nothing to pin, too much, or the session is not open.
        StoreError: it could not be stored.
    """
    row = context.database.read(lambda connection: current_session(connection, ref))
    if _kind(scope) == "session" and (row is None or row.ended_ms is not None):
        message = f"There is no open session {ref.key}; `flowctx sessions` lists them."
        raise InvalidRequestError(message)
    known = row.ref if row else ref
    return _pin(context, PinOwner(known.agent, known.person, row.id if row else 0), text, scope)


def _pin(context: Context, owner: PinOwner, text: str, scope: str) -> Pins:
    wanted, kind, now = well_formed(text).strip(), _kind(scope), context.now_ms()
    if kind == "agent" and owner.is_alone:
        message = "A sandboxed session shares no pins with others: use the scope session."
        raise InvalidRequestError(message)
    if not wanted:
        message = "There is nothing to pin: pass the rule or fact as text."
        raise InvalidRequestError(message)

    def write(connection: Connection) -> tuple[int, PinScope | None]:
        pins = current_pins(connection, owner)
        known = next((each for each in pins if each.text == wanted), None)
        if known is None:
            _check_room(pins, wanted)
            return add_pin(connection, owner, kind, wanted, now), None
        if kind == "agent":
            widen_pin(connection, known.id)
        return known.id, known.scope

    id_, before = context.database.write(write).result()
    place = _PLACES["agent" if "agent" in (kind, before) else "session"]
    was_known = before is not None and before in (kind, "agent")
    said = f"Pinned already, as {id_}, {place}." if was_known else f"Pinned as {id_}, {place}."
    return Pins(_load(context, owner), said=said)


def _kind(scope: str) -> PinScope:
    match scope.strip().lower():
        case "agent":
            return "agent"
        case "session" | "":
            return "session"
    message = f"{scope[:40]!r} is no scope: session or agent."
    raise InvalidRequestError(message)


def unpin(context: Context, state: SessionState, id_: str) -> Pins:
    """Remove a pin by its id.

    Raises:
        InvalidRequestError: there is no such pin here.
        StoreError: it could not be removed.
    """
    owner, number = _owner(context, state), _number(id_)
    if not context.database.write(lambda c: remove_pin(c, owner, number)).result():
        raise _no_such(id_)
    return Pins(_load(context, owner), said=f"Pin {number} is gone.")


def unpin_as_owner(context: Context, id_: str) -> Pin:
    """Remove any pin by its id, and return it; for the owner of the store.

    Raises:
        InvalidRequestError: there is no such pin.
        StoreError: it could not be removed.
    """
    number = _number(id_)
    gone = context.database.write(lambda connection: take_pin(connection, number)).result()
    if gone is None:
        raise _no_such(id_)
    return gone


def _number(id_: str) -> int:
    digits = id_.strip().strip("[]")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 18 else 0


def _no_such(id_: str) -> InvalidRequestError:
    return InvalidRequestError(
        f"There is no pin {id_[:40]!r} here: list the pins to see their ids."
    )


def list_pins(context: Context, state: SessionState) -> Pins:
    """The pins of a session, with offers from what its user said.

    Raises:
        StoreError: the store cannot be read.
    """
    # What is pinned can be read where nothing can be written.
    owner = _owner_of(known_row(context, state), state)
    pins = _load(context, owner)
    if state.ref.kind not in _SPOKEN_IN:
        return Pins(pins)
    bodies = context.database.read(lambda c: user_bodies(c, owner.session_id, _ASKS_READ))
    return Pins(pins, tuple(_offers(bodies, pins)))


def every_pin(database: Readable) -> list[tuple[Pin, str, str, str]]:
    """All pins with agent, person and session key; for the owner of the store.

    Raises:
        StoreError: the store cannot be read.
    """
    return database.read(all_pins)


def pins_answer(pins: Pins) -> str:
    """What the model is told."""
    lines = [pins.said] if pins.said else []
    if pins.pins:
        lines += [f"[{each.id}] ({each.scope}) {each.text}" for each in pins.pins]
    elif not pins.said:
        lines.append("Nothing is pinned.")
    if pins.offers:
        lines.append("Said by the user and not pinned; ask before you pin one:")
        lines += [f"- {offer}" for offer in pins.offers]
    return "\n".join(lines)


def _owner(context: Context, state: SessionState) -> PinOwner:
    return _owner_of(stored_row(context, state), state)


def _owner_of(row: SessionRow, state: SessionState) -> PinOwner:
    return PinOwner(row.ref.agent, row.ref.person, row.id, is_alone=state.is_sandboxed)


def _load(context: Context, owner: PinOwner) -> tuple[Pin, ...]:
    return tuple(context.database.read(lambda connection: current_pins(connection, owner)))


def _check_room(pins: Sequence[Pin], wanted: str) -> None:
    used = sum(estimate_tokens(each.text) for each in pins)
    needed = estimate_tokens(wanted)
    if used + needed > MOST_TOKENS:
        message = (
            f"There is no room: this pin takes {needed:,} tokens, and of {MOST_TOKENS:,}"
            f" {used:,} are in use. Shorten it, or unpin something first."
        )
        raise InvalidRequestError(message)


def _offers(bodies: Sequence[bytes], pins: Sequence[Pin]) -> list[str]:
    """What the user forbade, the newest first, without what a pin holds already."""
    turns = [
        SourceTurn((SourceLine("user", text),), number)
        for number, text in enumerate(map(_asked, bodies), start=1)
        if text
    ]
    found = find_constraints(turns, "en")
    open_ = [each.text for each in found if each.kind != "lift"]
    return [text for text in reversed(open_) if not any(text in p.text for p in pins)][
        :_MOST_OFFERS
    ]


def _asked(body: bytes) -> str:
    value = parse_message(body).value
    text = well_formed(text_of(value))
    if is_engine_made(value) or is_host_event(value, text):
        return ""
    return clean_user_text(text, value).text
