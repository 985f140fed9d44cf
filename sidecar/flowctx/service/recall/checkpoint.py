"""The checkpoint of a session at a round."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flowctx.dag.facts.progress import is_plan_tool
from flowctx.dag.notes.checkpoint import render_checkpoint
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.errors import StoreError
from flowctx.service.bodies import load_message
from flowctx.service.folding import turns_of_gists
from flowctx.service.planning import Planner
from flowctx.view.pairing import Pairing, pair_results

# Messages that are read: the reply waits for it.
_READ_MESSAGES = 600
# Lists of tasks whose items are read; the newest counts, and what others had done.
_PLANS_READ = 8
# What a checkpoint may take of the budget, and never more than so many tokens.
_BUDGET_SHARE, _MOST_TOKENS = 0.04, 700


def checkpoint_text(planner: Planner, budget: int) -> str:
    """The state of a session's work as a block; empty when nothing is known, or no room is.

    Args:
        planner: of the view.
        budget: tokens the view may take.
    """
    end = len(planner.frame.messages)
    start = max(end - _READ_MESSAGES, 0)
    pairing = pair_results(planner.frame.messages)
    try:
        turns = turns_of_gists(planner, pairing, start, end)
        turns = _with_plans(planner, pairing, turns)
    except StoreError:
        return ""
    return render_checkpoint(turns, min(int(budget * _BUDGET_SHARE), _MOST_TOKENS))


def _with_plans(planner: Planner, pairing: Pairing, turns: list[SourceTurn]) -> list[SourceTurn]:
    """The same turns, with the arguments of the newest plans at their results."""
    messages = planner.frame.messages
    plans = [at for at in sorted(pairing.calls) if is_plan_tool(pairing.calls[at].tool)]
    said = {messages[at].digest: _arguments(planner, pairing, at) for at in plans[-_PLANS_READ:]}
    if not said:
        return turns
    return [replace(turn, lines=tuple(_told(line, said) for line in turn.lines)) for turn in turns]


def _told(line: SourceLine, said: Mapping[bytes, str]) -> SourceLine:
    return replace(line, arguments=said[line.digest]) if line.digest in said else line


def _arguments(planner: Planner, pairing: Pairing, at: int) -> str:
    """The arguments of the call that a result answers, as JSON."""
    call, messages = pairing.calls[at], planner.frame.messages
    asked = next((m for m in reversed(messages[:at]) if call in m.calls), None)
    if asked is None:
        return ""
    parsed = planner.fresh.get(asked.digest) or load_message(
        planner.context, planner.row, asked.digest
    )
    blocks = parsed.value.get("content") if parsed else None
    calls = [block for block in blocks or [] if _is_call(block, call.host_id)]
    return json.dumps(calls[-1].get("arguments")) if calls else ""


def _is_call(block: Any, host_id: str) -> bool:
    return (
        isinstance(block, Mapping)
        and block.get("type") == "toolCall"
        and (block.get("id") == host_id)
    )
