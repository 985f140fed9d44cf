"""Reading a query: words, quoted phrases, filters; nothing in it is an operator of the index.

Questions are asked in sentences, so words that every sentence holds are left
out, and of runs without spaces the pairs that only such words make up.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from flowctx.cjk import is_spaceless, pairs, runs, spaced

MOST_CHARS = 2_000
_MOST_TERMS = 40
_FILTER = re.compile(r'(?<!\S)(tool|file|role|after|before|session):("[^"]*"|\S+)', re.IGNORECASE)
_PHRASE = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」|«([^»]+)»')
_WORD = re.compile(r"\w+")
_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "model": "assistant",
    "tool": "toolResult", "toolresult": "toolResult", "result": "toolResult",
    "note": "note", "summary": "compactionSummary", "compactionsummary": "compactionSummary",
    "branchsummary": "branchSummary", "card": "card",
}  # fmt: skip
_NAMED_ROLES = "user, assistant, tool, note, summary or card"
# Words that questions are made of, in the languages of the notes' word tables.
_STOP_TEXT = (
    "a an and are as at be been but by can could did do does for "
    "from get had has have how i if in into is it its me my not "
    "of on or our should so than that the their them then there "
    "these they this to up us was we were what when where which "
    "who why will with would you your again ago about any did "
    "please tell remember said say earlier before der die das den "
    "dem des ein eine einen und oder ist sind war waren wie was "
    "wer wo wann warum welche welcher welches mit von zu im in "
    "auf für nicht ich du wir sie es hat haben el la los las un "
    "una de del que y o es son fue como cual donde cuando por "
    "para con en no se le les des une et ou est sont quel quelle "
    "quels dans pour avec sur qui quoi comment pas и в во на не "
    "что как где когда кто это был была были по из за для с у о "
    "об"
)
_STOP_WORDS = frozenset(_STOP_TEXT.split())
_STOP_SIGNS = frozenset(
    "的了吗呢吧啊呀么是在有和与或我你他她它们这那哪个些什怎为及就都也还把被让请给对从到说过几多少"
    "何のはがをにへとでもやかねよです ますしたるれた誰何時どこいつなぜ"
    "은는이가을를의에서로와과도만요다까니무엇어디언제누가왜"
)


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it is matched.

    Attributes:
        phrases: that must be there, as they are indexed.
        words: that rank what is found, as they are indexed.
        quoted: the phrases as they are written.
        shown: texts to highlight, as they are written.
        role, tool, session: filters, empty for none; `is_everywhere` for all sessions.
        after_ms, before_ms: Unix milliseconds, 0 for none.
        problems: what could not be read, in words.
    """

    phrases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    role: str = ""
    tool: str = ""
    session: str = ""
    is_everywhere: bool = False
    after_ms: int = 0
    before_ms: int = 0
    problems: tuple[str, ...] = ()

    @property
    def has_words(self) -> bool:
        """True when words or phrases are asked for."""
        return bool(self.phrases or self.words)

    @property
    def is_empty(self) -> bool:
        """True when nothing is asked for, by words or by filters."""
        filters = (self.role, self.tool, self.session, self.after_ms, self.before_ms)
        return not (self.has_words or self.is_everywhere or any(filters))


def read_query(text: str) -> Query:
    """Read a query; any text is one."""
    text = text[:MOST_CHARS].encode("utf-8", "replace").decode("utf-8")
    filters: dict[str, list[str]] = {}
    for name, value in _FILTER.findall(text):
        filters.setdefault(name.lower(), []).append(value.strip('"'))
    rest = _FILTER.sub(" ", text)
    said = [next(filter(None, found)) for found in _PHRASE.findall(rest)]
    said += filters.get("file", [])
    loose = _PHRASE.sub(" ", rest)
    phrases = [phrase for each in said if (phrase := _phrase(each))]
    words = _words(loose)
    after, before, problems = _times(filters)
    role, unknown = _role(filters)
    session = next(iter(filters.get("session", [])), "")
    is_everywhere = session.lower() in ("all", "any", "*")
    return Query(
        phrases=tuple(phrases[:_MOST_TERMS]),
        words=tuple(words[:_MOST_TERMS]),
        quoted=tuple(said[:_MOST_TERMS]),
        shown=tuple([*said, *_shown(loose)][: 2 * _MOST_TERMS]),
        role=role,
        tool=next(iter(filters.get("tool", [])), ""),
        session="" if is_everywhere else session,
        is_everywhere=is_everywhere,
        after_ms=after,
        before_ms=before,
        problems=(*problems, *unknown),
    )


def _role(filters: dict[str, list[str]]) -> tuple[str, list[str]]:
    asked = next(iter(filters.get("role", [])), "")
    role = _ROLES.get(asked.lower(), "")
    if role or not asked:
        return role, []
    return "", [f"role:{asked[:40]} is none (write {_NAMED_ROLES}) and was left out"]


def _phrase(text: str) -> str:
    """Words in a row as they are indexed; the single character that ends a run is left out."""
    words = _WORD.findall(spaced(text))
    if len(words) > 1 and len(words[-1]) == 1 and is_spaceless(words[-1]):
        words = words[:-1]
    elif len(words) == 1 and len(words[0]) == 1 and is_spaceless(words[0]):
        return f"{words[0]}*"
    return " ".join(words)


def _words(text: str) -> list[str]:
    found: list[str] = []
    for token in text.split():
        plain = [word for word in _WORD.findall(spaced(token)) if not is_spaceless(word)]
        found += [word for word in plain if word.lower() not in _STOP_WORDS]
        if len(plain) > 1:
            found.append(" ".join(plain))
    for run in runs(text):
        found += _run_terms(run)
    words = list(dict.fromkeys(found))
    # A question of such words alone is still one.
    return words or list(dict.fromkeys(_WORD.findall(spaced(text))))


def _run_terms(run: str) -> list[str]:
    if len(run) == 1:
        return [] if run in _STOP_SIGNS else [f"{run}*"]
    return [pair for pair in pairs(run)[:-1] if not set(pair) <= _STOP_SIGNS]


def _shown(text: str) -> list[str]:
    words = [word for word in _WORD.findall(text) if not any(map(is_spaceless, word))]
    kept = [word for word in words if word.lower() not in _STOP_WORDS]
    return [*kept, *(term.rstrip("*") for run in runs(text) for term in _run_terms(run))]


def _times(filters: dict[str, list[str]]) -> tuple[int, int, list[str]]:
    times, problems = [], []
    for name in ("after", "before"):
        asked = next(iter(filters.get(name, [])), "")
        try:
            times.append(_time_ms(asked) if asked else 0)
        except (ValueError, OverflowError):
            times.append(0)
            problems.append(f"{name}:{asked[:40]} is no time (write 2026-11-30) and was left out")
    return times[0], times[1], problems


def _time_ms(text: str) -> int:
    time = datetime.fromisoformat(text)
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000)
