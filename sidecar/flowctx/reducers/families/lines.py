"""Any text of lines: distinct shapes by example, odd lines, errors with what surrounds them.

This is the outline every other family gives way to; it fits always.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft, one_line
from flowctx.reducers.families.family import Family
from flowctx.reducers.ranking import rank_report, repetitiveness
from flowctx.reducers.select import Window, choose_lines, draft_lines

_WINDOW_BEFORE, _WINDOW_AFTER = 80, 160
_MAX_WINDOWS = 8
_MAX_NAMED_SHAPES = 6
_MIN_REPEATS = 10


def _fits(case: Case) -> bool:
    del case
    return True


def _reduce(case: Case) -> Draft | None:
    note = describe_shapes(case)
    ranks = rank_report(case)
    room = case.room - len(note) - 3
    chosen = choose_lines(case.document, ranks, room)
    notes = {-1: note} if note else {}
    windows = cue_windows(case)
    return draft_lines(case.document, "text", chosen, notes=notes, windows=windows)


def cue_windows(case: Case) -> list[Window]:
    """What stands around cues, so that a long line is clipped elsewhere."""
    text = case.document.text
    cues = sorted(case.cues, key=lambda cue: cue.kind != "error")[:_MAX_WINDOWS]
    return [
        Window(max(cue.start - _WINDOW_BEFORE, 0), min(cue.end + _WINDOW_AFTER, len(text)))
        for cue in cues
    ]


def describe_shapes(case: Case) -> str:
    """How many lines are like which shown one; empty where little repeats."""
    if repetitiveness(case) < 0.3:
        return ""
    large = sorted(
        (cluster for cluster in case.clusters if cluster.count >= _MIN_REPEATS and cluster.shape),
        key=lambda cluster: (-cluster.count, cluster.members[0]),
    )[:_MAX_NAMED_SHAPES]
    parts = [f"{cluster.count} like line {cluster.members[0] + 1}" for cluster in large]
    return one_line([f"{len(case.masked)} lines: " + ", ".join(parts)]) if parts else ""


FAMILY = Family("text", _fits, _reduce, is_report=True)
