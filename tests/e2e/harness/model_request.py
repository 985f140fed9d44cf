"""One request as the model's server received it, read the same way for every provider."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flowctx.tokens import estimate_total
from tests.e2e.harness.anthropic_wire import ANTHROPIC
from tests.e2e.harness.openai_wire import OPENAI
from tests.e2e.harness.wire import Part, SeenMessage, Wire, dump

WIRES: Mapping[str, Wire] = {"/v1/chat/completions": OPENAI, "/v1/messages": ANTHROPIC}

# What vision models charge for an image of 1.15 megapixels (width x height / 750).
_IMAGE_TOKENS = 1600

# Says which session a request belongs to; the host's own small calls have none.
_RUNTIME = re.compile(r"^Runtime: agent=(?P<agent>\S+) \| session=(?P<session>\S+)", re.MULTILINE)
_TIME = re.compile(r"\A\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [^\]]+\] ")
_SUMMARY = "You are a context summarization assistant"


@dataclass(frozen=True)
class Request:
    """A recorded request.

    *number* counts from 0 over the life of the server, *at_s* is the monotonic
    clock at its arrival, *raw* the body exactly as it came.
    """

    number: int
    at_s: float
    path: str
    raw: bytes
    body: Mapping[str, Any]

    @property
    def wire(self) -> Wire:
        """The provider's dialect."""
        return WIRES[self.path]

    @cached_property
    def messages(self) -> tuple[SeenMessage, ...]:
        """System prompt and messages, without the host's last block that changes every time."""
        return tuple(self.wire.read(self.body))

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What a provider caches by prefix, in its order: tools, system prompt, messages."""
        return tuple(self.wire.parts(self.body))

    @cached_property
    def tools(self) -> Mapping[str, bytes]:
        """The tools offered to the model: name and definition."""
        return self.wire.tools(self.body)

    @property
    def session(self) -> str | None:
        """Key of the session the request belongs to; none for the host's own small calls."""
        runtime = self._runtime
        return runtime["session"] if runtime else None

    @property
    def agent(self) -> str | None:
        """Id of the agent the request belongs to; none for the host's own small calls."""
        runtime = self._runtime
        return runtime["agent"] if runtime else None

    @property
    def is_host_call(self) -> bool:
        """Whether the host asks for itself: a title, a summary (HOST M3)."""
        return self.session is None

    @property
    def is_summary(self) -> bool:
        """Whether the host asks for the summary of a compaction."""
        return bool(self.messages) and self.messages[0].text.startswith(_SUMMARY)

    @property
    def user_text(self) -> str:
        """The last thing the user said, without what the host writes around it."""
        said = [message.text for message in self.messages if message.role == "user"]
        return without_host_words(said[-1]) if said else ""

    @property
    def tool_results(self) -> tuple[SeenMessage, ...]:
        """All tool results in view, oldest first."""
        return tuple(message for message in self.messages if message.role == "tool")

    @cached_property
    def new_tool_results(self) -> tuple[SeenMessage, ...]:
        """The tool results since the user last spoke, oldest first."""
        start = max(
            (at for at, message in enumerate(self.messages) if message.role == "user"), default=0
        )
        return tuple(message for message in self.messages[start:] if message.role == "tool")

    @cached_property
    def tokens(self) -> int:
        """Estimated tokens of the prompt: tools, texts, calls and images."""
        texts = [definition.decode("utf-8", "replace") for definition in self.tools.values()]
        for message in self.messages:
            texts.append(message.text)
            texts += [f"{c.name}{dump(c.arguments).decode()}" for c in message.calls]
        images = sum(len(message.images) for message in self.messages)
        return estimate_total(texts) + images * _IMAGE_TOKENS

    @cached_property
    def _runtime(self) -> re.Match[str] | None:
        # OpenAI route: behind the first user message; Anthropic route: in the system prompt.
        system = next((m.text for m in self.messages if m.role == "system"), "")
        user = next((m.text for m in self.messages if m.role == "user"), "")
        return _RUNTIME.search(system) or _RUNTIME.search(user)


def without_host_words(text: str) -> str:
    """A user's text without the time before it and the runtime line behind it."""
    text = _TIME.sub("", text)
    runtime = _RUNTIME.search(text)
    return text[: runtime.start()].rstrip("\n") if runtime else text
