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

_ONELINE = re.compile(r"[*|\\/_ ]*[0-9a-f]{7,40} \S")
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
_RARE_KIND = 4
_SHORT_STATUS = re.compile(r"[ MADRCU?!]{2} \S")


def _find(case: Case) -> "tuple[str, Ranking] | None":
    for name, pattern, rank in (
        ("blame", _BLAME, _rank_blame),
        ("log-oneline", _ONELINE, _rank_oneline),
        ("status", _STATUS, _rank_status),
    ):
        is_status = name == "status"
        if case.sampled_share(pattern) >= _MIN_SHARE and (
            not is_status or any(map(_STATUS_HEAD.match, case.document.lines))
        ):
            return name, rank
    return None


def _draft(case: Case, found: "tuple[str, Ranking]") -> Draft | None:
    name, rank = found
    ranks, note = rank(case)
    chosen = choose_lines(case.document, ranks, case.room - len(note) - 3)
    return draft_lines(case.document, f"git/{name}", chosen, Layout({-1: note}))


Ranking = Callable[[Case], tuple[dict[int, float], str]]


def _rank_oneline(case: Case) -> tuple[dict[int, float], str]:
    worth = worth_of(case.document.lines)
    return dict(enumerate(worth)), f"{len(worth)} commits"


def _rank_status(case: Case) -> tuple[dict[int, float], str]:
    """Headings, then paths: the first of each section and those of rare kinds before others."""
    lines = case.document.lines
    kinds = Counter(_status_kind(lines[at]) for at in case.filled)
    ranks: dict[int, float] = {}
    in_section = 0
    for at in case.filled:
        line = lines[at]
        if not line.startswith(("\t", "  (use")) and line[:1].strip():
            ranks[at], in_section = MUST, 0
            continue
        in_section += 1
        is_rare = kinds[_status_kind(line)] <= _RARE_KIND
        ranks[at] = (
            3.0 if line.startswith("  (use") else 20.0 / in_section + (30.0 if is_rare else 5.0)
        )
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common() if kind)
    return ranks, f"paths: {told}"


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
