"""The digest of older turns: a note made without a model.

It has the sections of a note, from the same facts, and turn by turn what was
asked, what was run and how it ended, and what came out. When room is short the
least important lines go first; what the user forbade and what is open go last.
Deterministic: same source and size, same text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.facts.factsheet import (
    constraint_lines,
    failure_lines,
    file_lines,
    identifier_lines,
    state_lines,
)
from flowctx.dag.facts.failures import attempt_of, status_of, telling_line
from flowctx.dag.notes.note import escape_tags
from flowctx.dag.notes.recall import recalled
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.lexicon import SECTIONS, SectionKey, lexicon
from flowctx.tokens import estimate_tokens

# Below this a digest has no headings, and below that not even the line that calls it a record.
_HEADINGS_FROM_TOKENS, _RECORD_FROM_TOKENS = 500, 240
# Characters of an ask and of an outcome, and actions, by the room there is.
_SIZES = ((6000, 360, 360, 8), (2000, 240, 160, 4), (700, 160, 100, 2), (0, 90, 0, 0))
_ACTION_CHARS, _RESULT_CHARS = 120, 100
# A line of a turn takes at least this much, so older turns than fit are not looked at.
_LEAST_TURN_TOKENS = 6
_OMISSION_TOKENS = 12
# So many of the newest turns are told at double length.
_NEWEST_TURNS = 3
_BY_IMPORTANCE = frozenset({"next", "identifiers", "files"})


@dataclass(frozen=True, slots=True)
class _Item:
    """A line of a digest; of two the one with the lower rank stays longer.

    Attributes:
        back: how many turns back its turn is, -1 for a line of no turn.
        heads_turn: with it its turn, and all older ones, are shown or not.
    """

    section: SectionKey
    rank: tuple[int, int]
    text: str
    back: int = -1
    heads_turn: bool = False


def write_digest(
    turns: Sequence[SourceTurn], facts: MustKeep, *, language: str, max_tokens: int
) -> str:
    """Write the digest of some turns in at most `max_tokens`, without the tags around it.

    Args:
        turns: oldest first; may be empty when notes are condensed.
        facts: what it is to hold, the more the more room there is.
        language: of its headings and labels.
        max_tokens: the frame is written in any case, which takes about 20.
    """
    with_headings = max_tokens >= _HEADINGS_FROM_TOKENS
    head = _head(language, max_tokens)
    room = max_tokens - 2 * _OMISSION_TOKENS - estimate_tokens("\n".join(head)) - 1
    items = list(_items(turns, facts, language, max_tokens))
    chosen = _chosen(items, room, _heading_costs(language) if with_headings else {})
    shown_turns = sum(item.heads_turn for item in chosen)
    others = sum(item.back < 0 for item in items) - sum(item.back < 0 for item in chosen)
    lines = [*head, *_omission(others + len(facts.elsewhere), "omitted", language)]
    for key in SECTIONS:
        own = [item.text for item in chosen if item.section == key]
        if own and with_headings:
            lines.append(f"## {lexicon(language).headings[key]}")
        if key == "goal":
            lines.extend(_omission(len(turns) - shown_turns, "older", language))
        lines.extend(own)
    return "\n".join(lines)


def condense_digests(notes: Sequence[str], *, language: str, max_tokens: int) -> str:
    """One digest in place of several notes or digests, oldest first."""
    return write_digest((), recalled(notes), language=language, max_tokens=max_tokens)


def _head(language: str, max_tokens: int) -> list[str]:
    labels = lexicon(language).labels
    record = [labels["record"]] if max_tokens >= _RECORD_FROM_TOKENS else []
    return [*record, labels["digest"]]


def _heading_costs(language: str) -> dict[str, int]:
    headings = lexicon(language).headings
    return {key: estimate_tokens(f"## {headings[key]}") + 1 for key in SECTIONS}


def _chosen(items: Sequence[_Item], room: int, heading_costs: dict[str, int]) -> list[_Item]:
    """The items that fit, by rank, in the order they were given.

    Turns are shown from the newest back to the first that does not fit.
    """
    unpaid = dict(heading_costs)
    chosen: set[int] = set()
    turns_end = len(items)
    for at in sorted(range(len(items)), key=lambda at: (items[at].rank, at)):
        item = items[at]
        cost = estimate_tokens(item.text) + 1 + unpaid.get(item.section, 0)
        if cost <= room and item.back < turns_end:
            room -= cost
            unpaid.pop(item.section, None)
            chosen.add(at)
        elif item.heads_turn:
            turns_end = min(turns_end, item.back)
    return [items[at] for at in sorted(chosen)]


def _items(
    turns: Sequence[SourceTurn], facts: MustKeep, language: str, max_tokens: int
) -> Iterator[_Item]:
    tables: tuple[tuple[SectionKey, int, Sequence[str]], ...] = (
        ("goal", 2, [] if turns else state_lines(facts.asks, "goal", language)),
        ("constraints", 0, constraint_lines(facts.constraints, language)),
        ("working", 6, state_lines(facts.done, "done", language)),
        ("working", 6, state_lines(facts.decided, "decided", language)),
        ("failed", 3, failure_lines(facts.failed, language)),
        ("identifiers", 5, identifier_lines(facts.identifiers, language)),
        ("files", 5, file_lines(facts.files, language)),
        ("next", 1, state_lines(facts.open, "next", language)),
    )
    yield from _turn_items(turns, max_tokens)
    for section, rank, lines in tables:
        # The newest stays longest, but for lists that are in order of importance.
        order = range(len(lines)) if section in _BY_IMPORTANCE else range(len(lines) - 1, -1, -1)
        for place, line in zip(order, lines, strict=True):
            yield _Item(section, (rank, place), escape_tags(line))


def _turn_items(turns: Sequence[SourceTurn], max_tokens: int) -> Iterator[_Item]:
    _, ask_chars, outcome_chars, actions = next(
        size for size in _SIZES if max(max_tokens, 0) >= size[0]
    )
    seen = turns[_unseen(turns, max_tokens) :]
    for back, turn in zip(range(len(seen) - 1, -1, -1), seen, strict=True):
        chars = ask_chars * (2 if back < _NEWEST_TURNS else 1)
        rank = 2 if back == 0 else 4
        yield _Item("goal", (rank, back), f"{turn.number}. {_ask(turn, chars)}", back, True)
        yield from (_Item("goal", (7, back), text, back) for text in _actions(turn, actions))
        if outcome := _outcome(turn, outcome_chars):
            yield _Item("goal", (5, back), f"   = {outcome}", back)


def _actions(turn: SourceTurn, count: int) -> Iterator[str]:
    results = [line for line in turn.lines if line.role == "tool"]
    shown = results[-count:] if count else []
    if shown and len(results) > len(shown):
        yield f"   [… {len(results) - len(shown)} …]"
    yield from (f"   - {action_line(line)}" for line in shown)


def _unseen(turns: Sequence[SourceTurn], max_tokens: int) -> int:
    return max(len(turns) - max(max_tokens // _LEAST_TURN_TOKENS, 1), 0)


def _ask(turn: SourceTurn, chars: int) -> str:
    asked = next((line for line in turn.lines if line.role == "user"), None)
    line = asked or next((line for line in turn.lines if line.text.strip()), None)
    sender = f"{line.sender}: " if line and line.sender else ""
    return escape_tags(_cut(f"{sender}{line.text}" if line else "", chars))


def action_line(
    line: SourceLine, attempt_chars: int = _ACTION_CHARS, result_chars: int = _RESULT_CHARS
) -> str:
    """A tool result on one line: what was tried, how it ended, what came out, its hash."""
    said = telling_line(line.text) if line.failed else _first_line(line.text)
    result = f": {_cut(said, result_chars)}" if said and result_chars else ""
    pointer = f" [original {line.original}]" if line.original else ""
    attempt = _cut(attempt_of(line), attempt_chars).replace("`", "'")
    return escape_tags(f"`{attempt}` → {status_of(line)}{result}{pointer}")


def _outcome(turn: SourceTurn, chars: int) -> str:
    said = next((line.text for line in reversed(turn.lines) if line.role == "assistant"), "")
    return escape_tags(_cut(said, chars)) if chars else ""


def _omission(count: int, label: str, language: str) -> list[str]:
    return [f"[… {count} {lexicon(language).labels[label]} …]"] if count > 0 else []


def _first_line(text: str) -> str:
    return next((line.strip() for line in text[:4000].split("\n") if line.strip()), "")


def _cut(text: str, chars: int) -> str:
    line = " ".join(text[: chars * 4 + 8].split())
    return line if len(line) <= chars else f"{line[: max(chars - 1, 0)].rstrip()}…"
