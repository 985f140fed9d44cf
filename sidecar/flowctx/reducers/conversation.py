"""A draft of a talk: the sentences that state something, each below who says it and when."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Note
from flowctx.reducers.extracts import FLOOR, Extracts, covering
from flowctx.reducers.flow import is_wrapped, join_wrapped
from flowctx.reducers.sentences import Sentence, split_sentences
from flowctx.reducers.turn_ranks import Said, rank_said
from flowctx.reducers.turns import Turn

_QUOTING = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
# Where there is less room, when a mail was written is not shown, nor how many turns there are.
_ROOMY, _NOTED = 2000, 600
# What ranks lower than this share of one of the first few ranks is chatter beside them.
_STATED, _LEAST_SHARE = 6, 0.3
# A message of so many characters is shown whole.
_SHORT_MESSAGE = 160
# So many speakers are named in what is said of all of them, where most turns have one.
_MAX_NAMED, _MIN_KNOWN = 4, 0.5


class Talk(NamedTuple):
    """What is said in turns, and how much each sentence of it would be missed."""

    turns: Sequence[Turn]
    said: Said
    ranks: Mapping[int, float]


def read_talk(case: Case, turns: Sequence[Turn]) -> Talk:
    """The sentences of some turns; in every room the same."""
    document = case.document
    said = _read(document, turns)
    words = case.words.respaced(said.text)
    return Talk(turns, said, rank_said(words, said, turns, document.lines))


def draft_talk(case: Case, talk: Talk) -> Draft:
    """A draft that shows what is stated in a talk, and says how many turns there are by whom."""
    text, ranks = case.document.text, talk.ranks
    heads = _heads_of(talk.said, talk.turns, 2 if case.room >= _ROOMY else 1)
    note = _note(talk.turns) if case.room >= _NOTED else ""
    room = case.room - len(note) - 3
    extracts = Extracts(text, covering(text, talk.said.sentences), room, "passages")
    draft = extracts.draft("talk", extracts.choose(ranks, floor=_floor(ranks), below=heads))
    return replace(draft, pieces=(Note(note), *draft.pieces)) if note else draft


def _floor(ranks: Mapping[int, float]) -> float:
    """The rank up to which nothing is shown: small beside what is stated."""
    best = sorted(ranks.values(), reverse=True)[:_STATED]
    return max(FLOOR, _LEAST_SHARE * best[-1]) if best else FLOOR


def _read(document: Document, turns: Sequence[Turn]) -> Said:
    """The sentences of a talk; a head within a line is one of its own."""
    begins = [_body_start(document, turn) for turn in turns]
    inline = {start for start, turn in zip(begins, turns, strict=True) if turn.column}
    text = _joined(document, turns, begins)
    chars = list(text)
    for start in inline:
        chars[start - 1] = "\n"
    short = dict(_short_messages(document, turns, begins))
    sentences = _of_messages(split_sentences("".join(chars)), inline, short)
    starts = [document.starts[turn.start] for turn in turns]
    owners = [bisect_right(starts, each.start) - 1 for each in sentences]
    heads = [
        at >= 0 and each.start < begins[at] for at, each in zip(owners, sentences, strict=True)
    ]
    lines = [document.line_at(each.start) for each in sentences]
    return Said(text, sentences, owners, lines, heads)


def _of_messages(
    sentences: Iterable[Sentence], inline: Collection[int], short: Mapping[int, int]
) -> list[Sentence]:
    """The sentences, where those of a short message behind its head are one.

    Args:
        sentences: as they are split.
        inline: where what is said begins within a line.
        short: of the messages that are shown whole, where they begin and end.
    """
    messages: list[Sentence] = []
    end = 0
    for each in sentences:
        if each.start in short:
            # It is shown with its head, whatever stands before it on its line.
            messages[-1], end = each, short[each.start]
        elif each.start < end:
            messages[-1] = messages[-1]._replace(end=each.end)
        else:
            messages.append(each._replace(opens=False) if each.start in inline else each)
    return messages


def _short_messages(
    document: Document, turns: Sequence[Turn], begins: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Where messages of one line that begin within it, and are short, begin and end."""
    for turn, start in zip(turns, begins, strict=True):
        end = document.line_end(turn.body) if turn.column else start
        further = document.lines[turn.body + 1 : turn.end]
        if start < end <= start + _SHORT_MESSAGE and not any(map(str.strip, further)):
            yield start, end


def _body_start(document: Document, turn: Turn) -> int:
    """Where what is said in a turn begins."""
    if turn.body >= len(document.lines):
        return len(document.text)
    return document.starts[turn.body] + turn.column


def _joined(document: Document, turns: Sequence[Turn], begins: Sequence[int]) -> str:
    """The text with what is wrapped in each body joined, signs of quoting blank; offsets stay."""
    bodies = (line for turn in turns for line in document.lines[turn.body : turn.end])
    if not is_wrapped([line for line in bodies if line.strip()]):
        return _QUOTING.sub(lambda sign: " " * len(sign.group()), document.text)
    return "".join(_join_bodies(document, turns, begins))


def _join_bodies(document: Document, turns: Sequence[Turn], begins: Sequence[int]) -> Iterator[str]:
    at, text = 0, document.text
    for turn, start in zip(turns, begins, strict=True):
        end = max(document.line_end(turn.end - 1), start)
        yield text[at:start]
        yield join_wrapped(text[start:end])
        at = end
    yield text[at:]


def _heads_of(said: Said, turns: Sequence[Turn], count: int) -> dict[int, tuple[int, ...]]:
    """Of each sentence of a body, the places of the heads it stands below."""
    places: dict[int, list[int]] = {}
    for at, (turn, line) in enumerate(zip(said.turns, said.lines, strict=True)):
        if said.heads[at] and line in turns[turn].heads[:count]:
            places.setdefault(turn, []).append(at)
    return {
        at: tuple(places.get(turn, ()))
        for at, turn in enumerate(said.turns)
        if turn >= 0 and not said.heads[at]
    }


def _note(turns: Sequence[Turn]) -> str:
    """How many turns by how many there are, and who has most of them; empty where none is named."""
    counts = Counter(" ".join(turn.speaker.split()) for turn in turns)
    if counts.pop("", 0) > _MIN_KNOWN * len(turns):
        return ""
    named = sorted(counts, key=lambda name: (-counts[name], name))[:_MAX_NAMED]
    most = ", ".join(f"{name} {counts[name]}" for name in named)
    bots = sum(turn.is_by_bot for turn in turns)
    by_bots = f"; {bots} by programs" if bots else ""
    more = ", …" if len(counts) > len(named) else ""
    return f"{len(turns)} messages by {len(counts)}: {most}{more}{by_bots}"
