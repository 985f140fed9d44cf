"""Running text: minutes, mails, reports, in any language; whole sentences, the telling ones.

Sentences are chosen wherever they stand: in paragraphs that are lines, over
the ends of wrapped lines, in what a mail quotes.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft
from flowctx.reducers.extracts import FLOOR, Extracts, covering
from flowctx.reducers.families.family import Family
from flowctx.reducers.flow import CUE_TIME, is_wrapped, join_cues, join_wrapped
from flowctx.reducers.plain_headings import opening_lines, option_lines, plain_headings
from flowctx.reducers.running import is_running_text
from flowctx.reducers.select import MUST, Budget
from flowctx.reducers.sentences import Sentence, rank_sentences, split_sentences
from flowctx.reducers.spoken import speakers_of, spoken_worth

_HEADER_LINES, _HEADER_SHARE = 40, 0.25
# What a heading between paragraphs is worth beyond a sentence, and how long it is at most.
_HEAD_RANK, _MAX_HEAD = 8.0, 60
# Under an answer stands what it answers, the older the deeper: each step is worth less.
_QUOTING, _QUOTE_COST = re.compile(r"[\s>]*>"), 3.0
# How manual pages begin: what it is called, indented, and before long a section in capitals.
_MANUAL = re.compile(
    r"^(?:NAME|BEZEICHNUNG|NOM|NOMBRE)\n[ \t]+\S.*\n(?:.*\n){1,12}?[A-ZÄÖÜÉ][A-ZÄÖÜÉ ]{3,40}$",
    re.MULTILINE,
)
# So many lines of subtitles are times, one in four or five of all that are not blank.
_MIN_CUES, _CUE_SHARE = 5, 0.18
# What headings take of the room at most, with what the first head, and with options.
_HEADING_SHARE, _OPENING_SHARE, _OPTION_SHARE = 0.3, 0.45, 0.7
# A field of a name and a short value; so many lines of them are the head of a text.
_FIELD, _MIN_FIELDS = re.compile(r"[^\W\d_][\w /-]{0,24}\s*[:：]\s*\S.{0,90}\Z"), 3
_HEADER = re.compile(
    r"(?:From|Subject|Date|Von|Betreff|Datum|De|Objet|Asunto|Fecha|Da|Oggetto|Data|Assunto|差出人|件名"
    r"|日時|发件人|主题|日期|보낸 사람|제목|날짜|От|Тема|Дата)\s*[:：]"
)


def _find(case: Case) -> bool | None:
    text = case.document.text
    return is_running_text(case) or _has_cues(case) or bool(_MANUAL.search(text)) or None


def _has_cues(case: Case) -> bool:
    """True for subtitles: words in parts that have a time each."""
    timed = sum(1 for at in case.filled if CUE_TIME.match(case.document.lines[at]))
    return timed >= max(_MIN_CUES, _CUE_SHARE * len(case.filled))


def _draft(case: Case, found: bool) -> Draft | None:
    del found
    if _has_cues(case):
        return _draft_sentences(case, join_cues(case.document.text))
    filled = [case.document.lines[at] for at in case.filled]
    return _draft_sentences(case, join_wrapped(case.document.text) if is_wrapped(filled) else "")


def _draft_sentences(case: Case, joined: str) -> Draft | None:
    """The sentences that say most; of wrapped text, as it reads when it is joined."""
    document = case.document
    sentences = split_sentences(joined or document.text)
    words = case.words.respaced(joined) if joined else case.words
    ranks = dict(enumerate(rank_sentences(words, sentences)))
    if speakers := speakers_of(document.text):
        bodies = [document.text[each.start : each.end] for each in sentences]
        for at, worth in enumerate(spoken_worth(bodies, speakers)):
            ranks[at] += worth
    is_quoting = "\n>" in document.text
    for at, sentence in enumerate(sentences):
        if _heads(document, sentence):
            ranks[at] += _HEAD_RANK
        if is_quoting:
            quoted = _QUOTING.match(document.lines[document.line_at(sentence.start)])
            ranks[at] -= _QUOTE_COST * (quoted.group().count(">") if quoted else 0)
    lines = _choose_heads(case, is_wrapped=bool(joined))
    kept = [at for at, each in enumerate(sentences) if document.line_at(each.start) in lines]
    extracts = Extracts(document.text, covering(document.text, sentences), case.room)
    return extracts.draft("prose", extracts.choose(ranks, floor=FLOOR, kept=kept))


def _heads(document: Document, sentence: Sentence) -> bool:
    """True for a short line between blank ones that ends as no sentence does."""
    at = document.line_at(sentence.start)
    line = document.lines[at].strip()
    if not sentence.opens or len(line) > _MAX_HEAD or sentence.end - sentence.start < len(line):
        return False
    before = document.lines[at - 1].strip() if at else ""
    return not before and line[-1:].isalnum()


def _choose_heads(case: Case, *, is_wrapped: bool) -> frozenset[int]:
    """Headings, what the first of them head, and options: they have room before sentences."""
    lines = case.document.lines
    headings = plain_headings(lines) if is_wrapped else []
    opening = opening_lines(lines, headings)
    kept: frozenset[int] = frozenset()
    for found, share in (
        (_header_lines(lines), _HEADER_SHARE),
        (headings, _HEADING_SHARE),
        (opening, _OPENING_SHARE),
        (option_lines(lines) if is_wrapped else [], _OPTION_SHARE),
    ):
        budget = Budget(case.document, int(case.room * share))
        kept = budget.choose(dict.fromkeys(found, MUST), kept=kept)
    return kept


def _header_lines(lines: Sequence[str]) -> list[int]:
    """Who wrote of what and when, above a mail; or fields like that above any text."""
    first = lines[:_HEADER_LINES]
    headers = [at for at, line in enumerate(first) if _HEADER.match(line)]
    fields = range(len(list(takewhile(_FIELD.match, first))))
    return headers or (list(fields) if len(fields) >= _MIN_FIELDS else [])


FAMILY = Family("prose", _find, _draft, looks_for="sentences in 70 % of the text")
