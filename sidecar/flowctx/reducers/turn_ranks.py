"""How much each sentence of a talk would be missed.

What is quoted, pasted or said by programs is worth less than what somebody
says anew; who takes something on is told from who thanks.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.cues import Words
from flowctx.reducers.sentences import Sentence, gist, rank_sentences
from flowctx.reducers.spoken import spoken_worth
from flowctx.reducers.turns import Turn

_QUOTED = re.compile(r"[\s>]*>")
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


class Said(NamedTuple):
    """Sentences of a talk as it is read, in order.

    Attributes:
        text: the text with what is wrapped joined; offsets are those of the document.
        sentences: all of them, heads and what stands around them included.
        turns: of each sentence the turn it is of; -1 above the first.
        lines: of each sentence the line it begins in.
        heads: whether it is part of what heads a turn.
    """

    text: str
    sentences: Sequence[Sentence]
    turns: Sequence[int]
    lines: Sequence[int]
    heads: Sequence[bool]

    def body(self, at: int) -> str:
        """The text of a sentence."""
        return self.text[self.sentences[at].start : self.sentences[at].end]


def rank_said(
    words: Words, said: Said, turns: Sequence[Turn], lines: Sequence[str]
) -> dict[int, float]:
    """How much each sentence would be missed; heads are none, and tell none apart.

    Args:
        words: the text that is said.
        said: its sentences.
        turns: who says them.
        lines: the lines of the document.
    """
    costs = _line_costs(lines, turns)
    places = list(_new_places(said, costs))
    worth = rank_sentences(words, [said.sentences[at] for at in places])
    spoken = spoken_worth(list(map(said.body, places)), {turn.speaker for turn in turns})
    ranks = {}
    for at, rank, more in zip(places, worth, spoken, strict=True):
        line, turn = said.lines[at], said.turns[at]
        by_bot = turn >= 0 and turns[turn].is_by_bot
        ranks[at] = rank * (_BOT_SHARE if by_bot else 1.0) + more - costs[line]
        if line < min(_TITLE_LINES, turns[0].start):
            ranks[at] += _TITLE_RANK
    return ranks


def _new_places(said: Said, costs: Sequence[float]) -> Iterator[int]:
    """Places of what is said; what is quoted counts once, and not at all where it is said too."""
    gists = {at: gist(said.body(at)) for at, is_head in enumerate(said.heads) if not is_head}
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
