"""The word lists and patterns of this package."""

from flowctx.rule_tables import Table, read_table


def load_table(name: str) -> Table:
    """Read `rules/<name>.toml`.

    Raises:
        RuleTableError: it is missing or no TOML.
    """
    return read_table("flowctx.dag.wording", name)
