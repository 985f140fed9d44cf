"""What must hold of every run, whatever a test did to it."""

from __future__ import annotations

import re

from tests.e2e.harness.rig import Rig

# What the host says when an engine lets it down (HOST A7, B1-B9).
_LET_DOWN = re.compile(
    r"degraded to|context engine \w+ failed|Background task failed|quarantin"
    r"|pending durable turn advancement|durable turn advancement remains queued",
    re.IGNORECASE,
)


def let_downs(rig: Rig, mark: int = 0) -> list[str]:
    """Lines in which the host complains of its engine."""
    return [str(line) for line in rig.gateway.log.since(mark) if _LET_DOWN.search(str(line))]


def loud_lines(rig: Rig, mark: int = 0) -> list[str]:
    """Errors and warnings of flowctx in the gateway's log."""
    return [str(line) for line in rig.gateway.log.about_flowctx(mark) if line.is_loud]


def junk_turns(rig: Rig, session: str) -> list[str]:
    """User messages that nobody wrote: the host's complaints as session events."""
    return [
        str(message.get("content"))[:200]
        for message in rig.gateway.transcript(session)
        if message["role"] == "user" and "OpenClaw session event" in str(message.get("content"))
    ]
