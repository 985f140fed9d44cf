"""Lines that define what they name, in whatever language they are written."""

import re
from functools import cache
from typing import NamedTuple

from flowctx.reducers.rules import read_rules, read_words


class Definitions(NamedTuple):
    """Patterns for the beginning of a line, its indentation aside.

    Attributes:
        strong: lines that define what they name.
        weak: lines that may.
    """

    strong: re.Pattern[str]
    weak: re.Pattern[str]


@cache
def definitions() -> Definitions:
    """The patterns of `rules/search.toml`."""
    strong, weak = (
        re.compile("|".join(f"(?:{x})" for x in read_words("search", rule, "patterns")))
        for rule in read_rules("search", "definition")
    )
    return Definitions(strong, weak)
