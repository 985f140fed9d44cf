"""`git log`: id and subject of as many commits as fit, the newest and the odd ones raw.

What repeats from commit to commit, its author and its date, is told once. A
commit that is not shown raw stands in the gap it falls into, one note a commit.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.columns import judge_column
from flowctx.reducers.cues import find_cues
from flowctx.reducers.draft import Draft, one_line
from flowctx.reducers.families.family import Family
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import Budget, Layout, choose_lines, draft_lines

_COMMIT = re.compile(r"[*|\\/ ]*commit ([0-9a-f]{7,64})\b")
_COMMIT_LINE = re.compile(_COMMIT.pattern, re.MULTILINE)
_HEADER = re.compile(r"(?:Author|Date|Merge|AuthorDate|Commit|CommitDate|Reflog|Signed-off-by):")
# Heads, messages, and what `--stat`, `--name-status`, `--name-only` and `-p` add.
_OF_LOG = re.compile(
    rf"{_COMMIT.pattern}|{_HEADER.pattern}|\s|[*|\\/+-]|@@|:\d{{6}} |[AMDRCTU]\d*\t|\S+$"
    r"|(?:diff|index|new|deleted|old|similarity|rename|copy|Binary|Notes)\b"
)
_MAX_FOREIGN = 0.1
_GRAPH = "*|\\/ "
_MIN_COMMITS = 3
_CUE_RANK = 30.0
_BITS_WEIGHT = 6.0
_RECENT = 12
# Ranks of lines below that of their commit.
_HEADER_COST, _BODY_COST, _LINE_COST = 6.0, 10.0, 0.5
# Commits that stand out most, so many, are shown with what stands under their subject.
_TOLD_WHOLE, _WHOLE_COST = 4, 1.0
# A file that `--stat` counts, and what a commit is worth that changes it like no other.
_COUNTED = re.compile(r"[*|\\/ ]*(\S.{0,200}?) +\| +(\d+|Bin)\b")
_MIN_BITS, _ODD_WORTH = 4.0, 45.0
_SAME = 0.0
# Parts of the room for raw lines that are tried, until every commit can be told.
_RAW_SHARES = (1.0, 0.8, 0.65, 0.5, 0.35)
_ID_CHARS, _SUBJECT_CHARS = 12, 100
# Brackets, quotes and the line end of a note.
_NOTE_CHARS = 6
_MARK_CHARS = 30


class _Commit(NamedTuple):
    """Lines of one commit in a log, and its abbreviated id."""

    start: int
    subject: int
    end: int
    id: str


class _Told(NamedTuple):
    """What is told of a log: raw lines, and notes by the line they stand before."""

    chosen: frozenset[int]
    notes: dict[int, str]
    commits: int


def worth_of(subjects: Sequence[str]) -> list[float]:
    """What each of a list of subjects is worth: newest first, odd words and trouble higher."""
    bits = excess(word_rarity(subjects))
    total = len(subjects)
    worth = []
    for at, (subject, over) in enumerate(zip(subjects, bits, strict=True)):
        cued = _CUE_RANK if find_cues(subject) else 0.0
        recent = 25.0 - at if at < _RECENT else 0.0
        is_last = 15.0 if at == total - 1 else 0.0
        worth.append(
            20.0 + 10 * (1 - at / total) + _BITS_WEIGHT * over + max(cued, recent, is_last)
        )
    return worth


def people(counts: Counter[str]) -> str:
    """Who did how much, the busiest by name."""
    named = ", ".join(f"{name} {count}" for name, count in counts.most_common(4))
    more = f" and {len(counts) - 4} more" if len(counts) > 4 else ""
    return f" by {named}{more}" if named else ""


def _find(case: Case) -> list[_Commit] | None:
    first = case.document.lines[case.filled[0]] if case.filled else ""
    if not _COMMIT.match(first) or len(_COMMIT_LINE.findall(case.document.text)) < _MIN_COMMITS:
        return None
    commits = list(_commits(case.document.lines))
    foreign = _count_foreign(case.document.lines[commits[-1].start :])
    return commits if foreign <= _MAX_FOREIGN * len(case.document.lines) else None


def _count_foreign(lines: Sequence[str]) -> int:
    """Lines behind the last commit that no log prints: another output follows in the text."""
    first = next((at for at, line in enumerate(lines) if line and not _OF_LOG.match(line)), None)
    return 0 if first is None else len(lines) - first


def _draft(case: Case, commits: list[_Commit]) -> Draft | None:
    lines = case.document.lines
    worth, odd = (
        worth_of([lines[commit.subject] for commit in commits]),
        _odd_counts(lines, commits),
    )
    for at, bits in odd.values():
        worth[at] = max(worth[at], _ODD_WORTH + bits)
    ranks = _rank(lines, commits, worth)
    ranks.update((line, worth[at] - _WHOLE_COST) for line, (at, _) in odd.items())
    note = _describe(lines, commits)
    room = case.room - len(note) - 3
    told = _tell(case, commits, (ranks, worth), (room, _RAW_SHARES[0]))
    for share in _RAW_SHARES[1:]:
        if told.commits == len(commits):
            break
        told = _tell(case, commits, (ranks, worth), (room, share))
    layout = Layout({-1: note, **told.notes}, places=False)
    return draft_lines(case.document, "git/log", told.chosen, layout)


def _commits(lines: Sequence[str]) -> Iterator[_Commit]:
    found = [(at, match) for at, line in enumerate(lines) if (match := _COMMIT.match(line))]
    ends = [*(at for at, _ in found[1:]), len(lines)]
    for (start, match), end in zip(found, ends, strict=True):
        body = (
            at
            for at in range(start + 1, end)
            if lines[at].strip(f"{_GRAPH}\t") and not _HEADER.match(lines[at].lstrip(_GRAPH))
        )
        yield _Commit(start, next(body, start), end, match.group(1)[:_ID_CHARS])


def _rank(
    lines: Sequence[str], commits: Sequence[_Commit], worth: Sequence[float]
) -> dict[int, float]:
    """Subject and id first; a header only where it differs from commit to commit."""
    authors = {line for line in lines if line.startswith("Author:")}
    bits = excess(word_rarity([lines[commit.subject] for commit in commits]))
    odd = sorted(bits, reverse=True)[: _TOLD_WHOLE + 1][-1]
    ranks: dict[int, float] = {}
    for commit, rank, over in zip(commits, worth, bits, strict=True):
        cost = _WHOLE_COST if over > odd else _BODY_COST
        ranks[commit.subject] = rank
        ranks[commit.start] = rank + 0.5
        for at in range(commit.start + 1, commit.end):
            line = lines[at].lstrip(_GRAPH)
            if not line or at == commit.subject:
                continue
            if line.startswith("Author:") and len(authors) == 1:
                ranks[at] = _SAME
            elif _HEADER.match(line):
                ranks[at] = rank - _HEADER_COST
            else:
                ranks[at] = rank - cost - _LINE_COST * (at - commit.subject)
    return ranks


def _odd_counts(lines: Sequence[str], commits: Sequence[_Commit]) -> dict[int, tuple[int, float]]:
    """The few lines of `--stat` that stand out: by line, its commit and how odd it is in bits."""
    found = [
        (line, at, match)
        for at, commit in enumerate(commits)
        for line in range(commit.subject + 1, commit.end)
        if (match := _COUNTED.match(lines[line]))
    ]
    counts = judge_column("", [match[2] for _, _, match in found]).scores if found else {}
    odd = excess(word_rarity([match[1] for _, _, match in found]))
    bits = [counts.get(at, 0.0) + over for at, over in enumerate(odd)]
    oddest = sorted(range(len(found)), key=lambda at: (-bits[at], at))[:_TOLD_WHOLE]
    return {found[at][0]: (found[at][1], bits[at]) for at in oddest if bits[at] >= _MIN_BITS}


def _tell(
    case: Case,
    commits: Sequence[_Commit],
    values: tuple[Mapping[int, float], Sequence[float]],
    room: tuple[int, float],
) -> _Told:
    """Raw lines in a part of the room, and notes of the other commits in the rest."""
    (ranks, worth), (whole, share) = values, room
    chosen = choose_lines(case.document, ranks, int(whole * share))
    raw = {commit.start for commit in commits if {commit.start, commit.subject} <= chosen}
    chosen = frozenset(
        at
        for commit in commits
        if commit.start in raw
        for at in range(commit.start, commit.end)
        if at in chosen
    )
    left = Budget(case.document, whole, _MARK_CHARS).left(chosen)
    noted: list[_Commit] = []
    for at in sorted(range(len(commits)), key=lambda at: (-worth[at], at)):
        length = len(_note(case.document.lines, commits[at])) + _NOTE_CHARS
        if commits[at].start not in raw and length <= left:
            noted.append(commits[at])
            left -= length
    return _Told(chosen, _place(case.document.lines, chosen, noted), len(raw) + len(noted))


def _place(
    lines: Sequence[str], chosen: frozenset[int], noted: Sequence[_Commit]
) -> dict[int, str]:
    """Notes of commits before the gap that holds them, in the order of the log."""
    notes: dict[int, str] = {}
    shown, above = sorted(chosen), 0
    gap = 0
    for commit in sorted(noted):
        while above < len(shown) and shown[above] < commit.start:
            gap = shown[above] + 1
            above += 1
        said = _note(lines, commit)
        notes[gap] = f"{notes[gap]}\n{said}" if gap in notes else said
    return notes


def _note(lines: Sequence[str], commit: _Commit) -> str:
    subject = " ".join(lines[commit.subject].strip(f"{_GRAPH}\t").split())
    if len(subject) > _SUBJECT_CHARS:
        subject = f"{subject[: _SUBJECT_CHARS - 1]}…"
    return f'{commit.id} "{subject}"'


def _describe(lines: Sequence[str], commits: Sequence[_Commit]) -> str:
    """How many commits by whom, and when the first and the last of them."""
    authors = Counter(line[7:].strip() for line in lines if line.startswith("Author:"))
    dates = [line[5:].strip() for line in lines if line.startswith("Date:")]
    span = f"dates {dates[-1]} to {dates[0]}" if len(dates) > 1 else ""
    return one_line([f"{len(commits)} commits{people(authors)}", span])


FAMILY = Family("git/log", _find, _draft, looks_for="at least 3 commits with their headers")
