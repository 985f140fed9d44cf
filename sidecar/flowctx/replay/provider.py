"""The model of a provider: one prompt after the other, and what its prefix cache holds.

A prompt is a constant system part and a list of items. Cached is the longest
common byte prefix with the previous prompt; in an item that is shared in part,
tokens count by its share of bytes. Nothing is cached on the first call, nor
when the previous one is longer ago than the cache lives and both times are known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Item:
    """A message as it is sent, with its estimated tokens."""

    body: bytes
    tokens: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """One call.

    Attributes:
        tokens: of the whole prompt.
        cached_tokens: of its head that the provider still had.
        kept: so many items of the previous prompt stand unchanged.
        added: the items behind them.
        time_ms: when, Unix milliseconds; 0 where it is not known.
    """

    tokens: int
    cached_tokens: int
    kept: int
    added: tuple[Item, ...]
    time_ms: int = 0


@dataclass(slots=True)
class Provider:
    """Sends prompts and remembers the last one.

    Attributes:
        system_tokens: of the part that stands before all messages and never changes.
        ttl_ms: how long the cache lives after a call.
        items: of the prompt as it stands.
        has_called: whether there was a call.
    """

    system_tokens: int
    ttl_ms: int
    items: list[Item] = field(default_factory=list)
    _sums: list[int] = field(default_factory=lambda: [0])
    _sent: int = 0
    _kept: int = 0
    _shared_tokens: int = 0
    _last_ms: int = 0
    has_called: bool = False

    @property
    def tokens(self) -> int:
        """Of the prompt as it stands."""
        return self.system_tokens + self._sums[-1]

    def begin(self, items: Sequence[Item]) -> None:
        """Make the prompt these items, whatever it was."""
        kept, sent = 0, self.items[: self._sent]
        for old, new in zip(sent, items, strict=False):
            if old is not new and old.body != new.body:
                break
            kept += 1
        shared = self._sums[kept]
        if kept < len(sent) and kept < len(items):
            shared += _shared_part(sent[kept], items[kept])
        self.items[kept:], self._sums[kept + 1 :] = [], []
        self._kept, self._shared_tokens = kept, shared
        self.extend(items[kept:])

    def extend(self, items: Sequence[Item]) -> None:
        """Put items behind the prompt."""
        for item in items:
            self.items.append(item)
            self._sums.append(self._sums[-1] + item.tokens)

    def call(self, time_ms: int = 0) -> Prompt:
        """Send the prompt at a time, Unix milliseconds; 0 where it is not known."""
        alive = self.has_called and not self._is_expired(time_ms)
        cached = self.system_tokens + self._shared_tokens if alive else 0
        added = tuple(self.items[self._kept :])
        prompt = Prompt(self.tokens, cached, self._kept, added, time_ms)
        self.has_called, self._last_ms = True, time_ms or self._last_ms
        self._sent = self._kept = len(self.items)
        self._shared_tokens = self._sums[-1]
        return prompt

    def _is_expired(self, time_ms: int) -> bool:
        return bool(time_ms and self._last_ms) and time_ms - self._last_ms > self.ttl_ms


def _shared_part(old: Item, new: Item) -> int:
    count = next(
        (at for at, (a, b) in enumerate(zip(old.body, new.body, strict=False)) if a != b),
        min(len(old.body), len(new.body)),
    )
    return new.tokens * count // max(len(new.body), 1)
