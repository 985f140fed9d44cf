"""Making the folds of a round: outlines, digests of turns, and condensed digests."""

from collections.abc import Sequence

from flowctx.dag.notes.budget_digest import digest_text
from flowctx.dag.notes.digest import condense_digests
from flowctx.dag.notes.note import Covers, note_text, render_note
from flowctx.dag.notes.outline import write_outline
from flowctx.dag.source.language import conversation_language
from flowctx.dag.source.source import SourceTurn
from flowctx.message import parse_message, text_of
from flowctx.model import Message, Placement
from flowctx.service.folding import fold_of, node_of, turns_of_gists
from flowctx.service.planning import Planner
from flowctx.view.pairing import Pairing

# Tags and attributes around a text.
_TAG_TOKENS = 40


def outline_fold(planner: Planner, pairing: Pairing, run: tuple[int, int], room: int) -> Placement:
    """The outline of messages [start, end) of one turn.

    Raises:
        StoreError: the store cannot be read.
    """
    turns = turns_of_gists(planner, pairing, *run)
    lines = [line for turn in turns for line in turn.lines]
    language = conversation_language(turns)
    text = write_outline(lines, language=language, max_tokens=room - _TAG_TOKENS)
    return _placed(planner, run, text, depth=0)


def digest_fold(planner: Planner, pairing: Pairing, run: tuple[int, int], room: int) -> Placement:
    """The digest of turns [start, end); the first may have lost its head.

    Raises:
        StoreError: the store cannot be read.
    """
    starts = planner.frame.turn_starts
    before = max(sum(at <= run[0] for at in starts) - 1, 0)
    turns = [
        SourceTurn(turn.lines, before + turn.number)
        for turn in turns_of_gists(planner, pairing, *run)
    ]
    return _placed(planner, run, digest_text(turns, room - _TAG_TOKENS), depth=0)


def condensed_fold(planner: Planner, digests: Sequence[Placement], room: int) -> Placement:
    """One digest in place of several that follow on one another."""
    texts = [note_text(text_of(parse_message(placed.fold.body).value)) for placed in digests]
    source = [SourceTurn((), 0)]
    text = condense_digests(
        texts, language=conversation_language(source), max_tokens=room - _TAG_TOKENS
    )
    return _placed(planner, (digests[0].start, digests[-1].end), text, depth=1)


def _placed(planner: Planner, run: tuple[int, int], text: str, *, depth: int) -> Placement:
    start, end = run
    covered: Sequence[Message] = planner.frame.messages[start:end]
    node = node_of(planner, run, text)
    starts = planner.frame.turn_starts
    first = max(sum(at <= start for at in starts), 1)
    last = max(sum(at < end for at in starts), 1)
    covers = Covers(first, last, len(covered), covered[0].time_ms, covered[-1].time_ms)
    rendered = render_note(text, covers, node=node, kind="digest", depth=depth)
    return Placement(fold_of(covered, node, rendered), start, end)
