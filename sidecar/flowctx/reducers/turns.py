"""Who says what in threads, chats and mails, where lines that name a speaker and a time head it.

A head stands on a line of its own, or on two: a name, and when it was. What
follows, up to the next head, is the body of the turn.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

# Heads are short; so many lines of them make a talk, and no more than this share are heads.
_MAX_HEAD, MIN_TURNS, _MAX_HEADS = 110, 4, 0.5
# A talk begins with its first turn, or with a few lines of what it is about.
_OPENING = 60
_CLOCK = r"\d{1,2}[:.h]\d\d(?::\d\d)?(?:[.,]\d{1,3})?Z?(?: ?[AaPp]\.?[Mm]\.?)?"
_MONTH = (
    r"(?:[Jj]an|[Ff]eb|[Ff]év|[Mm]ar|[Mm]är|[Aa]pr|[Aa]vr|[Aa]br|[Mm]a[iy]|[Jj]u[nli]|[Aa]ug|[Aa]oû|[Aa]go"
    r"|[Ss]ep|[Oo][ck]t|[Nn]ov|[Dd][eéi][cz]|[Ee]ne)[a-zéûä]{0,7}\.?"
)
_MONTH_DAY = rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
_DAY_MONTH = rf"\d{{1,2}}\.? (?:de )?{_MONTH}(?:,? (?:de )?\d{{4}})?"
_DAY = (
    r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d{1,2}\. ?\d{1,2}\. ?\d{2,4}|\d{1,2}/\d{1,2}(?:/\d{2,4})?"
    rf"|\d{{1,2}}[-/]{_MONTH}[-/]\d{{2,4}}"
    rf"|(?:[A-Z][a-z]{{2,8}},? )?(?:{_MONTH_DAY}|{_DAY_MONTH})|\d{{4}}年\d{{1,2}}月\d{{1,2}}日"
    r"|(?i:today|yesterday|heute|gestern|aujourd'hui|hier|hoy|ayer)|今日|昨日|今天|昨天)"
)
_AGO = (
    r"(?:(?:about |over |almost )?(?:\d{1,3}|an?|one)"
    r" (?:second|minute|hour|day|week|month|year)s? ago|just now|last (?:week|month|year)"
    r"|vor \w{1,6} \w{3,9}|il y a \w{1,6} \w{2,9}|hace \w{1,6} \w{3,9}"
    r"|\d{1,3} ?(?:分|時間|小时|日|天|週間|周|か月|个月|年)前|\d{1,3}(?:m|h|d|w|mo|y) ago)"
)
_WHEN = (
    rf"(?:(?:{_DAY})(?:(?:T|,? |,? at | um | à | a las | · )(?:{_CLOCK}))?|{_AGO}|{_CLOCK})"
    r"(?: ?(?:UTC|GMT|CES?T|[ECMP][SD]T|[+-]\d\d:?\d\d))?"
)
_NAME = (
    r"(?:@|/?u/|\[[–-]\])?[^\W\d_][\w.'’-]{0,30}(?:\[bot\]|#\d{4})?"
    r"(?: [^\W\d_][\w.'’-]{0,24}){0,3}?(?: \([^()\n]{1,24}\)| <[^<>\s]{3,60}>)?"
    r"(?: :[\w+-]{1,30}:){0,2}"
)
_TRAIL = (
    r"(?:\s{0,3}(?:[•·|]|[\[(]?[Ee]dited[\])]?|#\d{1,6}|Newest comment"
    r"|\(bearbeitet\)|\(modifié\)|(?:parent|next|prev|root|context|link|permalink|unvote|reply"
    r"|\[[–+-]\])(?=\s|\Z)))*"
)
_SAID = (
    r" (?:commented|wrote|replied|said|posted|answered|asked|reviewed|approved|requested changes"
    r"|left a comment|added a comment[.:]?|schrieb|kommentierte|hat geschrieben"
    r"|a écrit|a commenté|escribió|comentó)"
    r"(?: on| at| am| le| el)?,? (?:- )?"
)
# What counts a turn before the name in its head.
_COUNTED = r"(?:(?:Comment|Post|Reply|Antwort|Beitrag|Description)(?: #?\d{1,5})?(?: [•·—–-]|:)? )?"
# A name and when; the time first; or nothing but a time, below a name.
_NAMED = re.compile(
    rf"[ \t]{{0,4}}(?:#{{1,6}} |\*\*)?{_COUNTED}(?P<name>{_NAME})(?: \d{{1,5}} points?)?"
    rf"(?:\*\*)?(?:{_SAID}|\s{{0,3}}[•·|—–-] {{1,3}}|,? {{1,6}}[\[(]?|\t{{1,2}})"
    rf"{_WHEN}[\])]?:?{_TRAIL}\s*\Z"
)
_TIMED = re.compile(
    rf"[ \t]{{0,4}}[\[(]?{_WHEN}[\])]?(?: ?[-–—|•·]|,)? {{1,4}}(?P<name>{_NAME}):?\s*\Z"
)
_ALONE = re.compile(
    rf"[ \t]{{0,4}}{_COUNTED}"
    r"(?:(?:answered|asked|posted|commented|on|Posted|Posté|Beantwortet|geantwortet) )?"
    rf"{_WHEN}{_TRAIL}\s*\Z"
)
# What nearly every time has, far quicker to look for than all of it; and how others end.
_DIGITS = re.compile(r"[0-9][0-9.:h/-][0-9]")
_TIMES_WITHOUT = ("now", "week", "month", "year", "前")
_BARE_NAME = re.compile(rf"[ \t]{{0,4}}(?:{_NAME}|[\w.-]{{2,32}}|\w{{2,6}})\s*\Z")
# Fields of a comment, as tools for repositories print them where nobody looks on.
_AUTHOR = re.compile(r"(?:author|von|auteur|autor):\t(?P<name>\S.{0,60})\Z")
_FIELD = re.compile(r"[a-z]{3,12}:(?:\t.{0,60})?\Z|--\Z")
# How a mail is quoted: On 3 March Ann wrote.
_WROTE = re.compile(
    r"(?:On|Am|Le|El|Il|Em|Op|Den)\s(?=.{0,40}\d).{4,60}?[\s,](?:schrieb )?"
    r"(?P<name>[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,3})(?:\s<[^<>\n]{3,60}>)?"
    r"(?:,?\s(?:wrote|a écrit|escribió|ha scritto|escreveu|schreef|skrev))?\s?:\s*\Z"
)
# Fields above a mail.
_FROM = re.compile(
    r"[*>\s]{0,4}(?:From|Von|De|Da|Van|Från|От|差出人|发件人|寄件者|보낸 사람)"
    r"\*{0,2}\s?[:：]\*{0,2}\s*"
    r"\"?(?P<name>[^\s\"<;][^<;\n\"]{0,60}?)\"?(?:\s*[<(\[].{0,80})?\s*\Z"
)
_MAIL_TIME = re.compile(
    r"[*>\s]{0,4}(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Enviado el|Fecha|Data|Inviato"
    r"|Дата|Отправлено|送信日時|日時|日付|发送时间|日期|时间|날짜|보낸 날짜)\*{0,2}\s?[:：]"
)
_MAIL_FIELD = re.compile(
    r"[*>\s]{0,4}(?:[A-Z][\w-]{1,24}|À|Pour|件名|宛先|收件人|主题|抄送|CC|제목|받는 사람|Кому|Тема)"
    r"\*{0,2}\s?[:：]"
)
_MAILBOX = re.compile(r"From \S.{0,60} \d\d:\d\d:\d\d \d{4}\Z")
_MAX_FIELDS = 14
_BOT = re.compile(
    r"(?:\[bot\]|(?:\b|[-_])bot)\Z|\A(?:github-actions|codecov|dependabot|renovate|stale|netlify|vercel|jenkins"
    r"|coveralls|sonarcloud|k8s-ci-robot|mergify|allcontributors|greenkeeper|snyk|bors|homu)\b",
    re.IGNORECASE,
)


# What of a head says more of somebody than the name.
_CALLED = re.compile(r" [(<:]|#\d{4}")


class Turn(NamedTuple):
    """What one says at a time.

    Attributes:
        speaker: the name that is given.
        heads: lines that say who and when.
        start: first line of its head; all lines up to the body belong to it.
        body: first line of what is said.
        end: behind its last line.
        column: characters of that line before what is said, where its head stands there.
    """

    speaker: str
    heads: tuple[int, ...]
    start: int
    body: int
    end: int
    column: int = 0

    @property
    def is_by_bot(self) -> bool:
        """True for what a program says by itself."""
        return bool(_BOT.search(self.speaker))


class _Head(NamedTuple):
    """A head: who, the lines that say so, and the lines [start, body) that are no body."""

    speaker: str
    lines: tuple[int, ...]
    start: int
    body: int


def may_be_talk(lines: Sequence[str]) -> bool:
    """True where one of the first lines looks like a head."""
    return any(len(line) <= _MAX_HEAD and _kind(line) for line in lines[:_OPENING])


def read_turns(lines: Sequence[str]) -> list[Turn]:
    """The turns of a talk in order; none where the lines are no talk."""
    heads = _alike(list(_heads(lines)))
    filled = sum(1 for line in lines if line.strip())
    if len(heads) < MIN_TURNS or len(heads) > _MAX_HEADS * filled:
        return []
    ends = [head.start for head in heads[1:]] + [len(lines)]
    return [
        Turn(head.speaker, head.lines, head.start, head.body, end)
        for head, end in zip(heads, ends, strict=True)
    ]


@lru_cache(maxsize=4096)
def _kind(line: str) -> str:
    """What kind of a head a line is, if any; most lines fail by their first characters."""
    body = line.strip()
    if not body or len(body) > _MAX_HEAD:
        return ""
    if "\t" in line and _AUTHOR.match(line):
        return "author"
    if (":" in body or "：" in body) and _FROM.match(line):
        return "mail"
    if not (_DIGITS.search(body) or " ago" in body or body.endswith(_TIMES_WITHOUT)):
        return ""
    if body[-1] == ":" and _WROTE.match(line):
        return "wrote"
    if _ALONE.match(line):
        return "alone"
    if _NAMED.match(line):
        return "named"
    return "timed" if _TIMED.match(line) else ""


def _heads(lines: Sequence[str]) -> Iterator[tuple[str, _Head]]:
    at = 0
    while at < len(lines):
        line = lines[at]
        kind = _kind(line) if len(line) <= _MAX_HEAD else ""
        head = _READ[kind](lines, at) if kind else None
        if head:
            yield kind, head
            at = head.body
        else:
            at += 1


def _read_named(lines: Sequence[str], at: int) -> _Head | None:
    patterns = (_WROTE, _NAMED, _TIMED)
    found = next((each for each in (found.match(lines[at]) for found in patterns) if each), None)
    name = _CALLED.split(found["name"], maxsplit=1)[0].lstrip("@[–-]") if found else ""
    return _Head(name, (at,), at, at + 1) if found else None


def _read_alone(lines: Sequence[str], at: int) -> _Head | None:
    """A time below a name, or above one where it says that it was answered then."""
    above = at > 0 and _BARE_NAME.match(lines[at - 1])
    if above:
        return _Head(lines[at - 1].strip(), (at - 1, at), at - 1, at + 1)
    if at + 1 < len(lines) and _BARE_NAME.match(lines[at + 1]):
        return _Head(lines[at + 1].strip(), (at, at + 1), at, at + 2)
    return None


def _read_author(lines: Sequence[str], at: int) -> _Head | None:
    """A name with fields below, up to a rule."""
    for end in range(at + 1, min(at + _MAX_FIELDS, len(lines))):
        if lines[end] == "--":
            return _Head(lines[at].split("\t", 1)[1].strip(), (at,), at, end + 1)
        if not _FIELD.match(lines[end]):
            return None
    return None


def _read_mail(lines: Sequence[str], at: int) -> _Head | None:
    """Who wrote a mail and when, with further fields."""
    end = at + 1
    while end < min(at + _MAX_FIELDS, len(lines)) and _MAIL_FIELD.match(lines[end]):
        end += 1
    times = tuple(each for each in range(at + 1, end) if _MAIL_TIME.match(lines[each]))
    found = _FROM.match(lines[at])
    if not times or not found:
        return None
    start = at - 1 if at and _MAILBOX.match(lines[at - 1]) else at
    return _Head(found["name"].strip(), (at, *times[:1]), start, end)


_READ = {
    "author": _read_author,
    "mail": _read_mail,
    "alone": _read_alone,
    "wrote": _read_named,
    "named": _read_named,
    "timed": _read_named,
}


def _alike(found: Sequence[tuple[str, _Head]]) -> list[_Head]:
    """The heads of the kind that most are of; of others none heads anything."""
    counts = Counter(kind for kind, _ in found)
    if not counts:
        return []
    # Of as many, the heads of mails come before how these are quoted.
    most = max(counts, key=lambda kind: (counts[kind], kind != "wrote", kind))
    heads = [head for kind, head in found if kind == most]
    # A head may take a line of the one before it where nothing is said between.
    return heads[:1] + [late for early, late in pairwise(heads) if late.start >= early.body]
