"""Loading the rule tables: TOML files beside the code, checked when they are read."""

import re
from collections.abc import Sequence

from flowctx.errors import RuleTableError
from flowctx.rule_tables import Table, compile_pattern, read_table


def load_table(name: str) -> Table:
    """Read the rule table `rules/<name>.toml`.

    Raises:
        RuleTableError: it is missing or no TOML.
    """
    return read_table("flowctx.reducers", name)


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
    return compile_pattern(source, table=name, rule=rule["id"])
