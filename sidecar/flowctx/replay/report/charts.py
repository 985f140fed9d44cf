"""Charts as SVG; colours come from the page, so that they follow light and dark."""

import math
from collections.abc import Callable, Sequence
from html import escape

from flowctx.replay.report.facts import TurnFacts

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 68, 8, 18, 24
# More columns than this cannot be told apart; neighbours then share one.
_MAX_COLUMNS = 180
_TIERS = ("folded", "reduced", "raw")


def tiers_chart(turns: Sequence[TurnFacts]) -> str:
    """Tokens of each view by tier, stacked, with a mark over each round."""
    columns = _columns(turns)
    top = max((turn.folded + turn.reduced + turn.raw for turn in turns), default=0) or 1
    x, y = _x(len(columns)), _linear(top)
    parts = [_grid(_ticks(top), y)]
    width = max(x(1) - x(0) - 0.6, 0.6)
    for at, column in enumerate(columns):
        newest = max(column, key=lambda turn: turn.folded + turn.reduced + turn.raw)
        base = 0
        for tier in _TIERS:
            tokens = getattr(newest, tier)
            if tokens:
                low, high = y(base), y(base + tokens)
                parts.append(
                    f'<rect class="{tier}" x="{x(at):.1f}" y="{high:.1f}" width="{width:.1f}"'
                    f' height="{low - high:.1f}"/>'
                )
            base += tokens
        reasons = sorted({turn.round for turn in column if turn.round})
        if reasons:
            middle = x(at) + width / 2
            parts.append(
                f'<path class="round" d="M{middle - 4:.1f} 4h8l-4 7z">'
                f"<title>Round: {escape(', '.join(reasons))}</title></path>"
            )
    return _svg(parts, "Tokens of the view before each turn, by tier", len(turns))


def sent_chart(turns: Sequence[TurnFacts]) -> str:
    """Tokens sent in each turn against raw and fresh, on a logarithmic scale."""
    columns = _columns(turns)
    x = _x(len(columns))
    values = [v for turn in turns for v in (turn.sent, turn.without, turn.fresh) if v > 0]
    low, high = (min(values), max(values)) if values else (1, 10)
    y = _logarithmic(low, high)
    parts = [_grid(_powers(low, high), y)]
    half = (x(1) - x(0)) / 2
    for name in ("without", "fresh", "sent"):
        points = [
            (x(at) + half, y(value))
            for at, column in enumerate(columns)
            if (value := sum(getattr(turn, name) for turn in column) / len(column)) > 0
        ]
        parts.append(_line(points, name))
    return _svg(parts, "Tokens of all prompts of each turn", len(turns))


def hits_chart(hits: Sequence[float]) -> str:
    """Share of each prompt that was read from the cache; of neighbours the lowest."""
    size = max(math.ceil(len(hits) / (2 * _MAX_COLUMNS)), 1)
    lowest = [min(hits[at : at + size]) for at in range(0, len(hits), size)]
    x, y = _x(len(lowest)), _linear(1)
    parts = [_grid([(0, "0 %"), (0.5, "50 %"), (1, "100 %")], y)]
    half = (x(1) - x(0)) / 2
    parts.append(_line([(x(at) + half, y(hit)) for at, hit in enumerate(lowest)], "sent"))
    return _svg(parts, "Share of each prompt read from the provider's cache", len(hits), "call")


def _columns(turns: Sequence[TurnFacts]) -> list[Sequence[TurnFacts]]:
    size = max(math.ceil(len(turns) / _MAX_COLUMNS), 1)
    return [turns[at : at + size] for at in range(0, len(turns), size)]


def _x(count: int) -> Callable[[float], float]:
    step = (WIDTH - _LEFT - _RIGHT) / max(count, 1)
    return lambda at: _LEFT + at * step


def _linear(top: float) -> Callable[[float], float]:
    room = HEIGHT - _TOP - _BOTTOM
    return lambda value: _TOP + room * (1 - value / top)


def _logarithmic(low: float, high: float) -> Callable[[float], float]:
    span = max(math.log10(high / low), 0.3)
    room = HEIGHT - _TOP - _BOTTOM
    return lambda value: _TOP + room * (1 - math.log10(value / low) / span)


def _ticks(top: float) -> list[tuple[float, str]]:
    step = 10 ** math.floor(math.log10(top))
    while top / step > 5:
        step *= 2
    while top / step < 2 and step > 1:
        step /= 2
    return [(n * step, _tokens(n * step)) for n in range(int(top / step) + 1)]


def _powers(low: float, high: float) -> list[tuple[float, str]]:
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    ticks = [10.0**power for power in range(first, last + 1)]
    return [(tick, _tokens(tick)) for tick in ticks or [low]]


def _tokens(value: float) -> str:
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e3 else f"{value:g}"


def _grid(ticks: Sequence[tuple[float, str]], y: Callable[[float], float]) -> str:
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(at):.1f}" y2="{y(at):.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{y(at) + 4:.1f}" text-anchor="end">{label}</text>'
        for at, label in ticks
    )


def _line(points: Sequence[tuple[float, float]], name: str) -> str:
    if len(points) == 1:
        return (
            f'<circle class="line {name}" cx="{points[0][0]:.1f}" cy="{points[0][1]:.1f}" r="3"/>'
        )
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline class="line {name}" points="{path}"/>'


def _svg(parts: Sequence[str], label: str, count: int, unit: str = "turn") -> str:
    foot = HEIGHT - 6
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}"
        f'<text x="{_LEFT}" y="{foot}">{unit} 1</text>'
        f'<text x="{WIDTH - _RIGHT}" y="{foot}" text-anchor="end">{unit} {count:,}</text></svg>'
    )
