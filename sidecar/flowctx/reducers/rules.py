"""Loading the rule tables: TOML files beside the code, checked when they are read."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from flowctx.errors import RuleTableError

Table = Mapping[str, Any]


@cache
def load_table(name: str) -> Table:
    """Read the rule table `rules/<name>.toml`.

    Raises:
        RuleTableError: it is missing or no TOML.
    """
    file = f"{name}.toml"
    try:
        text = (files("flowctx.reducers") / "rules" / file).read_text("utf-8")
        return tomllib.loads(text)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RuleTableError(str(error), file=file, rule="(whole file)") from error


def read_rules(name: str, key: str) -> Sequence[Table]:
    """The rules under a key of a table, each a table with an id of its own.

    Raises:
        RuleTableError: there are none, or an id is missing or taken.
    """
    rules = load_table(name).get(key)
    if not isinstance(rules, list) or not rules:
        raise RuleTableError("no rules", file=f"{name}.toml", rule=key)
    seen: set[str] = set()
    for at, rule in enumerate(rules):
        identity = rule.get("id") if isinstance(rule, dict) else None
        if not isinstance(identity, str) or not identity or identity in seen:
            raise RuleTableError("id missing or taken", file=f"{name}.toml", rule=f"{key}[{at}]")
        seen.add(identity)
    return rules


def read_words(name: str, rule: Table, key: str) -> tuple[str, ...]:
    """A list of words in a rule; empty where it has none.

    Raises:
        RuleTableError: it is no list of words.
    """
    words = rule.get(key, [])
    if not isinstance(words, list) or not all(isinstance(word, str) and word for word in words):
        raise RuleTableError(f"{key} must list words", file=f"{name}.toml", rule=rule["id"])
    return tuple(words)


def read_pattern(name: str, rule: Table, key: str) -> re.Pattern[str] | None:
    """A regular expression in a rule, compiled; None where it has none.

    Raises:
        RuleTableError: it does not compile.
    """
    source = rule.get(key)
    if source is None:
        return None
    try:
        return re.compile(source)
    except (re.error, TypeError) as error:
        raise RuleTableError(f"{key}: {error}", file=f"{name}.toml", rule=rule["id"]) from error
