"""What stays verbatim: the protected tail and recent file reads."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from flowctx.config import Settings
from flowctx.model import Call, Message
from flowctx.view.instructions import is_instruction_file, prints_instructions
from flowctx.view.turns import turn_is_running, turn_starts

# Tools that return a file's text as it is, by the last word of their name.
_READ_TOOLS = frozenset({"read", "readfile", "openfile", "viewfile", "view", "cat", "fsread"})
_WORDS = re.compile(r"[^a-z0-9]+")
OWN_TOOL_PREFIXES = ("flowctx_", "sliding_context_")


@dataclass(frozen=True, slots=True)
class Protection:
    """From which message on what is verbatim.

    Attributes:
        tail_start: every message from here on is verbatim.
        reads_start: file reads from here on are verbatim.
        retrieved_start: what was retrieved stays, from here on, whatever pays.
    """

    tail_start: int
    reads_start: int
    retrieved_start: int = sys.maxsize


ALL_VERBATIM = Protection(tail_start=0, reads_start=0)
NONE_VERBATIM = Protection(tail_start=sys.maxsize, reads_start=sys.maxsize)


def protect(
    count: int, turn_starts: Sequence[int], settings: Settings, *, runs: bool
) -> Protection:
    """Work out the protected tail of a session's messages.

    Args:
        count: of the messages.
        turn_starts: indices at which turns begin.
        settings: how many turns are kept.
        runs: whether the newest of them is the current turn. The current turn counts
            as one; it usually is not among the messages yet.
    """
    end, missing = count, 0 if runs else 1
    keep = _start_of_last(turn_starts, settings.projection_keep_recent_turns - missing, end)
    tail = max(keep, end - settings.fresh_tail_window)
    reads = _start_of_last(turn_starts, settings.verbatim_read_turns - missing, end)
    retrieved = _start_of_last(turn_starts, settings.summary_keep_recent_turns - missing, end)
    return Protection(tail, reads, min(retrieved, tail))


def protect_stored(messages: Sequence[Message], settings: Settings) -> Protection:
    """The protected tail of messages as the store has them: a turn runs until it is answered."""
    starts, runs = turn_starts(messages), turn_is_running(messages)
    return protect(len(messages), starts, settings, runs=runs)


def is_file_read(tool: str) -> bool:
    """True for tools that return a file as it is."""
    words = words_of(tool)
    return bool(words) and ("".join(words) in _READ_TOOLS or "".join(words[:2]) in _READ_TOOLS)


def words_of(tool: str) -> list[str]:
    """The words of a tool's own name in lower case, without the server it came from."""
    name = tool.rsplit("__", 1)[-1].rsplit(".", 1)[-1]
    spelled = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return [word for word in _WORDS.split(spelled) if word]


def is_instruction_read(tool: str, call: Call | None) -> bool:
    """True when the call read a file that instructs the agent."""
    detail = call.detail if call else ""
    return is_instruction_file(detail) if is_file_read(tool) else prints_instructions(detail)


def is_own_tool(tool: str) -> bool:
    """True for flowctx's own tools, whose results are final."""
    return tool.startswith(OWN_TOOL_PREFIXES)


def _start_of_last(turn_starts: Sequence[int], count: int, end: int) -> int:
    if count <= 0:
        return end
    return turn_starts[-count] if count <= len(turn_starts) else 0
