"""Running text: minutes, mails, reports, in any language; whole sentences, the telling ones.

Where paragraphs are lines, sentences are chosen; where lines are wrapped, the
lines of the chosen sentences.
"""

import re
from collections.abc import Iterable, Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.cues import read_vocabulary
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Omitted, Piece, Shown
from flowctx.reducers.families.family import Family
from flowctx.reducers.plain_headings import opening_lines, option_lines, plain_headings
from flowctx.reducers.running import is_running_text
from flowctx.reducers.select import MUST, Budget, draft_lines
from flowctx.reducers.sentences import Sentence, rank_sentences, split_sentences

_WRAPPED_CHARS = 130
_MARK_CHARS = 26
# What a heading between paragraphs is worth beyond a sentence, and how long it is at most.
_HEAD_RANK, _MAX_HEAD = 8.0, 60
# What headings take of the room at most, with what the first head, and with options.
_HEADING_SHARE, _OPENING_SHARE, _OPTION_SHARE = 0.3, 0.45, 0.7
_HEADER = re.compile(
    r"(?:From|To|Cc|Subject|Date|Von|An|Betreff|Datum|De|À|Objet|差出人|件名|发件人|主题|日期|От|Тема)\s*[:：]"
)


def _find(case: Case) -> bool | None:
    return is_running_text(case) or None


def _draft(case: Case, found: bool) -> Draft | None:
    del found
    # Headings and greetings stand between paragraphs: what most of the text is counts.
    lengths = [len(case.document.lines[at]) for at in case.filled]
    in_paragraphs = sum(length for length in lengths if length >= _WRAPPED_CHARS)
    is_wrapped = 2 * in_paragraphs < sum(lengths)
    return _draft_wrapped(case) if is_wrapped else _draft_sentences(case)


def _draft_sentences(case: Case) -> Draft | None:
    text = case.document.text
    sentences = split_sentences(text)
    ranks = rank_sentences(case.words, sentences)
    for at, sentence in enumerate(sentences):
        if _heads(case.document, sentence):
            ranks[at] += _HEAD_RANK
    chosen: set[int] = set()
    left = case.room
    for at in sorted(range(len(sentences)), key=lambda each: (-ranks[each], each)):
        neighbours = (at - 1 in chosen) + (at + 1 in chosen)
        cost = sentences[at].end - sentences[at].start + 1 + (1 - neighbours) * _MARK_CHARS
        if cost <= left and ranks[at] > 1.0:
            chosen.add(at)
            left -= cost
    pieces = tuple(_pieces(sentences, chosen))
    return Draft("prose", pieces, (("sentences", len(sentences)),))


def _heads(document: Document, sentence: Sentence) -> bool:
    """True for a short line between blank ones that ends as no sentence does."""
    at = document.line_at(sentence.start)
    line = document.lines[at].strip()
    if not sentence.opens or len(line) > _MAX_HEAD or sentence.end - sentence.start < len(line):
        return False
    before = document.lines[at - 1].strip() if at else ""
    return not before and line[-1:].isalnum()


def _pieces(sentences: Sequence[Sentence], chosen: set[int]) -> Iterable[Piece]:
    """Sentences side by side in one paragraph are one span; runs left out are one mark."""
    start = 0
    for at in range(1, len(sentences) + 1):
        is_shown = start in chosen
        continues = at < len(sentences) and (at in chosen) == is_shown
        if continues and not (is_shown and sentences[at].opens):
            continue
        begin, end = sentences[start].start, sentences[at - 1].end
        yield Shown(begin, end) if is_shown else Omitted(begin, end, at - start, "sentences")
        start = at


def _draft_wrapped(case: Case) -> Draft | None:
    """Wrapped paragraphs: a sentence that is chosen brings all lines it stands on."""
    document = case.document
    text = "\n".join(document.lines)
    joined = _join_wrapped(text)
    sentences = split_sentences(joined)
    ranks = rank_sentences(read_vocabulary(joined), sentences)
    by_line: dict[int, float] = {}
    for sentence, rank in zip(sentences, ranks, strict=True):
        first, last = document.line_at(sentence.start), document.line_at(sentence.end - 1)
        for line in range(first, last + 1):
            by_line[line] = max(by_line.get(line, 0.0), rank - 0.01 * (line - first))
    for line, body in enumerate(document.lines[:40]):
        if _HEADER.match(body):
            by_line[line] = MUST
    kept = _choose_heads(case)
    chosen = Budget(document, case.room).choose(by_line, floor=1.0, kept=kept)
    return draft_lines(document, "prose", chosen)


def _choose_heads(case: Case) -> frozenset[int]:
    """Headings, what the first of them head, and options: they have room before sentences."""
    lines = case.document.lines
    headings = plain_headings(lines)
    opening = opening_lines(lines, headings)
    kept: frozenset[int] = frozenset()
    for found, share in (
        (headings, _HEADING_SHARE),
        (opening, _OPENING_SHARE),
        (option_lines(lines), _OPTION_SHARE),
    ):
        budget = Budget(case.document, int(case.room * share))
        kept = budget.choose(dict.fromkeys(found, MUST), kept=kept)
    return kept


def _join_wrapped(text: str) -> str:
    """The text with line ends inside paragraphs as spaces; offsets stay as they are."""
    lines = text.split("\n")
    joined = []
    for at, line in enumerate(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        continues = (
            line.strip()
            and following.strip()
            and len(line) >= 50
            and not following.lstrip().startswith(("-", "*", "•", "·", ">", "#", "|"))
            and not re.match(r"\s*\(?\d+[.)]\s", following)
        )
        joined.append(line + (" " if continues else "\n"))
    return "".join(joined)[: len(text)]


FAMILY = Family("prose", _find, _draft, looks_for="sentences in 70 % of the text")
