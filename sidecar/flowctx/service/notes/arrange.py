"""How a pass's notes may stand in the view: which digests they take the place of."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from flowctx.dag.plan.chunks import uncovered_runs
from flowctx.dag.plan.frontier import nodes_of
from flowctx.dag.plan.standing import top_nodes
from flowctx.model import Fold, Placement
from flowctx.service.context import Context
from flowctx.service.edges.records import digest_fold
from flowctx.service.notes.survey import Survey
from flowctx.service.planning import Planner
from flowctx.service.state import SessionState

# A digest of less says nothing; what it would stand for is then shown.
_LEAST_DIGEST_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Folds that may stand together.

    Attributes:
        gone: nodes of the digests that give way.
        made: digests of what notes leave of these.
        tokens: of the view.
    """

    gone: frozenset[str]
    made: tuple[Fold, ...]
    tokens: int


def arrangements(context: Context, state: SessionState, surveyed: Survey) -> Iterator[Arrangement]:
    """The ways in which all notes may stand, the one that shows most of them first.

    Raises:
        StoreError: the store cannot be read.
    """
    folds = surveyed.placed(surveyed.rows)
    if context.settings.summary_replaces_history:
        yield _without_digests(context, state, surveyed, folds)
    # A digest stays unless the notes in its place are shorter.
    yield Arrangement(frozenset(), (), surveyed.view_tokens(folds))


def _without_digests(
    context: Context, state: SessionState, surveyed: Survey, folds: Sequence[Placement]
) -> Arrangement:
    """Notes take the place of all digests they touch; what is left of these is digested anew."""
    notes = top_nodes([node for node in nodes_of(folds) if node.kind == "note"])
    kept, gone, made = list[Placement](), set[str](), list[Placement]()
    planner = Planner(context, state, surveyed.row, surveyed.frame, {}, Future())
    for placed in folds:
        whole = placed.start, placed.end
        left = uncovered_runs(notes, *whole)
        if placed.fold.kind == "note" or left == [whole]:
            kept.append(placed)
            continue
        gone.add(placed.fold.node)
        for run in left:
            room = placed.fold.tokens * _raw(surveyed, run) // max(_raw(surveyed, whole), 1)
            if _LEAST_DIGEST_TOKENS <= room < sum(surveyed.costs[run[0] : run[1]]):
                made.append(digest_fold(planner, surveyed.pairing, run, room))
    tokens = surveyed.view_tokens([*kept, *made])
    return Arrangement(frozenset(gone), tuple(placed.fold for placed in made), tokens)


def _raw(surveyed: Survey, run: tuple[int, int]) -> int:
    return sum(message.tokens for message in surveyed.messages[run[0] : run[1]])
