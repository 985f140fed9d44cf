"""What a view of settings says of the whole: its documents, or the keys at its top."""

from collections import Counter
from collections.abc import Sequence

from flowctx.reducers.case import Case
from flowctx.reducers.indentation import Row

# Of more keys at the top these are named.
_MAX_TOP = 14


def describe_settings(case: Case, rows: Sequence[Row]) -> str:
    """How many documents of which kinds there are, or which keys stand at the top of one."""
    documents = 1 + sum(
        1 for row in rows if case.document.lines[row.at].strip() == "---" and row.at > 0
    )
    top = [row.key for row in rows if row.depth == 0 and row.key]
    top = top or [row.key for row in rows if row.depth == 1 and row.key]
    kinds = _counted([row.value for row in rows if row.key == "kind" and row.depth == 0])
    parts = [f"{documents} documents" if documents > 1 else "", kinds]
    if documents == 1:
        named = _named(top)
        told = ", ".join(named[:_MAX_TOP]) + (", …" if len(named) > _MAX_TOP else "")
        looked = " looked at" if case.document.numbers else ""
        parts.append(f"{len(top)} key{'s'[: len(top) != 1]} at the top{looked}: {told}")
    return "; ".join(part for part in parts if part)


def _named(keys: Sequence[str]) -> list[str]:
    """Keys by name, or, where they are those of many like items, each with how often it stands."""
    counts = Counter(keys)
    if len(counts) > len(keys) // 2:
        return list(keys)
    return [f"{key} {count}" if count > 1 else key for key, count in counts.items()]


def _counted(values: Sequence[str]) -> str:
    return ", ".join(f"{value} {count}" for value, count in Counter(values).most_common(8))
