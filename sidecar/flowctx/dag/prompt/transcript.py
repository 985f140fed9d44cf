"""The source of a note as a text within a budget: who said what, when, in order.

What tools put out is shortened first, the longest most; then what the assistant
said, then the user. Only where even that does not fit, the oldest lines go, and
their number is told.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flowctx.dag.prompt.quoting import inert, quoted, shortened
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.moment import moment
from flowctx.tokens import estimate_tokens

# Tokens a text of each role may take, from generous to bare.
_TOOL_CAPS = (1600, 1000, 700, 450, 300, 200, 120, 70, 40)
_ASSISTANT_CAPS = (900, 450, 220, 110, 60)
_USER_CAPS = (2400, 1200, 600, 300, 150)
_NO_CAP = 1 << 30
# The head of a line, the bars of its quote, and the ends of lines.
_LINE_TOKENS = 10
_CALL_MAX_CHARS = 600
_ARGUMENTS_MAX_CHARS = 240
_QUOTED = frozenset({"tool", "event", "summary"})

_Caps = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Entry:
    line: SourceLine
    turn: int
    head: str
    tokens: int


def transcript(turns: Sequence[SourceTurn], max_tokens: int) -> str:
    """Write the turns in at most `max_tokens`, oldest first."""
    entries = [_entry(line, turn.number) for turn in turns for line in turn.lines]
    caps = next((c for c in _schedule() if _cost(entries, c) <= max_tokens), None)
    left_out = 0
    if caps is None:
        caps = _caps(_TOOL_CAPS[-1], _ASSISTANT_CAPS[-1], _USER_CAPS[-1])
        while entries and _cost(entries, caps) > max_tokens - _LINE_TOKENS:
            dropped = max(len(entries) // 16, 1)
            entries, left_out = entries[dropped:], left_out + dropped
    text = "\n".join([*_omission(left_out), *_written(entries, caps)])
    return text if estimate_tokens(text) <= max_tokens else shortened(text, max_tokens)


def _schedule() -> Iterable[_Caps]:
    yield from (_caps(tool, _NO_CAP, _NO_CAP) for tool in _TOOL_CAPS)
    yield from (_caps(_TOOL_CAPS[-1], said, _NO_CAP) for said in _ASSISTANT_CAPS)
    yield from (_caps(_TOOL_CAPS[-1], _ASSISTANT_CAPS[-1], user) for user in _USER_CAPS)


def _caps(tool: int, assistant: int, user: int) -> _Caps:
    return {"tool": tool, "event": tool, "assistant": assistant, "summary": user, "user": user}


def _cost(entries: Sequence[_Entry], caps: _Caps) -> int:
    return sum(
        min(entry.tokens, caps[entry.line.role]) + estimate_tokens(entry.head) + _LINE_TOKENS
        for entry in entries
    )


def _entry(line: SourceLine, turn: int) -> _Entry:
    # The bars of a quote cost half a token a line.
    bars = line.text.count("\n") // 2 + 1 if line.role in _QUOTED else 0
    return _Entry(line, turn, _head(line), estimate_tokens(line.text) + bars)


def _head(line: SourceLine) -> str:
    if line.role != "tool":
        sender = f" ({inert(line.sender)})" if line.sender else ""
        return " ".join(part for part in (f"{line.role}{sender}", moment(line.time_ms)) if part)
    status = "" if line.exit_code is None else f"exit {line.exit_code}"
    failed = "failed" if line.failed else "" if line.text.strip() else "no output"
    parts = ("tool", line.tool, status, failed, moment(line.time_ms))
    call = inert(_call(line))
    return " · ".join(inert(part) for part in parts if part) + (f"\n$ {call}" if call else "")


def _call(line: SourceLine) -> str:
    command = shortened(line.command, _CALL_MAX_CHARS // 4).replace("\n", "\n  ")
    others = line.arguments[:_ARGUMENTS_MAX_CHARS]
    if not others:
        return command
    cut = others if others == line.arguments else f"{others}…"
    return f"{command}\n  {cut}" if command else cut


def _written(entries: Sequence[_Entry], caps: _Caps) -> Iterable[str]:
    turn = None
    for entry in entries:
        if entry.turn != turn:
            turn = entry.turn
            yield f"[turn {turn}]"
        yield entry.head + (":" if entry.line.text.strip() else "")
        if entry.line.text.strip():
            yield _body(entry.line, caps[entry.line.role])


def _body(line: SourceLine, cap: int) -> str:
    if line.role not in _QUOTED:
        return inert(shortened(line.text, cap))
    bars = line.text.count("\n") // 2 + 1
    return quoted(inert(shortened(line.text, max(cap - min(bars, cap // 5), 1))))


def _omission(count: int) -> list[str]:
    return [f"[… {count} earlier messages left out …]"] if count else []
