"""What a report shows, whatever it was made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flowctx.errors import InvalidRequestError


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """One turn.

    Attributes:
        folded, reduced, raw: tokens of the view by tier.
        sent: tokens of all prompts of the turn; 0 where they are not known.
        without: the same with all history as it is.
        fresh: the same in a session for this task alone; 0 where there is no such.
        round: why bytes that had been sent changed; empty if none did.
    """

    folded: int
    reduced: int
    raw: int
    sent: int
    without: int
    fresh: int
    round: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """A session or a replay.

    Attributes:
        title, subtitle: what it is.
        turns: in order.
        hits: share of each prompt that was read from the cache, call by call.
        figures: named values for the head of the page.
        notes: that stand in the view: node, kind, messages, tokens, text.
        largest: results: tool, type, tokens, shown_tokens, hash.
        is_stored: their originals can be retrieved; a replay keeps none.
    """

    title: str
    subtitle: str
    turns: tuple[TurnFacts, ...]
    hits: tuple[float, ...]
    figures: tuple[tuple[str, str], ...]
    notes: Sequence[Mapping[str, Any]]
    largest: Sequence[Mapping[str, Any]]
    is_stored: bool = False


def facts_of_replay(document: Mapping[str, Any]) -> ReportFacts:
    """A report on what `flowctx replay --json` printed.

    Raises:
        InvalidRequestError: it is no such document.
    """
    try:
        return _facts_of_replay(document)
    except KeyError as error:
        message = f"This is no document of `flowctx replay --json`: {error.args[0]!r} is missing."
        raise InvalidRequestError(message) from error
    except (TypeError, AttributeError) as error:
        message = "This is no document of `flowctx replay --json`: a value is of another kind."
        raise InvalidRequestError(message) from error


def facts_of_session(document: Mapping[str, Any]) -> ReportFacts:
    """A report on a stored session, from `flowctx.service.history`."""
    sums = document["savings"]
    views = document["views"]
    figures = [
        ("views", f"{len(views):,}"),
        ("tokens of the last view", f"{views[-1]['view_tokens']:,}" if views else "–"),
        ("without flowctx", f"{views[-1]['raw_tokens']:,}" if views else "–"),
        ("rounds", f"{sum(bool(view['round']) for view in views):,}"),
    ]
    if sums["calls"]:
        figures += [
            ("calls reported", f"{sums['calls']:,}"),
            ("net saved, tokens of plain input", f"{sums['net_cost_saved']:,}"),
            ("net saved, USD", f"{sums['net_usd_saved']:,.2f}"),
        ]
    return ReportFacts(
        title=document["key"],
        subtitle=f"Epoch {document['epoch']}, {document['messages']:,} messages",
        turns=tuple(map(_turn_of_view, views)),
        hits=tuple(document["hits"]),
        figures=tuple(figures),
        notes=document["notes"],
        largest=document["largest"],
        is_stored=True,
    )


def _facts_of_replay(document: Mapping[str, Any]) -> ReportFacts:
    whole, tasks, rows = document["total"], document["tasks"], document["turns"]
    share = whole["cached_tokens"] / max(whole["tokens_in"], 1)
    probes = whole["probes"]
    turns = tuple(map(_turn_of_row, rows))
    without = sum(turn.without for turn in turns)
    figures = (
        ("calls", f"{whole['calls']:,}"),
        ("tokens in", _short(whole["tokens_in"])),
        ("against raw", f"× {whole['tokens_in'] / max(without, 1):.2f}"),
        ("against fresh", f"× {whole['tokens_in'] / max(sum(t.fresh for t in turns), 1):.2f}"),
        ("read from the cache", f"{share:.1%}"),
        ("cost, tokens of plain input", _short(whole["cost"])),
        ("cost, USD", f"{whole['cost_usd']:,.2f}"),
        ("rounds", f"{whole['rounds']:,}"),
        ("probes in sight or one step away", f"{probes['visible'] + probes['one_step']:,}"),
        ("probes lost", f"{probes['lost']:,}"),
    )
    return ReportFacts(
        title=f"Replay of {len(tasks):,} recordings",
        subtitle=f"Policy {document['policy']}, window {document['window']:,} tokens",
        turns=turns,
        hits=tuple(hit for row in rows for hit in row["hits"]),
        figures=figures,
        notes=document.get("notes", ()),
        largest=document.get("largest", ()),
    )


def _turn_of_row(row: Mapping[str, Any]) -> TurnFacts:
    calls, sent, view = row["calls"], row["tokens_in"], row["view_tokens"]
    return TurnFacts(
        folded=row["tiers"]["folded"],
        reduced=row["tiers"]["reduced"],
        raw=row["tiers"]["raw"],
        sent=sent,
        without=sent + calls * (row["raw_tokens"] - view),
        fresh=sent + calls * (row["own_tokens"] - view),
        round=row["round"],
    )


def _turn_of_view(view: Mapping[str, Any]) -> TurnFacts:
    folded, reduced = view.get("folded_tokens", 0), view.get("reduced_tokens", 0)
    return TurnFacts(
        folded=folded,
        reduced=reduced,
        raw=max(view["view_tokens"] - folded - reduced, 0),
        sent=view["view_tokens"],
        without=view["raw_tokens"],
        fresh=0,
        round=view["round"],
    )


def _short(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:,.1f} {unit}"
    return f"{value:,.0f}"
