"""The source of a note: messages as lines of who said what, by turn.

What must not reach a note is left out here, so that nothing behind has to
think of it: reasoning, image bytes, results that answer no call, and all that
flowctx or the host put into a message.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flowctx.dag.source.injected import clean_user_text, is_engine_made, is_host_event, strip_blocks
from flowctx.message import ParsedMessage, text_of, tool_output, well_formed
from flowctx.model import Call

LineRole = Literal["user", "assistant", "tool", "summary", "event"]

_SUMMARY_ROLES = frozenset({"compactionSummary", "branchSummary"})
# Arguments are shown beside the call's main one; no more than this is of use.
_ARGUMENTS_MAX_CHARS = 4000


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What one message says.

    Attributes:
        role: "user", "assistant", "tool"; "summary" for one the host made of
            history that is gone, "event" for what the host reported to the agent.
        text: its text; for a tool, its output as it came.
        digest: of the message.
        sender: who wrote it, where the message names one.
        time_ms: Unix milliseconds, 0 where it has none.
        tool: name of the tool.
        command: the call's main argument.
        arguments: the call's other arguments as JSON, cut.
        exit_code: where the host supplied it.
        is_error: the host marked the result as failed.
        original: hash under which the whole output can be had, if it is stored.
    """

    role: LineRole
    text: str
    digest: bytes = b""
    sender: str = ""
    time_ms: int = 0
    tool: str = ""
    command: str = ""
    arguments: str = ""
    exit_code: int | None = None
    is_error: bool = False
    original: str = ""

    @property
    def failed(self) -> bool:
        """True for a tool result that reports a failure."""
        return self.role == "tool" and (self.is_error or bool(self.exit_code))


@dataclass(frozen=True, slots=True)
class SourceTurn:
    """A user message and all that follows until the next one.

    Attributes:
        lines: in the order of the messages.
        number: of the turn in its session, from 1.
    """

    lines: tuple[SourceLine, ...]
    number: int


def source_turns(
    messages: Sequence[ParsedMessage],
    calls: Mapping[int, Call],
    *,
    start: int = 0,
    number: int = 1,
    originals: Mapping[int, str] | None = None,
) -> tuple[SourceTurn, ...]:
    """Turn messages into the source of a note.

    Args:
        messages: a run of a session's messages.
        calls: the call each result answers, by the index of the result. Results
            that are not in it belong nowhere and are left out.
        start: index of the first message, in the numbering of `calls`.
        number: of the turn the first message belongs to.
        originals: hashes of stored outputs, by the index of the result.
    """
    turns: list[list[SourceLine]] = []
    for opens, lines in _lines_by_message(messages, _Numbering(calls, start, originals or {})):
        if opens or not turns:
            turns.append([])
        turns[-1].extend(lines)
    return tuple(
        SourceTurn(tuple(lines), at) for at, lines in enumerate(turns, start=number) if lines
    )


def lines_of(turns: Iterable[SourceTurn]) -> Iterator[SourceLine]:
    """All lines of some turns, in order."""
    return (line for turn in turns for line in turn.lines)


@dataclass(frozen=True, slots=True)
class _Numbering:
    calls: Mapping[int, Call]
    start: int
    originals: Mapping[int, str]


def _lines_by_message(
    messages: Sequence[ParsedMessage], numbering: _Numbering
) -> Iterator[tuple[bool, list[SourceLine]]]:
    answered = frozenset(numbering.calls.values())
    arguments: dict[Call, str] = {}
    for at, parsed in enumerate(messages, start=numbering.start):
        message = parsed.message
        arguments.update(_arguments_by_call(parsed))
        if message.is_result:
            yield False, _tool_lines(parsed, at, numbering, arguments)
        elif message.role == "assistant":
            open_calls = [call for call in message.calls if call not in answered]
            yield False, _assistant_lines(parsed, open_calls, arguments)
        else:
            yield message.opens_turn, _other_lines(parsed)


def _tool_lines(
    parsed: ParsedMessage, at: int, numbering: _Numbering, arguments: Mapping[Call, str]
) -> list[SourceLine]:
    call = numbering.calls.get(at)
    if call is None:
        return []
    output = tool_output(parsed.value, call)
    line = SourceLine(
        role="tool",
        # A placeholder says that there was no result; its words are the host's.
        text="" if parsed.message.is_placeholder else well_formed(output.text),
        digest=parsed.message.digest,
        time_ms=parsed.message.time_ms,
        tool=output.tool,
        command=output.command,
        arguments=arguments.get(call, ""),
        exit_code=output.exit_code,
        is_error=output.is_error,
        original=numbering.originals.get(at, ""),
    )
    return [line]


def _assistant_lines(
    parsed: ParsedMessage, open_calls: Sequence[Call], arguments: Mapping[Call, str]
) -> list[SourceLine]:
    message = parsed.message
    text = strip_blocks(well_formed(text_of(parsed.value))).strip()
    said = [SourceLine("assistant", text, message.digest, time_ms=message.time_ms)] if text else []
    return said + [
        SourceLine(
            role="tool",
            text="",
            digest=message.digest,
            time_ms=message.time_ms,
            tool=call.tool,
            command=call.detail,
            arguments=arguments.get(call, ""),
        )
        for call in open_calls
    ]


def _other_lines(parsed: ParsedMessage) -> list[SourceLine]:
    message, value = parsed.message, parsed.value
    if is_engine_made(value) or message.role in ("unknown", "system"):
        return []
    said = clean_user_text(well_formed(text_of(value)), value)
    if not said.text:
        return []
    role: LineRole = "user" if message.opens_turn else "event"
    if message.role in _SUMMARY_ROLES or said.is_summary:
        role = "summary"
    elif is_host_event(value, said.text):
        role = "event"
    return [SourceLine(role, said.text, message.digest, said.sender, message.time_ms)]


def _arguments_by_call(parsed: ParsedMessage) -> Iterator[tuple[Call, str]]:
    if not parsed.message.calls:
        return
    content = parsed.value.get("content")
    blocks = [b for b in content if _is_call(b)] if isinstance(content, list) else []
    for call, block in zip(parsed.message.calls, blocks, strict=False):
        yield call, _arguments_text(block.get("arguments"), call.detail)


def _is_call(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "toolCall"


def _arguments_text(arguments: Any, main: str) -> str:
    if not isinstance(arguments, dict):
        return ""
    others = {key: value for key, value in arguments.items() if value != main}
    try:
        text = json.dumps(others, ensure_ascii=False) if others else ""
    except (ValueError, TypeError, RecursionError):
        return ""
    return well_formed(text[:_ARGUMENTS_MAX_CHARS])
