"""What a message says with what it calls: a file it writes, a text it sends, a plan."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson

from flowctx.message import hash_text, parse_message, text_of, well_formed


def spoken_text(value: Mapping[str, Any]) -> str:
    """All text of a message, and its calls with all of their arguments behind it."""
    return "\n".join(filter(None, [text_of(value), *spoken_calls(value)]))


def spoken_calls(
    value: Mapping[str, Any], is_aside: Callable[[str], bool] | None = None
) -> Iterator[str]:
    """Each call of a message: the tool, then an argument a line.

    Args:
        value: the message.
        is_aside: tells tools whose calls are left out.
    """
    content = value.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "toolCall":
            tool = str(block.get("name") or "")
            if is_aside is None or not is_aside(tool):
                yield "\n".join([tool, *_arguments(block.get("arguments"))])


def text_behind(body: bytes, hash_: str) -> str:
    """The text of a stored message that has a hash: its own, or that with its calls."""
    value = parse_message(body).value
    text = text_of(value)
    if hash_text(text) != hash_ and hash_text(spoken := spoken_text(value)) == hash_:
        return spoken
    return text


def _arguments(arguments: Any) -> Iterator[str]:
    if isinstance(arguments, dict):
        for name, said in arguments.items():
            yield f"{name}: {_plain(said)}"
    elif arguments:
        yield _plain(arguments)


def _plain(said: Any) -> str:
    return said if isinstance(said, str) else well_formed(orjson.dumps(said, default=str).decode())
