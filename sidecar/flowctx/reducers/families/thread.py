"""Threads, chats and mails whose turns have heads: what is stated in them, each below its head.

What is quoted, pasted or said by programs is worth less than what somebody
says anew; who says nothing that is shown is counted alone.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.draft import Draft, Note
from flowctx.reducers.extracts import FLOOR, Extracts, covering
from flowctx.reducers.families.family import Family
from flowctx.reducers.flow import is_wrapped, join_wrapped
from flowctx.reducers.running import is_running
from flowctx.reducers.sentences import Sentence, gist, rank_sentences, split_sentences
from flowctx.reducers.spoken import spoken_worth
from flowctx.reducers.turns import Turn, may_be_talk, read_turns

# So many of the lines that are said are sentences, or short.
_MIN_RUNNING, _MAX_SHORT = 0.35, 60
_QUOTED = re.compile(r"[\s>]*>")
_QUOTING = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_WROTE = re.compile(
    r"(?:On|Am|Le|El|Il|Em|Op|Den)\s.{6,120}(?:wrote|schrieb.{0,40}|écrit|escribió|ha scritto"
    r"|escreveu|schreef|skrev)\s?:\s*\Z|.{0,80}(?:さんは書きました|写道)\s?[:：]\s*\Z"
)
# What stands around what is said: buttons, counts, marks of being edited.
_CHROME = re.compile(
    r"\s*(?:Share|Follow|Reply|Like|Quote|Report|Solved|Improve this answer|Add a comment"
    r"|\d{1,5} (?:Likes?|replies|reply|points?|upvotes?|reactions?)"
    r"|[\d,]{1,7}|[\d,.]{1,7}k?(?: (?:[\d,]+ )?(?:gold|silver|bronze) badges?)+"
    r"|(?:\d{1,4}[ ●•]*){1,4}|--|:[\w+-]+:(?: \d+)?)\s*\Z"
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_QUOTE_COST, _PASTED_COST, _CHROME_COST, _BOT_SHARE = 6.0, 6.0, 60.0, 0.25
_TITLE_LINES, _TITLE_RANK = 3, 10.0
# Where there is less room, when a mail was written is not shown.
_ROOMY = 2000
# Of the lines of a talk at least this share is words.
_MIN_WORDED = 0.06
# So many speakers are named in what is said of all of them.
_MAX_NAMED = 4


class _Said(NamedTuple):
    """Sentences of a talk, and of each the turn it is of and the line it begins in."""

    sentences: list[Sentence]
    turns: list[int]
    lines: list[int]


def _find(case: Case) -> list[Turn] | None:
    if not _has_sentences(case) or not may_be_talk(case.glance.split("\n")):
        return None
    turns = read_turns(case.document.lines)
    return turns if turns and _is_said(case.document.lines, turns) else None


@remembered
def _has_sentences(case: Case) -> bool:
    """False where hardly a line is words: nobody says anything there."""
    words = sum(1 for line in case.sample if is_running(line))
    return words >= max(1, _MIN_WORDED * len(case.sample))


def _is_said(lines: Sequence[str], turns: Sequence[Turn]) -> bool:
    """True where most of what the turns hold is said in sentences, or briefly."""
    bodies = [line for turn in turns for line in lines[turn.body : turn.end] if line.strip()]
    running = sum(len(line) for line in bodies if is_running(_QUOTED.sub("", line, count=1)))
    return bool(bodies) and running >= _MIN_RUNNING * sum(map(len, bodies))


def _draft(case: Case, turns: list[Turn]) -> Draft | None:
    document = case.document
    joined = _joined(case, turns)
    split = split_sentences(joined)
    said = _place(case, split, turns)
    ranks = _rank(case, joined, said, turns)
    heads = _heads_of(said, turns, 2 if case.room >= _ROOMY else 1)
    extracts = Extracts(
        document.text, covering(document.text, said.sentences), case.room, "passages"
    )
    note = _note(turns)
    extracts = replace(extracts, room=extracts.room - len(note) - 3)
    chosen = extracts.choose(ranks, floor=FLOOR, below=heads)
    draft = extracts.draft("talk", chosen)
    return replace(draft, pieces=(Note(note), *draft.pieces))


def _joined(case: Case, turns: Sequence[Turn]) -> str:
    """The text with what is wrapped in each body joined; offsets stay."""
    document = case.document
    bodies = [at for turn in turns for at in range(turn.body, turn.end)]
    if not is_wrapped([document.lines[at] for at in bodies if document.lines[at].strip()]):
        return _QUOTING.sub(lambda sign: " " * len(sign.group()), document.text)
    parts, at = [], 0
    for turn in turns:
        start = (
            document.starts[turn.body] if turn.body < len(document.lines) else len(document.text)
        )
        end = document.line_end(turn.end - 1)
        start = min(start, end)
        parts += [document.text[at:start], join_wrapped(document.text[start:end])]
        at = end
    return "".join((*parts, document.text[at:]))


def _place(case: Case, sentences: list[Sentence], turns: Sequence[Turn]) -> _Said:
    starts = [turn.start for turn in turns]
    lines = [case.document.line_at(each.start) for each in sentences]
    return _Said(sentences, [bisect_right(starts, line) - 1 for line in lines], lines)


def _is_head(line: int, turn: int, turns: Sequence[Turn]) -> bool:
    return turn >= 0 and line < turns[turn].body


def _heads_of(said: _Said, turns: Sequence[Turn], count: int) -> dict[int, tuple[int, ...]]:
    """Of each sentence of a body, the places of the heads it stands below."""
    places: dict[int, list[int]] = {}
    for at, (turn, line) in enumerate(zip(said.turns, said.lines, strict=True)):
        if turn >= 0 and line in turns[turn].heads[:count]:
            places.setdefault(turn, []).append(at)
    return {
        at: tuple(places.get(turn, ()))
        for at, (turn, line) in enumerate(zip(said.turns, said.lines, strict=True))
        if turn >= 0 and not _is_head(line, turn, turns)
    }


def _rank(case: Case, joined: str, said: _Said, turns: Sequence[Turn]) -> dict[int, float]:
    """How much each sentence would be missed; heads are none, and tell none apart."""
    costs = _line_costs(case.document.lines, turns)
    places = list(_new_places(joined, said, turns, costs))
    worth = rank_sentences(case.words.respaced(joined), [said.sentences[at] for at in places])
    bodies = [joined[said.sentences[at].start : said.sentences[at].end] for at in places]
    spoken = spoken_worth(bodies, {turn.speaker for turn in turns})
    ranks = {}
    for at, rank, more in zip(places, worth, spoken, strict=True):
        line, turn = said.lines[at], said.turns[at]
        by_bot = turn >= 0 and turns[turn].is_by_bot
        ranks[at] = rank * (_BOT_SHARE if by_bot else 1.0) + more - costs[line]
        if line < min(_TITLE_LINES, turns[0].start):
            ranks[at] += _TITLE_RANK
    return ranks


def _new_places(
    joined: str, said: _Said, turns: Sequence[Turn], costs: Sequence[float]
) -> Iterator[int]:
    """Places of what is said; what is quoted counts once, and not at all where it is said too."""
    gists = {
        at: gist(joined[each.start : each.end])
        for at, each in enumerate(said.sentences)
        if not _is_head(said.lines[at], said.turns[at], turns)
    }
    known = {each for at, each in gists.items() if not costs[said.lines[at]]}
    for at, each in gists.items():
        if not costs[said.lines[at]]:
            yield at
        elif each not in known:
            known.add(each)
            yield at


def _line_costs(lines: Sequence[str], turns: Sequence[Turn]) -> list[float]:
    """What each line is worth less by: quoted, pasted, around what is said, or by a program."""
    costs = [0.0] * len(lines)
    for turn in turns:
        is_pasted = False
        for at in range(turn.body, turn.end):
            line = lines[at]
            is_fence = bool(_FENCE.match(line))
            costs[at] = _PASTED_COST if is_pasted or is_fence else 0.0
            is_pasted ^= is_fence
            if is_fence or _frames(line, turn.speaker):
                costs[at] += _CHROME_COST
            elif _QUOTED.match(line):
                costs[at] += _QUOTE_COST
    return costs


def _frames(line: str, speaker: str) -> bool:
    """True for what stands around what is said: buttons, a name below a letter."""
    body = line.strip().rstrip(",.")
    return body in speaker or bool(_CHROME.match(line) or _WROTE.match(line))


def _note(turns: Sequence[Turn]) -> str:
    """How many turns by how many there are, and who has most of them."""
    counts = Counter(" ".join(turn.speaker.split()) for turn in turns)
    named = sorted(counts, key=lambda name: (-counts[name], name))[:_MAX_NAMED]
    most = ", ".join(f"{name} {counts[name]}" for name in named)
    bots = sum(turn.is_by_bot for turn in turns)
    by_bots = f"; {bots} by programs" if bots else ""
    more = ", …" if len(counts) > len(named) else ""
    return f"{len(turns)} messages by {len(counts)}: {most}{more}{by_bots}"


FAMILY = Family("talk", _find, _draft, looks_for="turns below lines that name a speaker and a time")
