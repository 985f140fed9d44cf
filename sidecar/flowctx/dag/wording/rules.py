"""The word lists and patterns of this package: TOML files beside the code, read once."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from flowctx.errors import RuleTableError

Table = Mapping[str, Any]


@cache
def load_table(name: str) -> Table:
    """Read `rules/<name>.toml`.

    Raises:
        RuleTableError: it is missing or no TOML.
    """
    file = f"{name}.toml"
    try:
        text = files("flowctx.dag.wording").joinpath("rules", file).read_text("utf-8")
        return tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleTableError(str(error), file=file, rule="(whole file)") from error


def compile_pattern(source: str, *, table: str, rule: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern of a table.

    Raises:
        RuleTableError: it is no regular expression.
    """
    try:
        return re.compile(source, flags)
    except re.error as error:
        raise RuleTableError(str(error), file=f"{table}.toml", rule=rule) from error
