"""Injection: a block of cards before the prompt, chosen once and then kept."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from flowctx.card import Pick
from flowctx.dag.source.injected import clean_user_text, is_host_event
from flowctx.errors import StoreError
from flowctx.gist import gist_of
from flowctx.message import ParsedMessage
from flowctx.model import Injection
from flowctx.service.context import Context
from flowctx.service.frame import Frame
from flowctx.service.sliding.capture import is_kept_out
from flowctx.service.sliding.embedding.vectors import REPLY_SECONDS
from flowctx.service.sliding.recall import Query, find_candidates, has_rare_term
from flowctx.service.state import SessionState
from flowctx.sliding.block import (
    CUSTOM_TYPE_CARDS,
    BlockTerms,
    frame_tokens,
    line_tokens,
    render_block,
)
from flowctx.sliding.choose import Candidate, choose, choose_relevant, within_budget
from flowctx.sliding.foreign import own_text
from flowctx.sliding.shift import Occasion, occasion
from flowctx.sliding.walls import wall_reason
from flowctx.store.card_blocks import note_picks, shown_cards
from flowctx.store.connection import Connection
from flowctx.store.injections import ensure_injection
from flowctx.store.sessions import SessionRow
from flowctx.store.turns import said_by
from flowctx.tokens import estimate_tokens
from flowctx.view.engine_made import custom_message
from flowctx.view.inject import CARDS

# A block takes no more than this share of what the run leaves for the messages.
_BUDGET_SHARE = 0.1
# What was said last: so many messages tell what a session is about.
_TOPIC_MESSAGES = 12
_NODE_CHARS = 16
_NONCE_BYTES = 4
_MINUTE_MS = 60_000
_NONCE = re.compile(rb'<sliding-context id=\\"([0-9a-f]{8})\\"')
# Prompts of the host's own, which are about nothing new.
_HOST_PROMPT = re.compile(r"\A\s*(?:Follow the heartbeat|Continue the current task from the exist)")


@dataclass(frozen=True, slots=True)
class Coming:
    """What is about to be sent.

    Attributes:
        prompt: the incoming user message.
        tail: messages that came with the request; their rows may not be written yet.
        budget: tokens the view may take.
    """

    prompt: str
    tail: Sequence[ParsedMessage]
    budget: int


def inject_cards(
    context: Context, state: SessionState, row: SessionRow, frame: Frame, coming: Coming
) -> None:
    """Put a block of cards before the prompt, where one is due; it then keeps its place.

    Whatever goes wrong here, the view goes on without it.
    """
    state.unsent = ""
    prompt = own_text(clean_user_text(coming.prompt, {}).text)
    if not prompt or is_kept_out(context, state) or _is_hosts_own(prompt):
        return
    with suppress(StoreError):
        why = "start" if state.owes_cards else _occasion(context, row, frame, coming, prompt)
        if why:
            _inject(context, state, row, frame, _Due(prompt, why, coming.budget))


@dataclass(frozen=True, slots=True)
class _Due:
    prompt: str
    why: Occasion
    budget: int


def _is_hosts_own(prompt: str) -> bool:
    return is_host_event({}, prompt) or _HOST_PROMPT.match(prompt) is not None


def _occasion(
    context: Context, row: SessionRow, frame: Frame, coming: Coming, prompt: str
) -> Occasion:
    last = frame.messages[-_TOPIC_MESSAGES:]
    times = [message.time_ms for message in last if message.time_ms]
    idle = context.now_ms() - times[-1] if times else 0
    fresh = {each.message.digest: each for each in coming.tail}
    said = [gist_of(fresh[m.digest]) for m in last if m.digest in fresh and not m.is_result]
    stored = [message.digest for message in last if message.digest not in fresh]
    said += context.database.read(lambda connection: said_by(connection, row.id, stored))

    def is_told(terms: Sequence[str]) -> bool:
        return context.database.read(lambda connection: has_rare_term(connection, terms))

    turns = len(frame.turn_starts)
    return occasion(prompt, said, turns=turns, idle_ms=idle, is_told=is_told)


def _inject(
    context: Context, state: SessionState, row: SessionRow, frame: Frame, due: _Due
) -> None:
    # What stands behind the turn that is at hand now was chosen for this very prompt.
    after = _anchor(frame)
    if any(each.kind == CARDS and each.after == after for each in state.injections):
        return
    now = context.now_ms()
    vector = context.vectors.vector_of(due.prompt, context.settings, REPLY_SECONDS)

    def read(connection: Connection) -> list[Candidate]:
        seen = state.told_cards | shown_cards(connection, row.id)
        query = Query(row.ref, row.id, due.prompt, now, seen, vector)
        return find_candidates(connection, query, context.settings.sliding)

    pick = choose_relevant if due.why == "shift" else choose
    chosen = pick(context.database.read(read), context.settings.sliding)
    terms = BlockTerms(_nonce(state), context.settings.sliding.window_hours)
    room = _room(context, due.budget) - frame_tokens(terms)
    cards = within_budget(chosen, room, line_tokens)
    if cards:
        state.owes_cards = False
        _keep(context, state, row, _injection(row, after, render_block(cards, terms), now), cards)


def _room(context: Context, budget: int) -> int:
    settings = context.settings
    caps = [settings.sliding.max_inject_tokens, settings.recall_token_budget]
    return min([*caps, int(budget * _BUDGET_SHARE)] if budget else caps)


def _anchor(frame: Frame) -> bytes:
    """The message that opened the last turn with an answer; empty where there is none yet.

    One that was left without an answer will be joined with the prompt by the host.
    """
    last = len(frame.messages) - 1
    answered = [start for start in frame.turn_starts if start < last]
    return frame.messages[answered[-1]].digest if answered else b""


def _nonce(state: SessionState) -> str:
    standing = (_NONCE.search(each.body) for each in state.injections if each.kind == CARDS)
    found = next((match for match in standing if match), None)
    return found.group(1).decode() if found else secrets.token_hex(_NONCE_BYTES)


def _injection(row: SessionRow, after: bytes, text: str, now_ms: int) -> Injection:
    body = custom_message(CUSTOM_TYPE_CARDS, text, now_ms // _MINUTE_MS * _MINUTE_MS)
    node = hashlib.sha256(row.id.to_bytes(8, "big") + after + body).hexdigest()[:_NODE_CHARS]
    return Injection(node, CARDS, after, body, estimate_tokens(text) + 4)


def _keep(
    context: Context,
    state: SessionState,
    row: SessionRow,
    injection: Injection,
    cards: Sequence[Candidate],
) -> None:
    picks = [_pick(row, each) for each in cards]
    now = context.now_ms()

    def write(connection: Connection) -> None:
        ensure_injection(connection, row.id, injection, now)
        note_picks(connection, injection.node, picks)

    # Not waited for: what cannot be written still stands in memory.
    context.database.write(write)
    state.injections = [*state.injections, injection]
    state.told_cards |= {pick.card_id for pick in picks}
    state.unsent = injection.node
    told = f"{len(cards)} cards of other sessions, {injection.tokens} tokens; {row.ref.key}"
    context.notify("trigger", f"injected {told}")


def _pick(row: SessionRow, each: Candidate) -> Pick:
    stored = each.stored
    signals = {name: round(value, 4) for name, value in asdict(each.signals).items()}
    return Pick(
        stored.id,
        stored.session_key,
        stored.card.kind,
        stored.card.time_ms,
        each.level,
        each.why,
        wall_reason(row.ref, stored.person, stored.side),
        round(each.signals.score, 4),
        signals,
    )
