"""Retrieving parts over the real store: provenance, several hashes, walls, and giving back."""

from __future__ import annotations

import pytest

from flowctx.errors import OriginalNotFoundError
from flowctx.excerpt.parts import Part
from flowctx.identity import resolve_session
from flowctx.message import hash_text
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.recall.parts import retrieve_parts
from flowctx.store.originals import dangling_hashes
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user

MINUTE_MS = 60_000
START_MS = 1_796_000_000_000
MAIN = resolve_session("agent:main:main")


def output(number: int) -> str:
    return "\n".join(f"{line:04d} step {line} of run {number}" for line in range(1, 401))


def turn(number: int, text: str = "") -> list[Body]:
    at = START_MS + number * MINUTE_MS
    return [
        user(f"do {number}", timestamp=at),
        assistant(call(f"c{number}", command=f"run {number}"), timestamp=at + 1),
        result(f"c{number}", text or output(number), timestamp=at + 2),
        assistant(f"done {number}", timestamp=at + 3),
    ]


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


@pytest.fixture
def host(context: Context) -> HostSession:
    """A session of three turns whose results are reduced and stored."""
    session = HostSession(context)
    session.assemble([body for number in range(3) for body in turn(number)])
    session.settle()
    return session


def ask(context: Context, hash_: str, **part) -> str:
    return retrieve_parts(context.database, MAIN, hash_, Part(**part)).text


def test_a_whole_original_that_fits_is_byte_exact(context: Context, host: HostSession):
    """Without a part nothing is added, as long as there is room."""
    text = output(1)
    assert ask(context, hash_text(text), max_tokens=10_000) == text


def test_a_part_says_where_it_is_from_and_how_to_go_on(context: Context, host: HostSession):
    """Session, turn, tool and time stand before a part, the next lines behind it."""
    said = ask(context, hash_text(output(1)), max_tokens=500).split("\n")
    assert said[0].startswith(f"[original {hash_text(output(1))} · exec · agent:main:main · turn 2")
    assert "2026-11-" in said[0] and said[0].endswith("of 400]")
    last = int(said[-2].split(":")[0])
    assert said[-1] == f'[{400 - last} lines left; go on with lines="{last + 1}-400"]'


def test_signs_around_a_hash_do_not_hide_it(context: Context, host: HostSession):
    """A hash that a list was begun or ended with is one all the same."""
    hash_ = hash_text(output(1))
    for asked in (f"{hash_},", f" hash={hash_} ;", hash_.upper(), f",{hash_}"):
        assert "7:0007 step 7 of run 1" in ask(context, asked, lines="7")


def test_several_hashes_share_the_room(context: Context, host: HostSession):
    """Each is answered under its own line; one that leads nowhere says so among them."""
    hashes = [hash_text(output(number)) for number in (0, 1)]
    said = ask(context, f"{hashes[0]}, {hashes[1]}, {'0' * 24}", lines="7")
    assert [said.count(hash_) for hash_ in hashes] == [1, 1]
    assert "7:0007 step 7 of run 0" in said and "7:0007 step 7 of run 1" in said
    assert "never" in said or "ever stored" in said


@pytest.mark.parametrize(
    ("asked", "reason"),
    [("0" * 24, "never-stored"), ("../../etc/passwd", "not-a-hash"), ("", "not-a-hash")],
)
def test_what_leads_nowhere_is_final(context: Context, host: HostSession, asked: str, reason: str):
    """Each kind of failure has a sentence of its own."""
    with pytest.raises(OriginalNotFoundError) as caught:
        ask(context, asked)
    assert caught.value.reason == reason


def test_what_was_asked_for_in_vain_is_told_in_a_sentence(context: Context, host: HostSession):
    """How much there is where a range lies behind it, and that nothing was passed where so."""
    said = ask(context, hash_text(output(1)), lines="9000-9001")
    assert said.endswith("There is nothing at lines 9000-9001: the text has 400 lines.")
    with pytest.raises(OriginalNotFoundError, match="No hash was passed: a hash is 24 hex"):
        ask(context, " ")


@pytest.mark.parametrize("key", ["agent:other:main", "agent:main:telegram:direct:77"])
def test_parts_stay_behind_the_walls(context: Context, host: HostSession, key: str):
    """Another agent or person gets nothing, whatever part is asked for."""
    for part in (Part(), Part(lines="1-2"), Part(grep="step")):
        with pytest.raises(OriginalNotFoundError) as caught:
            ref = resolve_session(key)
            retrieve_parts(context.database, ref, hash_text(output(1)), part)
        assert caught.value.reason == "not-yours"


def test_what_was_retrieved_is_given_back_in_a_round_only(context: Context, host: HostSession):
    """Its result stays whole while nothing folds, and then names the hash it came from."""
    text = output(0)
    bodies = [body for number in range(3) for body in turn(number)]
    asked = call("r1", "flowctx_retrieve", hash=hash_text(text))
    bodies += [
        user("see", timestamp=START_MS + 10 * MINUTE_MS),
        assistant(asked, timestamp=START_MS + 10 * MINUTE_MS + 1),
        result("r1", text, "flowctx_retrieve", timestamp=START_MS + 10 * MINUTE_MS + 2),
        assistant("seen", timestamp=START_MS + 10 * MINUTE_MS + 3),
    ]
    bodies += turn(11, "ok") + turn(12, "ok")
    view = host.assemble(bodies)
    assert view[14]["content"][0]["text"] == text
    tokens = host.answer.estimated_tokens
    folded = host.assemble(bodies, tokens - 200)
    assert host.answer.round
    (given_back,) = [b for b in folded if b.get("toolName") == "flowctx_retrieve"]
    assert marked_hashes(given_back["content"][0]["text"]) == {hash_text(text)}
    assert host.assemble(bodies, tokens - 200) == folded
    host.settle()
    assert context.database.read(dangling_hashes) == []
