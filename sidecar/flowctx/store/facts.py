"""What is known of a message, as one column of its row."""

import orjson

from flowctx.errors import StoreDamagedError
from flowctx.model import Call, Message


def dump_facts(message: Message) -> str:
    """The facts as a JSON list; `load_facts` reads it back."""
    calls = [[c.id, c.tool, c.detail, c.host_id, c.rest] for c in message.calls]
    flags = [message.is_error, message.is_blank, message.is_placeholder, message.has_media]
    facts = [
        message.role, message.tokens, message.time_ms, message.answers, message.tool,
        message.text_tokens, flags, calls, message.text_hash,
    ]  # fmt: skip
    return orjson.dumps(facts).decode()


def load_facts(digest: bytes, facts: str) -> Message:
    """The message that facts describe.

    Raises:
        StoreDamagedError: they are not what `dump_facts` wrote.
    """
    try:
        role, tokens, time_ms, answers, tool, text_tokens, flags, calls, *later = orjson.loads(
            facts
        )
        return Message(
            digest=digest,
            role=role,
            tokens=tokens,
            time_ms=time_ms,
            calls=tuple(Call(*call) for call in calls),
            answers=answers,
            tool=tool,
            text_tokens=text_tokens,
            is_error=flags[0],
            is_blank=flags[1],
            is_placeholder=flags[2],
            has_media=flags[3],
            text_hash=later[0] if later else "",
        )
    except (ValueError, TypeError, IndexError) as error:
        message = f"The facts of a message are damaged ({error})."
        raise StoreDamagedError(message) from error
