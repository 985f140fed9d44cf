"""The report as one HTML document: style inside, no script, nothing loaded."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from flowctx.replay.report.charts import hits_chart, sent_chart, tiers_chart
from flowctx.replay.report.facts import ReportFacts, TurnFacts

# A page stays readable, and small, with this many rows in a table.
_MAX_ROWS = 400
_TIER_KEY = (
    ("folded", "folded into notes"),
    ("reduced", "reduced results"),
    ("raw", "as it was"),
    ("round", "a round: sent bytes changed"),
)
_SENT_KEY = (
    ("sent", "sent"),
    ("without", "with all history as it is"),
    ("fresh", "a session for this task alone"),
)


def render_report(facts: ReportFacts, version: str) -> str:
    """Write the page."""
    style = files("flowctx.replay.report").joinpath("page.css").read_text("utf-8")
    sections = [_tiers(facts), _sent(facts), _hits(facts), _notes(facts.notes)]
    body = "\n".join([_head(facts), *filter(None, sections), _largest(facts), _foot(version)])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(facts.title)} – flowctx</title>\n<style>\n{style}</style>\n</head>\n"
        f'<body>\n<a class="skip" href="#main">Skip to the figures</a>\n{body}\n</body>\n</html>\n'
    )


def _head(facts: ReportFacts) -> str:
    boxes = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in facts.figures
    )
    return (
        f"<header><h1>{escape(facts.title)}</h1><p>{escape(facts.subtitle)}</p></header>\n"
        f'<main id="main">\n<dl>{boxes}</dl>'
    )


def _tiers(facts: ReportFacts) -> str:
    if not facts.turns:
        return _section("Context", "No view was asked for yet.", "")
    return _section(
        "Context by tier",
        "What the view held before each turn. It fades with distance: old turns are folded, old"
        " results reduced, the newest stay as they were.",
        _key(_TIER_KEY) + tiers_chart(facts.turns) + _turn_table(facts.turns),
    )


def _sent(facts: ReportFacts) -> str:
    shown = [each for each in _SENT_KEY if any(getattr(turn, each[0]) for turn in facts.turns)]
    if not shown:
        return ""
    text = "Tokens of all prompts of each turn; the scale is logarithmic."
    return _section("Tokens sent", text, _key(shown) + sent_chart(facts.turns))


def _hits(facts: ReportFacts) -> str:
    if not facts.hits:
        return ""
    mean = sum(facts.hits) / len(facts.hits)
    text = (
        f"Share of each prompt that the provider had in its cache; {mean:.1%} in the mean of calls."
    )
    return _section("Cache hits, call by call", text, hits_chart(facts.hits))


def _notes(notes: Sequence[Mapping[str, Any]]) -> str:
    if not notes:
        return _section("Notes", "Nothing is folded: all turns stand in the view.", "")
    text = (
        "What stands for folded turns at the end, oldest first; in each, what it took the place of."
    )
    return _section("Notes", text, f'<ul class="notes">{"".join(map(_note, notes))}</ul>')


def _note(note: Mapping[str, Any]) -> str:
    name = f"{escape(str(note['kind']))} <code>{escape(str(note['node']))}</code>"
    sources = "".join(map(_note, note["sources"]))
    return (
        f"<li><details><summary>{name}: {note['messages']:,} messages in"
        f" {note['tokens']:,} tokens</summary>"
        f'<pre tabindex="0">{escape(str(note["text"]))}</pre>'
        f"{f'<ul>{sources}</ul>' if sources else ''}</details></li>"
    )


def _largest(facts: ReportFacts) -> str:
    if not facts.largest:
        return ""
    rows = (
        (row["tool"], row["type"], row["tokens"], row["shown_tokens"], row["hash"])
        for row in facts.largest
    )
    head = ("tool", "reduced as", "tokens", "shown", "hash")
    text = "As they were recorded; a replay keeps no store to retrieve them from."
    if facts.is_stored:
        text = "Each comes back whole with <code>flowctx retrieve HASH</code>."
    return _section("Largest results", text, _table("Largest results", head, rows))


def _turn_table(turns: Sequence[TurnFacts]) -> str:
    head = ("turn", "folded", "reduced", "as it was", "sent", "round")
    rows = (
        (number, turn.folded, turn.reduced, turn.raw, turn.sent, turn.round)
        for number, turn in enumerate(turns, start=1)
        if number > len(turns) - _MAX_ROWS
    )
    said = f"The last {_MAX_ROWS} turns" if len(turns) > _MAX_ROWS else "All turns"
    table = _table("Turns", head, rows)
    return f"<details><summary>{said} as a table</summary>{table}</details>"


def _table(label: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    shown = list(rows)
    words = {at for row in shown for at, value in enumerate(row) if not isinstance(value, int)}
    heads = "".join(
        f'<th scope="col"{" class=word" if at in words else ""}>{escape(name)}</th>'
        for at, name in enumerate(head)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in shown)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"<td>{value:,}</td>"
    return f'<td class="word">{escape(str(value))}</td>'


def _key(entries: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f'<li><i class="{name}" aria-hidden="true"></i><span>{escape(text)}</span></li>'
        for name, text in entries
    )
    return f'<ul class="key">{items}</ul>'


def _section(title: str, text: str, body: str) -> str:
    return f"<section><h2>{escape(title)}</h2><p>{text}</p>{body}</section>"


def _foot(version: str) -> str:
    return (
        f"</main>\n<footer><p>flowctx {escape(version)}. Tokens are estimates by kind of"
        " character.</p></footer>"
    )
