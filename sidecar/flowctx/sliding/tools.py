"""The tools of a turn as a card tells of them."""

import re

from flowctx.dag.source.source import SourceLine

# By which the host calls tools that it does not list to the model, with the tool's own id.
_CALLER = "tool_call"
_CALLED_ID = re.compile(r'"id":\s*"([^"\\]{1,200})"')
# Those of this memory, and of the host's others: what they answered is no news of this turn.
_MEMORY_TOOLS = ("flowctx_", "sliding_context_", "memory_")


def tool_of(line: SourceLine) -> str:
    """The tool that was really called; of an id in several parts the last."""
    if line.tool != _CALLER:
        return line.tool
    found = _CALLED_ID.search(line.arguments) or _CALLED_ID.search(line.command)
    named = found.group(1) if found else line.command
    return named.rsplit(":", 1)[-1].split()[0] if named.strip(": ") else line.tool


def is_memory_lookup(line: SourceLine) -> bool:
    """True for a call to a memory: its answer was somebody else's to remember."""
    return line.role == "tool" and tool_of(line).startswith(_MEMORY_TOOLS)
