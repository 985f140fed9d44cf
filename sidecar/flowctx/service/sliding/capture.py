"""Capture: a card for every turn that is complete, written behind the reply."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from flowctx.errors import StoreError
from flowctx.identity import SessionKind, SessionRef
from flowctx.message import ParsedMessage
from flowctx.model import Message
from flowctx.service.context import Context
from flowctx.service.sliding.embedding.wake import wake_vectors
from flowctx.service.state import SessionState
from flowctx.sliding.compose import CardLimits, compose_card
from flowctx.sliding.walls import OWNER, is_skipped, side_of, speaker_label
from flowctx.store.card_people import note_people
from flowctx.store.cards import ensure_card, known_messages
from flowctx.store.connection import Connection
from flowctx.store.sessions import SessionRow
from flowctx.store.turns import turn_messages, turn_size, turns_up_to

# The turn that is complete, and the one before, whose end may have been missed.
_TURNS = 2


def is_kept_out(context: Context, state: SessionState) -> bool:
    """True for sessions that neither leave cards nor see any."""
    settings = context.settings
    return (
        not settings.session_continuity
        or not settings.sliding.enabled
        or state.is_sandboxed
        or state.ref.is_private
        or is_skipped(state.ref.key, settings.sliding.skip_sessions)
    )


def capture_after(context: Context, state: SessionState, row: SessionRow, message: Message) -> None:
    """Write cards if a message the host has just written completes a turn.

    An answer without calls does; so does a user's message, for the turn before it.
    """
    if message.opens_turn or (message.role == "assistant" and not message.calls):
        capture_newest(context, state, row, message.digest)


def capture_newest(context: Context, state: SessionState, row: SessionRow, cause: bytes) -> None:
    """Write the cards of the newest turns that are complete, behind the reply.

    `cause` is the digest of the message that says so; nobody looks at it twice at a time,
    and what has come behind it by then has causes of its own.
    """
    if is_kept_out(context, state) or not context.database.keeps_originals:
        return
    key = (row.id, b"card" + cause)
    if key in context.in_flight:
        return
    context.in_flight.add(key)

    def work() -> None:
        try:
            write_cards(context, row, cause)
        except StoreError as error:
            context.notify("engine", f"no card written: {error}")
        finally:
            context.in_flight.discard(key)

    context.workers.submit(work)


def write_cards(context: Context, row: SessionRow, cause: bytes) -> None:
    """Write the cards of the turns that a message completes, as far as they are new.

    Raises:
        StoreError: the store cannot be read or written.
    """
    # Rows may still be on their way: the writer keeps the order of calls.
    context.database.write(lambda _: None).result()
    turns = context.database.read(lambda connection: list(_open_turns(connection, row, cause)))
    for messages, size in turns:
        _write_card(context, row, messages, size)
    wake_vectors(context)


def _open_turns(
    connection: Connection, row: SessionRow, cause: bytes
) -> Iterator[tuple[list[ParsedMessage], int]]:
    """Complete turns of which less is known than there is, oldest first."""
    turns = turns_up_to(connection, row.id, cause, _TURNS)
    for at, turn in reversed(list(enumerate(turns))):
        messages = turn_messages(connection, row.id, turn)
        if not messages or (at == 0 and not _is_complete(messages)):
            continue
        size = turn_size(connection, row.id, turn)
        if size > known_messages(connection, row.id, messages[0].message.digest):
            yield messages, size


def _is_complete(messages: list[ParsedMessage]) -> bool:
    last = messages[-1].message
    return last.role == "assistant" and not last.calls


def _write_card(
    context: Context, row: SessionRow, messages: list[ParsedMessage], size: int
) -> None:
    settings, ref = context.settings, row.ref
    limits = CardLimits(settings.sliding.skip_trivial, settings.capture_field_max_chars)
    card = compose_card(messages, ref, limits, context.now_ms())
    people = set(people_of(ref, messages))

    def write(connection: Connection) -> None:
        note_people(connection, row.id, ref, people)
        if card is not None:
            ensure_card(connection, row.id, ref, side_of(ref), replace(card, messages=size))

    context.database.write(write).result()


def people_of(ref: SessionRef, messages: Iterable[ParsedMessage]) -> Iterator[str]:
    """Who spoke, as person labels; in a direct conversation only whether it is the owner."""
    for parsed in messages:
        facts = parsed.value.get("__openclaw")
        if not parsed.message.opens_turn or not isinstance(facts, dict):
            continue
        if facts.get("senderIsOwner") is True and ref.kind in (
            SessionKind.GROUP,
            SessionKind.DIRECT,
        ):
            yield OWNER
        sender = facts.get("senderId")
        if ref.kind is SessionKind.GROUP and isinstance(sender, str) and sender:
            yield speaker_label(ref, sender)
