"""Placing injections by the messages they stand behind."""

from collections.abc import Iterable, Sequence

from flowctx.model import Injection, Message, PlacedInjection

HEAD = -1


def place_injections(
    messages: Sequence[Message], injections: Iterable[Injection]
) -> list[PlacedInjection]:
    """Place the injections whose anchor is among the messages, in order."""
    wanted = list(injections)
    anchors = {injection.after for injection in wanted if injection.after}
    found: dict[bytes, int] = {}
    if anchors:
        for at, message in enumerate(messages):
            if message.digest in anchors:
                found[message.digest] = at
    placed = [
        PlacedInjection(injection, found.get(injection.after, HEAD) if injection.after else HEAD)
        for injection in wanted
        if not injection.after or injection.after in found
    ]
    return sorted(placed, key=lambda each: each.at)
