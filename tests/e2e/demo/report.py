"""The demo's result: a table for people, the same figures as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.e2e.demo.claims import Claim, Evidence, saved_share
from tests.e2e.demo.session import STEPS, SessionRecord
from tests.e2e.harness.figures import TurnFigures, turn_figures


def as_json(evidence: Evidence, claims: Sequence[Claim]) -> dict[str, Any]:
    """All figures as plain values; tokens are estimates, shares are 0 to 1.

    `fresh_tokens` are those that no prefix of the request before holds.
    """
    without, reduced = _figures(evidence.without), _figures(evidence.reduced)
    retrieved = evidence.retrieved
    return {
        "turns": [
            {"turn": at, "step": step.name, "without": _plain(one), "with": _plain(two)}
            for at, (step, one, two) in enumerate(zip(STEPS, without, reduced, strict=True), 1)
        ],
        "tokens": {"without": _total(without), "with": _total(reduced)},
        "fresh_tokens": {"without": _fresh(without), "with": _fresh(reduced)},
        "saved_share": round(saved_share(evidence), 4),
        "retrieved": retrieved
        and {
            "hash": retrieved.hash,
            "characters": len(retrieved.text),
            "is_equal": retrieved.is_equal,
        },
        "claims": [{"text": c.text, "holds": c.holds, "against": c.against} for c in claims],
    }


def show(console: Console, evidence: Evidence, claims: Sequence[Claim]) -> None:
    """Print the table, the totals and the claims."""
    console.print(_table(evidence))
    fresh = [_fresh(_figures(record)) for record in (evidence.without, evidence.reduced)]
    console.print(
        f"Beyond what a prefix cache can reuse: {fresh[0]:,} tokens without, {fresh[1]:,} with"
    )
    if evidence.retrieved is not None:
        console.print(
            f"The model retrieved {evidence.retrieved.hash}: "
            f"{len(evidence.retrieved.text):,} characters"
        )
    for claim in claims:
        sign = "[green]holds[/]" if claim.holds else "[bold red]FAILS[/]"
        reason = "" if claim.holds else f": {escape(claim.against)}"
        console.print(f"{sign}  {claim.text}{reason}")


def _table(evidence: Evidence) -> Table:
    without, reduced = _figures(evidence.without), _figures(evidence.reduced)
    table = Table(
        title="Without and with flowctx",
        caption=_CAPTION,
        show_footer=True,
        box=box.SIMPLE_HEAVY,
        pad_edge=False,
    )
    saved = f"{saved_share(evidence):.0%} fewer tokens"
    table.add_column("", footer="", justify="right")
    table.add_column("turn", footer="total", no_wrap=True)
    table.add_column("tokens\nwithout", footer=f"{_total(without):,}", justify="right")
    table.add_column("tokens\nwith", footer=f"{_total(reduced):,}", justify="right")
    table.add_column("reuse\nwithout", justify="right")
    table.add_column("reuse\nwith", justify="right")
    table.add_column("newly reduced", footer=saved, overflow="fold")
    rows = zip(STEPS, without, reduced, strict=True)
    for at, (step, one, two) in enumerate(rows, 1):
        table.add_row(str(at), step.name, *_cells(one, two), escape(_counted(two.reduced)))
    return table


_CAPTION = """\
Tokens of all model calls of a turn, estimated. Reuse: the share of a prompt
that is the same, from its beginning, as the prompt before it."""


def _cells(one: TurnFigures, two: TurnFigures) -> list[str]:
    tokens = [f"{each.tokens:,}" for each in (one, two)]
    return tokens + [_percent(each.prefix_share) for each in (one, two)]


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _counted(reduced: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} ×{n}" if n > 1 else kind for kind, n in sorted(reduced.items()))


def _figures(record: SessionRecord) -> list[TurnFigures]:
    return turn_figures([turn.requests for turn in record.turns])


def _total(figures: Sequence[TurnFigures]) -> int:
    return sum(each.tokens for each in figures)


def _fresh(figures: Sequence[TurnFigures]) -> int:
    return sum(each.fresh_tokens for each in figures)


def _plain(figures: TurnFigures) -> dict[str, Any]:
    share = figures.prefix_share
    return {
        "requests": figures.requests,
        "tokens": figures.tokens,
        "fresh_tokens": figures.fresh_tokens,
        "prefix_share": None if share is None else round(share, 4),
        "reduced": dict(figures.reduced),
    }
