"""Whether the newest turn goes on with a prompt, or was broken off before it.

The host hands over what lies before the prompt. A list that ends inside a turn is
that of a retry: the host prompts the model to go on, or repeats what the user said
(HOST C5). With a prompt of another kind the turn before was interrupted.
"""

import re

from flowctx.message import text_in
from flowctx.service.planning import Planner
from flowctx.view.turns import turn_is_running

# The host's own prompts after an overflow, an empty answer or a refreshed plugin
# (OpenClaw 2026.9.6); what reads like them is taken for one, so that a running turn
# is never taken for an old one.
_GOES_ON = re.compile(
    r"continue (?:the current task|from)|previous (?:attempt|assistant turn|final answer)"
    r"|do not (?:restart|repeat completed)",
    re.IGNORECASE,
)


def look_at_newest_turn(planner: Planner, prompt: str) -> None:
    """Tell the frame whether the call that comes belongs to the newest turn of its list.

    Args:
        planner: of the view; its frame is the list.
        prompt: the incoming user message; empty when the caller told none.

    Raises:
        StoreError: the store cannot be read.
    """
    frame = planner.frame
    frame.turn_runs = turn_is_running(frame.messages)
    if not frame.turn_runs or frame.messages[-1].opens_turn:
        return
    # A retry of the turn behind it finds it broken off, whatever its prompt.
    is_known = frame.broken_off_at == len(frame.messages)
    if is_known or not _goes_on(planner, prompt.strip()):
        frame.turn_runs, frame.broken_off_at = False, len(frame.messages)


def _goes_on(planner: Planner, prompt: str) -> bool:
    return not prompt or bool(_GOES_ON.search(prompt)) or prompt in _newest_ask(planner)


def _newest_ask(planner: Planner) -> str:
    starts = planner.frame.turn_starts
    parsed = planner.parsed(planner.frame.messages[starts[-1]].digest) if starts else None
    return text_in(parsed.body) if parsed else ""
