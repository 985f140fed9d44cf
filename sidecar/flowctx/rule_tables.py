"""Tables of words and patterns: TOML files beside the code that goes by them, read once."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from flowctx.errors import RuleTableError

Table = Mapping[str, Any]


@cache
def read_table(package: str, name: str) -> Table:
    """Read `rules/<name>.toml` of a package.

    Raises:
        RuleTableError: it is missing or no TOML.
    """
    file = f"{name}.toml"
    try:
        return tomllib.loads((files(package) / "rules" / file).read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleTableError(str(error), file=file, rule="(whole file)") from error


def compile_pattern(source: Any, *, table: str, rule: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern of a table.

    Raises:
        RuleTableError: it is no regular expression.
    """
    try:
        return re.compile(source, flags)
    except (re.error, TypeError) as error:
        raise RuleTableError(f"{source!r}: {error}", file=f"{table}.toml", rule=rule) from error
