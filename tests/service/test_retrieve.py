"""Retrieving: the exact text, or one answer that ends the matter."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.errors import OriginalNotFoundError
from flowctx.identity import resolve_session
from flowctx.message import hash_text
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.service.purge import Selection, purge
from flowctx.service.retrieve import retrieve, retrieve_as_owner
from flowctx.service.state import SessionTable
from tests.support.host import HostSession, open_context
from tests.support.turns import BIG, text_at, turn, turns

ME = resolve_session("agent:main:main")


def reason_of(context: Context, asked: str) -> tuple[str, str]:
    with pytest.raises(OriginalNotFoundError) as error:
        retrieve(context.database, ME, asked)
    return error.value.reason, str(error.value)


def stored(context: Context) -> str:
    (hash_,) = marked_hashes(text_at(HostSession(context).assemble(turn(0)), 2))
    return hash_


def test_an_original_comes_back_with_where_it_came_from(context: Context):
    """Text, tool, session and time are those of the result."""
    hash_ = stored(context)
    found = retrieve(context.database, ME, hash_)
    assert found.text == text_at(turn(0), 2) and hash_text(found.text) == hash_
    source = found.provenance
    assert (source.tool, source.session_key) == ("exec", "agent:main:main")
    assert source.time_ms == turn(0)[2]["timestamp"]
    assert retrieve_as_owner(context.database, hash_).text == found.text


@pytest.mark.parametrize("around", [" {} ", "{}\n", "{upper}"])
def test_a_hash_is_read_however_a_model_writes_it(context: Context, around):
    """Blanks around it and capitals do not matter."""
    hash_ = stored(context)
    asked = around.format(hash_, upper=hash_.upper())
    assert retrieve(context.database, ME, asked).hash == hash_


def test_every_way_of_not_having_it_has_its_own_final_answer(context: Context):
    """No hash, never stored, not yours, removed: each told apart, each says not to retry."""
    hash_ = stored(context)
    context.now_ms = lambda: 1_800_000_000_000
    asked = (reason_of(context, "nonsense"), reason_of(context, "0" * 24))
    answers = dict(asked)
    other = resolve_session("agent:other:main")
    with pytest.raises(OriginalNotFoundError) as error:
        retrieve(context.database, other, hash_)
    answers[error.value.reason] = str(error.value)
    purge(context, SessionTable(), Selection(hash=hash_))
    reason, text = reason_of(context, hash_)
    answers[reason] = text
    assert set(answers) == {"not-a-hash", "never-stored", "not-yours", "removed"}
    assert len(set(answers.values())) == 4
    assert "removed on 2027-01-15" in answers["removed"]
    finals = [answers[reason] for reason in ("never-stored", "not-yours", "removed")]
    assert all("Retrying will not help" in text for text in finals)
    assert "24 hex digits" in answers["not-a-hash"]


@pytest.mark.parametrize(
    "asked",
    ["", "abc", "g" * 24, "0" * 23, "0" * 25, "hash=" + "0" * 24, "٣" * 24, "x" * 100_000, "\0"],
)
def test_what_is_no_hash_is_told_in_a_short_line(context: Context, asked):
    """Whatever a model passes, the answer is short and says what to pass."""
    reason, text = reason_of(context, asked)
    assert reason == "not-a-hash" and len(text) < 400


def test_a_whole_marker_is_answered_as_such(context: Context):
    """A model that passes the pointer line is told to pass the digits."""
    view = HostSession(context).assemble(turn(0))
    reason, text = reason_of(context, text_at(view, 2).split("\n")[0])
    assert reason == "not-a-hash" and "whole marker" in text


def test_an_answer_asked_for_thrice_is_the_same_thrice(context: Context):
    """Asking again changes neither the answer nor the store."""
    wrong = re.sub(".$", lambda last: "0" if last.group() != "0" else "1", stored(context))
    assert len({reason_of(context, wrong) for _ in range(3)}) == 1


SURROGATES = st.text(st.characters(codec=None), min_size=1, max_size=40)


@given(SURROGATES)
def test_any_text_comes_back_to_the_last_code_unit(tmp_path_factory, text):
    """Lone surrogates, NUL, carriage returns and escapes come back as they went in."""
    context = open_context(tmp_path_factory.mktemp("exact"), Settings(projection_threshold=200))
    original = f"\ufeff{text}\r\n\x1b[31m" + f"{text} and a line of it\n" * 120
    body = turn(0, original)
    view = HostSession(context).assemble(body)
    for hash_ in marked_hashes(text_at(view, 2)):
        assert retrieve(context.database, ME, hash_).text == text_at(body, 2)
    text_at(view, 2).encode("utf-8")
    context.close()


def test_retrieved_text_is_final(context: Context):
    """A result of flowctx's own tool is never reduced, old or new, and never an original."""
    host = HostSession(context)
    fetched = turn(1, BIG, tool="flowctx_retrieve", hash="0" * 24)
    view = host.assemble([*turn(0), *fetched, *turns(3, start=2)])
    assert view[6] == fetched[2]
    host.settle()
    texts = context.database.read(lambda c: c.execute("SELECT hash FROM originals").fetchall())
    assert len(texts) == 4


def test_a_marker_is_never_an_original(context: Context):
    """Text that is a view of ours, come back through another tool, stays as it is."""
    host = HostSession(context)
    reduced = text_at(host.assemble(turn(0)), 2)
    echoed = turn(1, BIG)
    echoed[2]["content"][0]["text"] = reduced
    other = HostSession(context, "agent:main:explicit:other")
    assert other.assemble(echoed)[2] == echoed[2]
