"""The commit of a pass: all its notes become current in one transaction, or none."""

from dataclasses import asdict, dataclass

from flowctx.service.context import Context
from flowctx.service.notes.survey import Survey
from flowctx.service.state import SessionState
from flowctx.store.connection import Connection
from flowctx.store.ledger import add_event
from flowctx.store.notes import commit_drafts, current_folds
from flowctx.store.sessions import is_running


@dataclass(frozen=True, slots=True)
class PassRecord:
    """A pass in figures; a row of the ledger.

    Attributes:
        written: notes that came into the view or were condensed at once.
        messages: that notes stand for now.
        tokens_before, tokens_after: estimates of the view.
        reason: why it went no further.
    """

    written: int
    messages: int
    tokens_before: int
    tokens_after: int
    reason: str


def commit_pass(context: Context, state: SessionState, surveyed: Survey, reason: str) -> bool:
    """Let the drafts of a session stand from the next view on, if that makes it smaller.

    Returns:
        Whether it did.

    Raises:
        StoreError: nothing was committed.
    """
    record = _record(surveyed, reason)
    adds_only = not context.settings.summary_replaces_history
    if not record.written or (record.tokens_after >= record.tokens_before and not adds_only):
        return False
    nodes = [draft.fold.node for draft in surveyed.drafts]
    row, now = surveyed.row, context.now_ms()

    def write(connection: Connection) -> bool:
        if not is_running(connection, row.id):
            return False
        commit_drafts(connection, row.id, nodes, now)
        add_event(connection, row.id, "notes", asdict(record), now)
        return True

    with state.lock:
        if state.row is None or state.row.id != row.id:
            return False
        if not context.database.write(write).result():
            return False
        state.folds = tuple(context.database.read(lambda c: current_folds(c, row.id)))
        if state.frame is not None and not adds_only:
            # The gate is about the view as it will be.
            state.frame.view_tokens = record.tokens_after
    context.notify(
        "trigger",
        f"folded {record.messages} messages into notes ({record.written} new): "
        f"{record.tokens_before:,} → {record.tokens_after:,} tokens; {row.ref.key}",
    )
    return True


def _record(surveyed: Survey, reason: str) -> PassRecord:
    drafts = [draft.fold.node for draft in surveyed.drafts]
    after = list(surveyed.rows)
    covered: set[int] = set()
    for node in after:
        if surveyed.rows[node].fold.kind == "note":
            covered.update(range(surveyed.spots[node].start, surveyed.spots[node].end))
    return PassRecord(
        written=len(drafts),
        messages=len(covered),
        tokens_before=surveyed.view_tokens(surveyed.current),
        tokens_after=surveyed.view_tokens(after),
        reason=reason,
    )
