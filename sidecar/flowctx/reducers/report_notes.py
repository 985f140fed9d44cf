"""What is said of a report as a whole: how many lines or messages there are of each kind."""

from collections.abc import Collection

from flowctx.reducers.case import Case
from flowctx.reducers.diagnostics import describe_codes
from flowctx.reducers.ranking import MIN_REPEATS, MIN_REPETITIVENESS, repetitiveness
from flowctx.reducers.shapes import Cluster

_MAX_NAMED_SHAPES = 6
# An example that is not shown itself is quoted; in little room by its beginning.
_EXAMPLE_CHARS, _MIN_EXAMPLE_CHARS, _EXAMPLE_SHARE = 60, 16, 40


def describe_lines(case: Case, shown: Collection[int] = ()) -> str:
    """How many messages of each code there are, or else how many lines are like which one.

    A line is quoted unless it is shown. Empty where nothing repeats.
    """
    return describe_codes(case) or _describe_shapes(case, shown)


def _describe_shapes(case: Case, shown: Collection[int]) -> str:
    if repetitiveness(case) < MIN_REPETITIVENESS:
        return ""
    large = sorted(
        (
            cluster
            for cluster in case.clusters
            if cluster.size >= MIN_REPEATS and any(map(str.isalpha, _first_line(case, cluster)))
        ),
        key=lambda cluster: (-cluster.size, cluster.members[0]),
    )[:_MAX_NAMED_SHAPES]
    parts = [f"{cluster.size} like {_example(case, cluster, shown)}" for cluster in large]
    return f"{len(case.masked)} lines: {', '.join(parts)}" if parts else ""


def _example(case: Case, cluster: Cluster, shown: Collection[int]) -> str:
    """A line of a cluster: by its number where it is shown, or else as it begins."""
    at = next((at for at in cluster.members if at in shown), -1)
    if at >= 0:
        return f"line {case.document.number(at)}"
    line = _first_line(case, cluster)
    limit = min(_EXAMPLE_CHARS, max(case.room // _EXAMPLE_SHARE, _MIN_EXAMPLE_CHARS))
    return f'"{line}"' if len(line) <= limit else f'"{line[: limit - 1]}…"'


def _first_line(case: Case, cluster: Cluster) -> str:
    return case.document.lines[cluster.members[0]].strip()
