"""Stack traces that repeat: each distinct one once, with count, first and last place.

Frames of our own code come before those of runtimes and libraries.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.facts import cue_windows, required_lines
from flowctx.reducers.families.family import Family
from flowctx.reducers.ranking import FILLER_RANK, rank_report
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

_FRAME = re.compile(
    r"\s+at \S"  # Java, JavaScript, .NET
    r"|\s+File \"[^\"]+\", line \d+"  # Python
    r"|\s+from \S+:\d+:in "  # Ruby
    r"|\s+\.{3} \d+ (?:more|common frames)"
    r"|\s*(?:#|frame #)\d+:? +\S"  # gdb, lldb, sanitizers, PHP
    r"|\s+\d+: +(?:0x[0-9a-f]+ - )?\S+::"  # Rust
    r"|\s+\S+\.go:\d+(?: \+0x[0-9a-f]+)?$"
    r"|\s+\S+\.(?:exs?|erl):\d+: "
)
_FRAME_STARTS = " \t#f\u3000\xa0"
_LINKS = re.compile(
    r"\s*(?:Caused by|Suppressed|During handling of|The above exception|goroutine \d+"
    r"|Traceback \(most|\[cause\]|--- End of|stack backtrace:|created by |Stack trace:)"
)
_LIBRARY = re.compile(
    r"node_modules|node:internal|internal/|site-packages|dist-packages|/lib/python\d|<frozen "
    r"|java\.base|at (?:java|javax|jdk|sun|scala|kotlin|android)\."
    r"|org\.(?:apache|junit|springframework|hibernate|eclipse|jboss|gradle)\.|io\.(?:netty|grpc)\."
    r"|com\.sun\.|at System\.|at Microsoft\.|/usr/(?:lib|local)|/gems/|/rustc/|core::|std::|tokio::"
    r"|/go/src/|runtime\.|testing\.tRunner|libc\.so|\.\.\. \d+ more"
)
_GOROUTINE = re.compile(r"goroutine \d+")
# Threads of a dump: who it is, and what it waits for or holds.
_THREAD = re.compile(r"\"[^\"]+\" .*\bprio=\d")
_WAIT = re.compile(r"\s+(?:java\.lang\.Thread\.State: |- (?:waiting|locked|parking))")
_CAUSE = re.compile(r"\s*(?:Caused by|\[cause\]):? \S")
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")
_VALUES = re.compile(r"\"[^\"]*\"|'[^']*'|\b[\w-]*\d[\w-]*\b")
# Of more kinds than these are repeats that differ in words, too; the first words tell them apart.
_FEW_KINDS, _CAUSE_WORDS = 12, 3
_FRAMES_TOLD = (20, 1, 0)
_MIN_FRAME_SHARE = 0.22
_MIN_FRAMES = 4
_OWN_FRAMES = 4
_HEAD_LINES = 2
_MAX_NAMED = 5
_MAX_FRAME_CHARS = 500
_IDLE_RANK = 30.0


class _Trace(NamedTuple):
    """Lines [start, end) of a trace: what it says, then its frames."""

    start: int
    end: int


def _find(case: Case) -> "list[_Trace] | None":
    likely = sum(1 for line in case.sample if _is_frame(line))
    if likely < _MIN_FRAME_SHARE / 2 * len(case.sample):
        return None
    frames = sum(1 for at in case.filled if _is_frame(case.document.lines[at]))
    if frames < max(_MIN_FRAMES, _MIN_FRAME_SHARE * len(case.filled)):
        return None
    return list(_traces(case.document.lines))


def _draft(case: Case, traces: "list[_Trace]") -> Draft | None:
    lines = case.document.lines
    kinds = _group(lines, traces)
    ranks = dict(rank_report(case))
    for same in kinds.values():
        _rank_first(lines, same[0], ranks, 4.0 / len(same))
        for trace in same[1:]:
            ranks.update((at, FILLER_RANK - 1) for at in range(trace.start, trace.end))
        if len(same) > 1:
            ranks[same[-1].start] = MUST - 1
    for line in required_lines(case):
        ranks[line] = max(ranks.get(line, 0.0), MUST + 50)
    note = _describe(case, len(traces), kinds)
    chosen = choose_lines(case.document, ranks, case.room - len(note) - 3, floor=FILLER_RANK)
    return draft_lines(case.document, "traces", chosen, Layout({-1: note}, cue_windows(case)))


def _is_frame(line: str) -> bool:
    if len(line) > _MAX_FRAME_CHARS or not line:
        return False
    # Go names the function on a line of its own: pkg.(*Type).Method(0xc000)
    is_go_call = line[-1:] == ")" and line[:1].isalpha() and " " not in line and "." in line
    return is_go_call or (line[0] in _FRAME_STARTS and bool(_FRAME.match(line)))


def _traces(lines: Sequence[str]) -> Iterator[_Trace]:
    """Runs of frames with the lines that lead to them and the message that ends them."""
    total, at, floor = len(lines), 0, 0
    while at < total:
        if not _is_frame(lines[at]):
            at += 1
            continue
        start = at
        while start > floor and at - start < _HEAD_LINES and lines[start - 1].strip():
            start -= 1
        end = _end(lines, at)
        yield _Trace(start, end)
        at = floor = end


def _end(lines: Sequence[str], at: int) -> int:
    """Where the trace ends whose first frame is given."""
    total, end = len(lines), at
    is_python = lines[at].lstrip().startswith("File ")
    while end < total:
        line = lines[end]
        below = lines[end + 1] if end + 1 < total else ""
        # Each goroutine of a dump is a trace of its own.
        follows = not _GOROUTINE.match(below) and (_is_frame(below) or _LINKS.match(below))
        belongs = follows if not line.strip() else line[:1] in " \t"
        if not (belongs or _is_frame(line) or _LINKS.match(line)):
            break
        end += 1
    # Python prints what happened below the frames.
    return end + 1 if is_python and end < total and lines[end].strip() else end


def _group(lines: Sequence[str], traces: Sequence[_Trace]) -> dict[str, list[_Trace]]:
    """Traces by their cause: told as closely as leaves few kinds, or else by its words alone."""
    kinds: dict[str, list[_Trace]] = {}
    for frames in _FRAMES_TOLD:
        kinds = {}
        for trace in traces:
            kinds.setdefault(_cause(lines, trace, frames), []).append(trace)
        if len(kinds) <= _FEW_KINDS:
            break
    return kinds


def _cause(lines: Sequence[str], trace: _Trace, frames: int) -> str:
    """What a trace has in common with its repeats: its root cause, and some frames of our code.

    Ids, numbers, quoted values and times differ from one time to the next.
    """
    root = _root(lines, trace)
    words = _VALUES.sub("0", lines[root]).split()
    if not frames:
        return " ".join(words[:_CAUSE_WORDS])
    # Frames stand below what they are of, but in Python above it.
    stack = lines[root : trace.end] if root + 1 < trace.end else lines[root : trace.start : -1]
    own = islice(filter(_is_own, stack), frames)
    return "\n".join([" ".join(words), *(_NUMBERS.sub("0", line) for line in own)])


def _root(lines: Sequence[str], trace: _Trace) -> int:
    """The line that says what went wrong first: the last cause, or what leads to the frames."""
    causes = [at for at in range(trace.start, trace.end) if _CAUSE.match(lines[at])]
    if causes:
        return causes[-1]
    frames = [at for at in range(trace.start, trace.end) if _is_frame(lines[at])]
    last = trace.end - 1
    if lines[frames[0]].lstrip().startswith("File ") and not _is_frame(lines[last]):
        return last
    return max(frames[0] - 1, trace.start)


def _is_own(line: str) -> bool:
    return _is_frame(line) and not _LIBRARY.search(line)


def _rank_first(lines: Sequence[str], trace: _Trace, ranks: dict[int, float], bonus: float) -> None:
    own, root = 0, _root(lines, trace)
    is_idle = _THREAD.match(lines[trace.start]) and not any(
        map(_is_own, lines[trace.start : trace.end])
    )
    for at in range(trace.start, trace.end):
        line = lines[at]
        if not line.strip():
            continue
        # The frames of the root cause are counted anew.
        own = 0 if at == root else own
        if is_idle:
            ranks[at] = min(ranks.get(at, 0.0), _IDLE_RANK)
        elif not _is_frame(line):
            says = line[:1] not in " \t" or _LINKS.match(line) or _WAIT.match(line)
            ranks[at] = MUST + 20 + bonus if says else 40.0
        elif _LIBRARY.search(line):
            ranks[at] = 9.0
        else:
            own += 1
            ranks[at] = (MUST + 10 + bonus if own <= _OWN_FRAMES else 50.0) - own / 10


def _describe(case: Case, total: int, kinds: dict[str, list[_Trace]]) -> str:
    number = case.document.number
    ordered = sorted(kinds.values(), key=lambda same: (-len(same), same[0].start))
    told = [
        f"{len(same)} like line {number(same[0].start)}"
        + (f" (last at line {number(same[-1].start)})" if len(same) > 1 else "")
        for same in ordered[:_MAX_NAMED]
    ]
    return f"{total} traces of {len(kinds)} kinds: {', '.join(told)}"


FAMILY = Family(
    "traces",
    _find,
    _draft,
    looks_for="stack frames in 22 % of the lines, at least 4",
    is_report=True,
)
