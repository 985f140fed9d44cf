"""The sections of a note, found by their headings in any of the known languages.

Models word and mark headings as they like: "## Next", "**Next steps:**",
"3. 下一步：…". A heading is a short line that is marked as one and holds a word
of the section; what stands behind its colon belongs to the section.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from flowctx.dag.wording.lexicon import LANGUAGES, SECTIONS, lexicon

KEPT = "kept"
_HEADING_MAX_CHARS = 60
# A line with a colon and no other mark is a heading only if its name is as short as this.
_BARE_MAX_CHARS = 30
# With fewer sections than this under plain marks, the note marks its headings otherwise.
_FEW = 3
_PLAIN_MARK = r"#{1,6}\s+|\*\*|__|【|\[(?! |x\])"
_NUMBER_MARK = r"\(?(?:\d{1,2}|[一二三四五六七八九十])[.)、．）]\s*"
# Numbers and bare names also begin lines that are no headings, so they are tried last.
_MARKS = (
    re.compile(rf"\s*(?:{_NUMBER_MARK})?(?:{_PLAIN_MARK})+(?:{_NUMBER_MARK})?"),
    re.compile(rf"\s*(?:{_NUMBER_MARK}|{_PLAIN_MARK})+"),
    re.compile(rf"\s*(?:{_NUMBER_MARK}|{_PLAIN_MARK})+|\s*(?=[^:：]{{1,{_BARE_MAX_CHARS}}}[:：])"),
)
_COLON = re.compile(r"\s*[:：]\s*(?:\*\*|__)?\s*|(?:\*\*|__|】|\])\s*(?:[:：]\s*)?")
_TRIMMED = " *_#【】[]：:"
_BULLET = re.compile(r"^\s*[-*+•·–]\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a note.

    Attributes:
        key: which one; "" for what stands before the first heading or under one of no section.
        heading: the line as written.
        lines: below it, without blank lines at the ends.
    """

    key: str
    heading: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """All lines, joined."""
        return "\n".join(self.lines)


def parse_sections(text: str) -> tuple[Section, ...]:
    """Cut a note at its headings; what stands before the first one has key ""."""
    lines = text.split("\n")
    readings = [_cut(lines, _MARKS[0])]
    while len(present_keys(readings[-1])) < _FEW and len(readings) < len(_MARKS):
        readings.append(_cut(lines, _MARKS[len(readings)]))
    return max(readings, key=lambda sections: len(present_keys(sections)))


def _cut(note: list[str], marks: re.Pattern[str]) -> tuple[Section, ...]:
    sections: list[Section] = []
    key, heading, lines = "", "", list[str]()
    for line in note:
        found = _heading(line, marks)
        if found is None:
            lines.append(line)
            continue
        sections.append(_section(key, heading, lines))
        key, heading, rest = found
        lines = [rest] if rest else []
    sections.append(_section(key, heading, lines))
    return tuple(section for section in sections if section.lines or section.key)


def section_text(sections: tuple[Section, ...], key: str) -> str:
    """The text of all sections of a key, joined."""
    return "\n".join(section.text for section in sections if section.key == key)


def present_keys(sections: tuple[Section, ...]) -> frozenset[str]:
    """Keys of the seven sections that a note has."""
    return frozenset(section.key for section in sections) & frozenset(SECTIONS)


def bullets_of(section: Section) -> Iterator[str]:
    """The lines of a section, without their bullets and without empty ones."""
    for line in section.lines:
        if bare := _BULLET.sub("", line).strip():
            yield bare


def _section(key: str, heading: str, lines: list[str]) -> Section:
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return Section(key, heading, tuple(lines[start:end]))


def _heading(line: str, marks: re.Pattern[str]) -> tuple[str, str, str] | None:
    """Key of the section a line heads, the heading, and what stands behind its colon."""
    mark = None if _BULLET.match(line) else marks.match(line)
    if mark is None:
        return None
    body = line[mark.end() :]
    colon = _COLON.search(body)
    name = (body[: colon.start()] if colon else body).strip(_TRIMMED)
    rest = body[colon.end() :].strip() if colon else ""
    if not name or len(name) > _HEADING_MAX_CHARS:
        return None
    key = _key_of(name.lower())
    heading = line[: len(line) - len(rest)].rstrip() if rest else line.rstrip()
    return (key, heading, rest) if key else None


def _key_of(name: str) -> str:
    fixed = _fixed_keys().get(name)
    if fixed is not None:
        return fixed
    hits = [(len(word), key) for word, key in _heading_words() if word in name]
    return max(hits)[1] if hits else ""


@cache
def _fixed_keys() -> Mapping[str, str]:
    return {
        lexicon(code).headings[key].lower(): key for code in LANGUAGES for key in (*SECTIONS, KEPT)
    }


@cache
def _heading_words() -> tuple[tuple[str, str], ...]:
    words = {
        (word.lower(), key)
        for code in LANGUAGES
        for key, listed in lexicon(code).heading_words.items()
        for word in listed
    }
    return tuple(sorted(words))
