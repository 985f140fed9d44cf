"""What Python prints of lists, tuples and dictionaries, reduced as the JSON it nearly is.

It is spelled as JSON of the same length, so that each part stands where it stood.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import ALL_LINES, Family

_BEGINS = re.compile(r"\s*[\[({]\s*[\[({'\"]")
# Strings, names of constants, brackets of tuples, and commas before what closes. A string that
# nothing closes is read to the end of its line, so that no place is read twice.
_TOKEN = re.compile(
    r"'(?:[^'\\\n]|\\[\s\S])*+(?:'|(?=\n)|\Z)|\"(?:[^\"\\\n]|\\[\s\S])*+(?:\"|(?=\n)|\Z)|\\[\s\S]"
    r"|\b(?:True|False|None|nan|inf)\b|[()]|,(?=\s*[)\]}])"
)
_SPELLED = {"True": "true", "False": "false", "None": "null", "nan": "0.0", "inf": "1e9"}
_BRACKETS = {"(": "[", ")": "]", ",": " "}
_JSON_ESCAPE = re.compile(r"\\(?![bfnrt/\\])")


class Reading(NamedTuple):
    """The case of a text spelled as JSON, the family that fits that, and what it found."""

    inner: Case
    family: Family[Any]
    found: Any


def reading(families: Sequence[Family[Any]]) -> Family[Reading]:
    """The family of such prints, over those of JSON."""

    def find(case: Case) -> Reading | None:
        text = case.document.text
        if not _BEGINS.match(text) or "'" not in text:
            return None
        document = replace(case.document, text=spell_as_json(text))
        inner = Case(case.output, document, case.room)
        readings = (Reading(inner, each, each.find(inner)) for each in families)
        return next((each for each in readings if each.found is not None), None)

    return Family(
        "literals",
        find,
        _draft,
        whole_up_to=ALL_LINES,
        looks_for="lists and dictionaries as Python prints them",
    )


def spell_as_json(text: str) -> str:
    """Python's print of values in the spelling of JSON, character for character.

    Quotes within strings become apostrophes, which is near enough for telling values apart.
    """
    return _TOKEN.sub(_as_json, text)


def _draft(case: Case, found: Reading) -> Draft | None:
    inner = found.inner.with_room(case.room)
    draft: Draft | None = found.family.draft(inner, found.found)
    return replace(draft, type=draft.type.replace("json", "python")) if draft else None


def _as_json(token: re.Match[str]) -> str:
    text = token.group()
    if text[0] not in "'\"" or text[-1] != text[0] or len(text) == 1:
        return _SPELLED.get(text) or _BRACKETS.get(text, text)
    said = _JSON_ESCAPE.sub("/", text[1:-1].replace("\\'", "''")).replace('"', "'")
    return f'"{said}"'
