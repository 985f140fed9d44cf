"""The tools of a turn as a card tells of them."""

import json
import re
from typing import Any

from flowctx.dag.source.source import SourceLine

# By which the host calls tools that it does not list to the model, with the tool's own id.
_CALLER = "tool_call"
_CALLED_ID = re.compile(r'"id":\s*"([^"\\]{1,200})"')
# Those of this memory, and of the host's others: what they answered is no news of this turn.
_MEMORY_TOOLS = ("flowctx_", "sliding_context_", "memory_")
# By which the host's agents talk to people, and where the words stand: OpenClaw 2026.9.6.
_TALKING = frozenset({"message", "heartbeat_respond"})
_SENDING = frozenset({"send", "sendwitheffect", "reply", "thread-reply", "broadcast"})
_WORDS = ("content", "message", "text", "body")
_NOTICE = "notificationText"
# Arguments are cut where they are long: one of these closes them again.
_ENDS = ("", '"}', '"}}', "}")


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


def sent_text(line: SourceLine) -> str:
    """What a call told somebody, if it did: a message that was sent, a heartbeat's notice."""
    tool = tool_of(line)
    if line.role != "tool" or line.failed or tool not in _TALKING:
        return ""
    given = _arguments(line)
    if tool != "message":
        return _text(given, (_NOTICE,)) if given.get("notify") is not False else ""
    is_sent = str(given.get("action", "")).strip().lower() in _SENDING
    return _text(given, _WORDS) if is_sent and given.get("dryRun") is not True else ""


def _arguments(line: SourceLine) -> dict[str, Any]:
    """The arguments of the tool that was really called, as far as they were kept."""
    cut = line.arguments.rstrip("\\")
    given = next(filter(None, (_object(cut + end) for end in _ENDS)), {})
    within = given.get("args") if line.tool == _CALLER else given
    return within if isinstance(within, dict) else {}


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(given: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((said for name in names if isinstance(said := given.get(name), str) and said), "")
