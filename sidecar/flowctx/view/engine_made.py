"""Messages the engine itself puts into a view.

Their bytes depend on nothing but their arguments, so that they never change.
"""

from typing import Any

import orjson

from flowctx.model import Call

CUSTOM_TYPE_NOTE = "flowctx.note"
CUSTOM_TYPE_LEAD = "flowctx.lead"

# A provider wants a user message first; this one stands in where there is none.
_LEAD_TEXT = "[flowctx] What came before this point is not shown."
_NO_RESULT_TEXT = "[flowctx] no result was recorded for this call"


def custom_message(custom_type: str, text: str, time_ms: int) -> bytes:
    """An engine-made message; the host shows it to the model as user text.

    Args:
        custom_type: tells the host's tools whose it is.
        text: its whole content.
        time_ms: a fixed time, Unix milliseconds; the host shows none for it.
    """
    return _dump(
        {
            "role": "custom",
            "customType": custom_type,
            "content": text,
            "display": False,
            "timestamp": time_ms,
        }
    )


def engine_text(body: bytes) -> str:
    """The text of a message that `custom_message` made."""
    return str(orjson.loads(body)["content"])


def lead_message() -> bytes:
    """The message that stands first where the view would begin with the assistant."""
    return custom_message(CUSTOM_TYPE_LEAD, _LEAD_TEXT, 0)


def missing_result(call: Call, time_ms: int) -> bytes:
    """The result of a call for which none was ever recorded."""
    return _dump(
        {
            "role": "toolResult",
            "toolCallId": call.host_id or call.id,
            "toolName": call.tool,
            "content": [{"type": "text", "text": _NO_RESULT_TEXT}],
            "isError": True,
            "timestamp": time_ms,
        }
    )


def _dump(value: dict[str, Any]) -> bytes:
    return orjson.dumps(value)
