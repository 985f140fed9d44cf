"""Places of rows in a list that changes at its ends and sometimes in between."""

from collections.abc import Sequence


def spread_positions(start: float | None, held: Sequence[float | None]) -> list[float]:
    """Places for rows in order: held ones stay while they ascend, others go evenly between."""
    places: list[float] = []
    last = start
    at = 0
    while at < len(held):
        position = held[at]
        if position is not None and (last is None or position > last):
            last = position
            places.append(position)
            at += 1
            continue
        end = at + 1
        while end < len(held) and not _ascends(held[end], last):
            end += 1
        upper = held[end] if end < len(held) else None
        places.extend(_between(last, upper, end - at))
        last = places[-1]
        at = end
    return places


def _ascends(position: float | None, last: float | None) -> bool:
    return position is not None and (last is None or position > last)


def _between(lower: float | None, upper: float | None, count: int) -> list[float]:
    if upper is None:
        base = 0.0 if lower is None else lower
        return [base + step for step in range(1, count + 1)]
    low = upper - count - 1 if lower is None else lower
    return [low + (upper - low) * step / (count + 1) for step in range(1, count + 1)]
