"""Listings of machine code or bytecode: the names of functions, and instructions of few."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.select import Layout, choose_lines, draft_lines

# An address, bytes, and a mnemonic: "  40: e8 00 00  callq  55 <main>"; without bytes the
# address must be written as one, or numbered lines of a source would do.
_INSTRUCTION = re.compile(
    r"\s*(?:=> )?(?:(?:0x(?P<plain>[0-9a-f]{1,16})(?: <[^<>]{1,80}>)?:[ \t]+)"
    r"|(?P<listed>[0-9a-f]{1,16}):[ \t]+(?:[0-9a-f]{2} ?)+[ \t]+)"
    r"(?P<mnemonic>[a-z_][\w.]*)(?P<operands>.*)"
)
_REMARK = re.compile(r"[;#]|//")
_NAME = re.compile(r"[0-9a-f]{4,16} <(.+)>:$|([\w.$<>(), \[\]]+):?$")
_MIN_INSTRUCTIONS, _MIN_SHARE = 12, 0.6
# Nearly all addresses are above the one before.
_RISING = 0.9
_NAME_RANK, _OTHER_RANK, _ODD_RANK, _PLAIN_RANK = 40.0, 45.0, 30.0, 1.0
# Instructions are odd up to this part of all.
_RARE_SHARE = 0.02
_MAX_TOLD = 8
_PLAIN_SHARE = 0.2


class _Instruction(NamedTuple):
    """An instruction: its line, address, mnemonic, and whether a remark follows it."""

    at: int
    address: int
    mnemonic: str
    has_remark: bool


def _find(case: Case) -> list[_Instruction] | None:
    if case.sampled_share(_INSTRUCTION) < _MIN_SHARE:
        return None
    found = [_read(at, case.document.lines[at]) for at in case.readable]
    listed = [each for each in found if each]
    if len(listed) < max(_MIN_INSTRUCTIONS, _MIN_SHARE * len(case.filled)):
        return None
    rising = sum(1 for one, next_ in pairwise(listed) if next_.address > one.address)
    return listed if rising >= _RISING * (len(listed) - 1) - _names_between(listed) else None


def _read(at: int, line: str) -> _Instruction | None:
    match = _INSTRUCTION.match(line)
    if match is None:
        return None
    address = int(match["plain"] or match["listed"], 16)
    return _Instruction(at, address, match["mnemonic"], bool(_REMARK.search(match["operands"])))


def _names_between(listed: Sequence[_Instruction]) -> int:
    """How many functions there are: each may count from nought."""
    return sum(1 for one, next_ in pairwise(listed) if next_.at > one.at + 1)


def _draft(case: Case, listed: list[_Instruction]) -> Draft | None:
    counts = Counter(each.mnemonic for each in listed)
    remarks = sum(1 for each in listed if each.has_remark)
    taken = {each.at for each in listed}
    named = [at for at in case.filled if at not in taken and _NAME.match(case.document.lines[at])]
    ranks = dict.fromkeys(case.filled, _OTHER_RANK) | dict.fromkeys(named, _NAME_RANK)
    for each in listed:
        held = counts[each.mnemonic]
        if each.has_remark:
            held = min(held, remarks)
        is_odd = held <= max(1, _RARE_SHARE * len(listed))
        bits = math.log2(len(listed) / held)
        ranks[each.at] = _ODD_RANK + bits if is_odd else _PLAIN_RANK
    told = ", ".join(f"{name} {count}" for name, count in counts.most_common(_MAX_TOLD))
    note = f"{len(listed)} instructions: {told}" + (", …" if len(counts) > _MAX_TOLD else "")
    return _show(case, ranks, named, note)


def _show(case: Case, ranks: dict[int, float], named: Sequence[int], note: str) -> Draft:
    room = case.room - len(note) - 3
    names = [_name(case.document.lines[at]) for at in named]
    chosen = choose_lines(case.document, ranks, room, floor=_PLAIN_RANK)
    aside = 0
    if not chosen.issuperset(named):
        aside = names_room(names, room)
        chosen = choose_lines(case.document, ranks, room - aside, floor=_PLAIN_RANK)
    hidden = [at for at in named if at not in chosen]
    notes = {-1: note}
    if told := tell_names([_name(case.document.lines[at]) for at in hidden], aside):
        notes[hidden[0]] = told
    if sum(len(case.document.lines[at]) for at in chosen) < room * _PLAIN_SHARE:
        chosen |= choose_lines(case.document, ranks, int(room * _PLAIN_SHARE))
    return draft_lines(case.document, "assembly", chosen, Layout(notes))


def _name(line: str) -> str:
    match = _NAME.match(line)
    return (match.group(1) or match.group(2) or "") if match else ""


FAMILY = Family(
    "assembly", _find, _draft, looks_for="instructions at rising addresses in 60 % of the lines"
)
