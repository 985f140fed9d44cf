"""The commit of a pass: all its notes become current in one transaction, or none."""

from dataclasses import asdict, dataclass

from flowctx.service.context import Context
from flowctx.service.notes.arrange import Arrangement, arrangements
from flowctx.service.notes.survey import Survey
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import add_event
from flowctx.store.notes import commit_drafts, current_folds, ensure_fold, supersede_digests
from flowctx.store.sessions import is_running


@dataclass(frozen=True, slots=True)
class PassRecord:
    """A pass in figures; a row of the ledger.

    Attributes:
        written: notes that came into the view or were condensed at once.
        messages: that notes stand for now.
        digests: that notes took the place of.
        tokens_before, tokens_after: estimates of the view.
        reason: why it went no further.
    """

    written: int
    messages: int
    digests: int
    tokens_before: int
    tokens_after: int
    reason: str


def commit_pass(
    context: Context, state: SessionState, surveyed: Survey, reason: str, room_tokens: int = 0
) -> bool:
    """Let the drafts of a session stand from the next view on.

    Args:
        context: of the sidecar.
        state: of the session.
        surveyed: the session as it was, with its drafts.
        reason: why no further note was written.
        room_tokens: where the view grows, because notes take the place of digests, it
            must stay below this; otherwise it must become smaller.

    Returns:
        Whether they stand.

    Raises:
        StoreError: nothing was committed.
    """
    if not surveyed.drafts:
        return False
    before = surveyed.view_tokens(surveyed.placed(surveyed.current))
    room = max(before, room_tokens)
    adds_only = not context.settings.summary_replaces_history
    ways = arrangements(context, state, surveyed)
    fits = (w for w in ways if adds_only or w.tokens < (room if w.gone else before))
    way = next(fits, None)
    if way is None:
        return False
    record = _record(surveyed, way, before, reason)
    if not _commit(context, state, surveyed, way, record):
        return False
    context.notify(
        "trigger",
        f"folded {record.messages} messages into notes ({record.written} new"
        f"{_in_place_of(record)}): {before:,} → {way.tokens:,} tokens; {surveyed.row.ref.key}",
    )
    return True


def _commit(
    context: Context, state: SessionState, surveyed: Survey, way: Arrangement, record: PassRecord
) -> bool:
    row, now = surveyed.row, context.now_ms()
    nodes = [draft.fold.node for draft in surveyed.drafts]

    def write(connection: Connection, digests: list[str]) -> bool:
        if not is_running(connection, row.id):
            return False
        commit_drafts(connection, row.id, nodes, now)
        if way.gone:
            for fold in way.made:
                ensure_fold(connection, row.id, fold, now)
            supersede_digests(connection, row.id, digests, now)
        add_event(connection, row.id, "notes", asdict(record), now)
        return True

    with state.lock:
        if state.row is None or state.row.id != row.id:
            return False
        digests = {fold.node for fold in state.folds if fold.kind == "digest"}
        if not way.gone <= digests:
            # A round came between; the next look finds what stands since.
            return False
        kept = [*(digests - way.gone), *(fold.node for fold in way.made)]
        if not context.database.write(lambda connection: write(connection, kept)).result():
            return False
        state.folds = tuple(context.database.read(lambda c: current_folds(c, row.id)))
        if state.frame is not None and context.settings.summary_replaces_history:
            # The gate is about the view as it will be.
            state.frame.view_tokens = way.tokens
    return True


def _record(surveyed: Survey, way: Arrangement, before: int, reason: str) -> PassRecord:
    covered: set[int] = set()
    for placed in surveyed.placed(surveyed.rows):
        if placed.fold.kind == "note":
            covered.update(range(placed.start, placed.end))
    return PassRecord(
        written=len(surveyed.drafts),
        messages=len(covered),
        digests=len(way.gone),
        tokens_before=before,
        tokens_after=way.tokens,
        reason=reason,
    )


def _in_place_of(record: PassRecord) -> str:
    return f", in place of {record.digests} digests" if record.digests else ""
