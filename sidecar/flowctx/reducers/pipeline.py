"""From a tool result to its reduction: the one way in."""

from flowctx.model import Omission, Reduction, ToolOutput, Unreduced

_HEAD, _TAIL = 20, 10


def reduce_output(output: ToolOutput) -> Reduction | Unreduced:
    """Reduce a tool result, or say why it stays as it is. Never raises."""
    lines = output.text.split("\n")
    if len(lines) <= _HEAD + _TAIL:
        return Unreduced("too short to gain anything")
    omitted = len(lines) - _HEAD - _TAIL
    body = [*lines[:_HEAD], f"[… {omitted} lines omitted …]", *lines[-_TAIL:]]
    return Reduction("text", "\n".join(body), (Omission("lines", omitted, len(lines)),))
