"""Retrieving parts of originals: what is asked for, with where it came from, and how to go on."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from flowctx.errors import OriginalNotFoundError
from flowctx.excerpt.cut import cut_part, fits_whole
from flowctx.excerpt.parts import Part, UnusablePartError
from flowctx.identity import SessionRef
from flowctx.message import well_formed
from flowctx.service.retrieve import retrieve, retrieve_as_owner
from flowctx.store.originals import StoredOriginal, turn_of
from flowctx.store.reader import Readable
from flowctx.store.sessions import is_running

# Originals that one call may name.
MOST_HASHES = 10
# What a conversation is called that has ended under the same key.
EARLIER = "earlier conversation"
_BETWEEN = re.compile(r"[\s,;]+")
# Tokens of the lines around a part, taken from its room.
_FRAME_TOKENS = 80

Load = Callable[[str], StoredOriginal]
Frame = Callable[[Readable, StoredOriginal, Part], str]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """An answer to a retrieval.

    Attributes:
        text: a part with its frame; the original itself, byte for byte, when `whole` is set.
        whole: the original, when all of it was asked for and had room.
    """

    text: str
    whole: StoredOriginal | None = None


def retrieve_parts(database: Readable, ref: SessionRef, asked: str, part: Part) -> Retrieved:
    """Parts of the originals behind some hashes, if the caller's agent and person own them.

    Args:
        database: the store.
        ref: the caller, as the host gives it; never from a model's arguments.
        asked: a hash, or several between commas or spaces.
        part: what is wanted of each.

    Raises:
        OriginalNotFoundError: the only hash leads nowhere; its message is final.
        StoreError: the store cannot be read.
    """
    load: Load = partial(retrieve, database, ref)
    return _retrieve_all(database, load, asked, part, frame=_told)


def retrieve_parts_as_owner(database: Readable, asked: str, part: Part) -> Retrieved:
    """The same, whoever the originals belong to; for the owner of the store.

    Raises:
        OriginalNotFoundError: the only hash leads nowhere.
        UnusablePartError: the only original has no such part.
        StoreError: the store cannot be read.
    """
    load: Load = partial(retrieve_as_owner, database)
    return _retrieve_all(database, load, asked, part, frame=_framed)


def read_hashes(asked: str) -> list[str]:
    """The hashes in an argument, each once; what is no list of hashes stays one word."""
    words = [word.removeprefix("hash=") for word in _BETWEEN.split(asked.strip()) if word]
    if len(words) == 1:
        return words
    if not words or not all(re.fullmatch(r"[0-9a-fA-F]{16,64}", word) for word in words):
        return [asked.strip().removeprefix("hash=")]
    return list(dict.fromkeys(word.lower() for word in words))


def _retrieve_all(
    database: Readable, load: Load, asked: str, part: Part, *, frame: Frame
) -> Retrieved:
    """What some hashes lead to; `frame` makes the text of a part of a single one."""
    hashes = read_hashes(asked)
    if len(hashes) == 1:
        original = load(hashes[0])
        if fits_whole(original.text, part):
            return Retrieved(original.text, original)
        return Retrieved(frame(database, original, part))
    named = hashes[:MOST_HASHES]
    each = replace(part, max_tokens=part.room // len(named))
    answers = [_one_of_many(database, load, hash_, each) for hash_ in named]
    if left := hashes[MOST_HASHES:]:
        answers.append(f"[{len(left)} more hashes: ask for at most {MOST_HASHES} at once]")
    return Retrieved("\n\n".join(answers))


def _one_of_many(database: Readable, load: Load, hash_: str, part: Part) -> str:
    try:
        return _told(database, load(hash_), part)
    except OriginalNotFoundError as error:
        return str(error)


def _told(database: Readable, original: StoredOriginal, part: Part) -> str:
    """A part, or why there is none."""
    try:
        return _framed(database, original, part)
    except UnusablePartError as error:
        return f"{_origin(database, original)}]\n{error}"


def _framed(database: Readable, original: StoredOriginal, part: Part) -> str:
    """A part between the line that says where it is from and the one that says how to go on."""
    origin = _origin(database, original)
    room = max(part.room - _FRAME_TOKENS, part.room // 2)
    page, selection = cut_part(well_formed(original.text), replace(part, max_tokens=room))
    notes = [f"{page.shown} of {selection.total:,}", selection.note]
    head = " · ".join([origin, *(note for note in notes if note)])
    rest = [_go_on(part, page.next, page.left, selection.unit)] if page.next else []
    return "\n".join([f"{head}]", page.text, *rest])


def _origin(database: Readable, original: StoredOriginal) -> str:
    source = original.provenance
    turn, runs = database.read(
        lambda connection: (
            turn_of(connection, original),
            is_running(connection, source.session_id),
        )
    )
    when = datetime.fromtimestamp(source.time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    words = [f"original {original.hash}", source.tool, source.session_key]
    words += [f"turn {turn}"] if turn else []
    words += [] if runs else [EARLIER]
    return f"[{' · '.join(word for word in [*words, when] if word)}"


def _go_on(part: Part, next_: str, left: int, unit: str) -> str:
    same = _same_arguments(part)
    return f'[{left:,} {unit} left; go on with {unit}="{next_}"{same}]'


def _same_arguments(part: Part) -> str:
    kept: Sequence[tuple[str, str]] = (
        ("grep", part.grep),
        ("jsonPath", part.json_path),
        ("columns", part.columns),
    )
    names = [name for name, value in kept if value.strip()]
    return f" and the same {' and '.join(names)}" if names else ""
