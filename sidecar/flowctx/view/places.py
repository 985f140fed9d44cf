"""Where messages stand in a list, so that nobody has to look through all of it."""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from flowctx.model import Message

Key = TypeVar("Key")


class Places:
    """Places in a list that changes at its end only, by digest and by text.

    Args:
        messages: the list as it begins.
    """

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._count = 0
        self._by_digest: _Index[bytes] = _Index()
        self._by_text: _Index[str] = _Index()
        self.extend(messages)

    def __len__(self) -> int:
        return self._count

    def extend(self, messages: Iterable[Message]) -> None:
        """Note messages that follow."""
        for message in messages:
            self._by_digest.add(message.digest, self._count)
            if message.text_hash:
                self._by_text.add(message.text_hash, self._count)
            self._count += 1

    def cut(self, end: int) -> None:
        """Forget the messages from a place on."""
        if end < self._count:
            self._count = end
            self._by_digest.cut(end)
            self._by_text.cut(end)

    def of(self, digest: bytes) -> Sequence[int]:
        """Where messages with a digest stand, in order."""
        return self._by_digest.of(digest)

    def last(self, digest: bytes) -> int | None:
        """Where the last message with a digest stands; None for nowhere."""
        return self._by_digest.last(digest)

    def is_single(self, digest: bytes) -> bool:
        """True where one message has a digest, and no other."""
        return self._by_digest.is_single(digest)

    def of_text(self, text_hash: str) -> Sequence[int]:
        """Where results with a text stand, in order."""
        return self._by_text.of(text_hash)


class _Index(Generic[Key]):
    """Places by key. Nearly all keys have one, and a list for each would cost megabytes."""

    def __init__(self) -> None:
        self._first: dict[Key, int] = {}
        self._more: dict[Key, list[int]] = {}

    def add(self, key: Key, at: int) -> None:
        if self._first.setdefault(key, at) != at:
            self._more.setdefault(key, []).append(at)

    def of(self, key: Key) -> list[int]:
        first = self._first.get(key)
        return [] if first is None else [first, *self._more.get(key, ())]

    def last(self, key: Key) -> int | None:
        return self._more[key][-1] if key in self._more else self._first.get(key)

    def is_single(self, key: Key) -> bool:
        return key in self._first and key not in self._more

    def cut(self, end: int) -> None:
        self._first = {key: at for key, at in self._first.items() if at < end}
        self._more = {
            key: kept
            for key, places in self._more.items()
            if (kept := [at for at in places if at < end])
        }
