"""Listings of git: log with one line a commit, status and blame.

Of a log the newest commits and the odd ones are kept; of a status every
heading and as many paths as fit; of blame the rarer commits.
"""

import re
from collections import Counter
from collections.abc import Callable

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.families.git_log import people, worth_of
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import MUST, Layout, choose_lines, draft_lines

_GRAPH = r"[*|\\/_. -]*"
# An address before the kind of a symbol, as `nm` prints them, is no commit.
_SYMBOL = r"(?:[0-9a-f]{8}|[0-9a-f]{16}) [A-Za-z?] \S"
_ONELINE = re.compile(rf"{_GRAPH}(?:(?!{_SYMBOL})[0-9a-f]{{7,40}} \S|$)")
_COMMIT = re.compile(rf"{_GRAPH}[0-9a-f]{{7,40}} ")
# Where a branch, a tag or the work at hand stands.
_DECORATED = re.compile(rf"{_COMMIT.pattern}\((?:HEAD\b|tag: |[\w./-]+(?:, |\) ))")
_MIN_COMMITS, _DECORATED_RANK, _MAX_NAMED = 0.3, 25.0, 0.2
_STATUS = re.compile(
    r"(?:On branch|HEAD detached|Your branch|Changes (?:not staged|to be committed)|Untracked files"
    r"|Unmerged paths|nothing to commit|no changes added|  \(use \"|\t\S|[ MADRCU?!]{2} \S|## \S)"
)
_STATUS_HEAD = re.compile(
    r"(?:On branch|HEAD detached|Changes |Untracked files|Unmerged paths|## )"
)
_BLAME = re.compile(r"\^?([0-9a-f]{7,40}) .*?\((.*?)\s+\d{4}-\d\d-\d\d .*?\s+\d+\) ")
_MIN_SHARE = 0.85
_BITS_WEIGHT = 6.0
_RARE_KIND, _RARE_ENDING = 4, 2
# The newest commits of a list take this part of the room.
_NEWEST_SHARE = 0.5
_SHORT_STATUS = re.compile(r"[ MADRCU?!]{2} \S")


def _find(case: Case) -> "tuple[str, Ranking] | None":
    for name, pattern, rank in (
        ("blame", _BLAME, _rank_blame),
        ("log-oneline", _ONELINE, _rank_oneline),
        ("status", _STATUS, _rank_status),
    ):
        if case.sampled_share(pattern) >= _MIN_SHARE and _is_told(case, name):
            return name, rank
    return None


def _is_told(case: Case, name: str) -> bool:
    """True where what only such a listing has is there: commits between graphs, a status' head."""
    if name == "status":
        return any(map(_STATUS_HEAD.match, case.document.lines))
    return name == "blame" or case.sampled_share(_COMMIT) >= _MIN_COMMITS


def _draft(case: Case, found: "tuple[str, Ranking]") -> Draft | None:
    name, rank = found
    ranks, note = rank(case)
    chosen = choose_lines(case.document, ranks, case.room - len(note) - 3)
    return draft_lines(case.document, f"git/{name}", chosen, Layout({-1: note}))


Ranking = Callable[[Case], tuple[dict[int, float], str]]


def _rank_oneline(case: Case) -> tuple[dict[int, float], str]:
    """The newest side by side, so that marks take little, then named and odd ones."""
    lines = case.document.lines
    commits = [at for at in case.filled if _COMMIT.match(lines[at])]
    worth = worth_of([lines[at] for at in commits])
    ranks = dict(zip(commits, worth, strict=True))
    named = [at for at in commits if _DECORATED.match(lines[at])]
    left = int(case.room * _NEWEST_SHARE)
    for at in named if len(named) <= _MAX_NAMED * len(commits) else ():
        ranks[at] += _DECORATED_RANK
    for at, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            break
        ranks[at] = MUST + ranks.get(at, 0.0)
    return ranks, f"{len(commits)} commits"


def _rank_status(case: Case) -> tuple[dict[int, float], str]:
    """Headings, then paths: the first of each section and those of rare kinds before others."""
    lines = case.document.lines
    kinds = Counter(_status_kind(lines[at]) for at in case.filled)
    bits = excess(word_rarity([lines[at] for at in case.filled]))
    endings = Counter(_ending(lines[at]) for at in case.filled)
    ranks: dict[int, float] = {}
    in_section = 0
    for at, over in zip(case.filled, bits, strict=True):
        line = lines[at]
        if not line.startswith(("\t", "  (use")) and line[:1].strip():
            ranks[at], in_section = MUST, 0
            continue
        in_section += 1
        is_rare = kinds[_status_kind(line)] <= _RARE_KIND
        if line.startswith("  (use"):
            ranks[at] = 3.0
            continue
        # What no other path is like may be what nobody meant to have there.
        is_odd = endings[_ending(line)] <= _RARE_ENDING
        ranks[at] = 20.0 / in_section + (30.0 if is_rare else 5.0)
        ranks[at] += (12.0 if is_odd else 0.0) + _BITS_WEIGHT * over
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common() if kind)
    return ranks, f"paths: {told}"


def _ending(line: str) -> str:
    """The ending of a path; of a hidden or bare name nothing but a dot or no dot."""
    name = line.rsplit("/", 1)[-1].split()[-1:]
    return "".join(name[0].rpartition(".")[1:]) if name else ""


def _status_kind(line: str) -> str:
    """What a status says of a path: "modified", "??", "untracked"; empty for other lines."""
    if line.startswith("\t"):
        return line.split(":")[0].strip() if ":" in line else "untracked"
    return line[:2] if _SHORT_STATUS.match(line) else ""


def _rank_blame(case: Case) -> tuple[dict[int, float], str]:
    lines = case.document.lines
    found = [_BLAME.match(line) for line in lines]
    commits = Counter(match.group(1) for match in found if match)
    authors = Counter(match.group(2) for match in found if match)
    bits = excess(
        word_rarity([line[m.end() :] if m else "" for line, m in zip(lines, found, strict=True)])
    )
    ranks: dict[int, float] = {}
    before = ""
    for at, match in enumerate(found):
        commit = match.group(1) if match else ""
        rarity = 20.0 / commits[commit] if match else 30.0
        ranks[at] = rarity + (10.0 if commit != before else 1.0) + 5.0 * (1 - at / len(lines))
        if match:
            # What a person wrote who wrote little else, or what is not committed, tells most.
            ranks[at] += _BITS_WEIGHT * bits[at] + 20.0 / authors[match.group(2)]
        before = commit
    return ranks, f"{len(commits)} commits over {len(lines)} lines{people(authors)}"


FAMILY = Family("git", _find, _draft, looks_for="commits, a blame or a status in 85 % of the lines")
