"""Results that need not be shown again: repeats of a text, and reads that are out of date.

A repeat is stood for by the earlier result, whose bytes are in the provider's
cache; a read by the later read or edit of its file. What stands for a result
is shown itself, in full or reduced.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flowctx.model import Call, Message
from flowctx.view.places import Places
from flowctx.view.touch import Touch, touches_of

RedundancyKind = Literal["repeat", "reread", "edited"]


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Why a result need not be shown.

    Attributes:
        kind: the same text came before; its file was read again, or changed, since.
        other: index of the result that stands for it.
        times: how often the text has come, this time included (repeat).
    """

    kind: RedundancyKind
    other: int
    times: int = 0


def find_redundant(
    messages: Sequence[Message],
    calls: Mapping[int, Call],
    candidates: Collection[int],
    places: Places,
    is_shown: Callable[[int], bool],
) -> dict[int, Redundancy]:
    """Results among the candidates that another result stands for.

    Args:
        messages: all that are known.
        calls: for each result that answers a call, that call; all behind the first candidate.
        candidates: results that may be left out.
        places: of all messages.
        is_shown: whether a result stands in the view, candidates taken as shown.
    """
    found = _overtaken(messages, calls, candidates, is_shown)
    # What stands for another result must be there to be seen.
    needed = {over.other for over in found.values()}
    texts = dict.fromkeys(messages[at].text_hash for at in candidates)
    repeats = {
        at: over
        for text in texts
        for at, over in _repeats(messages, places.of_text(text), candidates, found, is_shown)
    }
    return found | {at: over for at, over in repeats.items() if at not in needed}


def _overtaken(
    messages: Sequence[Message],
    calls: Mapping[int, Call],
    candidates: Collection[int],
    is_shown: Callable[[int], bool],
) -> dict[int, Redundancy]:
    """Reads whose file was read again or changed by a later call that went well."""
    found: dict[int, Redundancy] = {}
    later: defaultdict[str, list[tuple[int, Touch]]] = defaultdict(list)
    reads = {at for at in candidates if at in calls and _reads_one_file(calls[at])}
    since = min(reads, default=len(messages))
    for at in sorted((at for at in calls if at >= since), reverse=True):
        message, touches = messages[at], touches_of(calls[at])
        if message.is_error or message.is_placeholder or not is_shown(at):
            continue
        if at in reads:
            over = _last_over(messages, at, touches[0], later[touches[0].path])
            if over is not None:
                found[at] = over
        for touch in touches:
            later[touch.path].append((at, touch))
    return found


def _reads_one_file(call: Call) -> bool:
    touches = touches_of(call)
    return len(touches) == 1 and touches[0].action == "read"


def _last_over(
    messages: Sequence[Message], at: int, read: Touch, later: Sequence[tuple[int, Touch]]
) -> Redundancy | None:
    """What the newest of the later touches makes of a read; None where it is up to date."""
    newest = next((each for each in later if each[1].part in ("", read.part)), None)
    if newest is None:
        return None
    other, touch = newest
    if touch.action == "write":
        return Redundancy("edited", other)
    # The same text again is a repeat: the earlier one stays, whose bytes are sent already.
    is_same = bool(messages[at].text_hash) and messages[at].text_hash == messages[other].text_hash
    return None if is_same else Redundancy("reread", other)


def _repeats(
    messages: Sequence[Message],
    alike: Sequence[int],
    candidates: Collection[int],
    overtaken: Collection[int],
    is_shown: Callable[[int], bool],
) -> Iterator[tuple[int, Redundancy]]:
    """The candidates among messages of one text that an earlier one of them stands for."""
    first: int | None = None
    real = (at for at in alike if not messages[at].is_placeholder)
    for times, at in enumerate(real, start=1):
        if at in overtaken:
            continue
        if first is None:
            first = at if is_shown(at) else None
        elif at in candidates and not messages[at].has_media:
            yield at, Redundancy("repeat", first, times)
