"""Cases 05 and 09: what was reduced comes back to the last code unit, and stays final."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from flowctx.errors import OriginalNotFoundError
from flowctx.identity import resolve_session
from flowctx.reducers.marker import RETRIEVE_TOOL, marked_hashes
from flowctx.service.context import Context
from flowctx.service.retrieve import retrieve
from flowctx.service.upkeep import expire
from flowctx.store.originals import original_text
from tests.cases.conftest import Case
from tests.support.host import HostSession, open_context
from tests.support.notes import ran
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.turns import text_at, turns

DAY_MS = 86_400_000
CUTS = (1498, 1499, 1500, 1501, 2999, 3000, 3001, 3002, None)
OWNER = resolve_session("agent:main:main")


def cut(text: str, units: int | None) -> str:
    """The first so many UTF-16 code units, as a host cuts strings."""
    data = text.encode("utf-16-le", "surrogatepass")
    return data[: 2 * units if units else None].decode("utf-16-le", "surrogatepass")


def hashes_in(view: list[Body]) -> set[str]:
    shown = (text_at(view, at) for at in range(len(view)) if view[at].get("toolCallId"))
    return {hash_ for text in shown for hash_ in marked_hashes(text)}


def fetched(text: str, number: int) -> list[Body]:
    id_ = f"w{number}"
    return [
        user(f"read {number}"),
        assistant(call(id_, "web_fetch", url="x")),
        result(id_, text, "web_fetch"),
        assistant("read"),
    ]


def test_05_cuts_inside_emoji(tmp_path, case: Case):
    """What a model sees is well-formed, the same each time; the original is what came in."""
    texts = [cut(case("05"), units) * 4 for units in CUTS]
    history = [body for number, text in enumerate(texts) for body in fetched(text, number)]
    views = []
    for folder in ("one", "other"):
        context = open_context(tmp_path / folder)
        host = HostSession(context)
        view = host.assemble(history)
        views.append(view)
        for at, text in enumerate(texts):
            shown = text_at(view, at * 4 + 2)
            for hash_ in marked_hashes(shown):
                assert json.loads(json.dumps(shown)).encode().decode() == shown
                assert retrieve(context.database, OWNER, hash_).text == text
        folded = HostSession(context, "agent:main:explicit:small").assemble(history, 1_500)
        digests = [m for m in folded if m not in history]
        assert digests
        json.dumps(digests, ensure_ascii=False).encode()
        context.close()
    assert views[0] == views[1]
    assert len(hashes_in(views[0])) == len(CUTS)


@pytest.fixture
def aged(context: Context, case: Case) -> tuple[str, str, list[Body]]:
    """The hash of a reduced result, its text, and a session that had it back since."""
    text = case("09")
    history = [user("show all"), *ran("a", "squares", text), assistant("shown"), user("once more")]
    (hash_,) = marked_hashes(text_at(HostSession(context).assemble(history), 2))
    asked = assistant(call("b", RETRIEVE_TOOL, hash=hash_))
    return hash_, text, [*history, asked, result("b", text, RETRIEVE_TOOL)]


def test_09_what_was_had_back_is_whole_and_never_an_original(context: Context, aged):
    """In the running turn it stands whole; grown old it names no other hash than the first."""
    hash_, text, history = aged
    context.settings = replace(context.settings, fold_policy="ratio")
    assert hash_ == hashlib.sha256(text.encode()).hexdigest()[:24]
    assert text_at(HostSession(context).assemble(history), -1) == text
    view = HostSession(context).assemble([*history, assistant("seen"), *turns(6)])
    assert hashes_in(view[:7]) == {hash_}
    hashes = context.database.read(lambda c: c.execute("SELECT hash FROM originals").fetchall())
    for (each,) in hashes:
        stored = context.database.read(lambda c, h=each: original_text(c, h))
        assert stored is not None and not marked_hashes(stored)


def test_09_a_marker_in_a_live_transcript_never_dangles(context: Context, aged):
    """After a restart and 400 days the original is there, byte for byte."""
    hash_, text, history = aged
    HostSession(context).assemble(history)
    HostSession(context).settle()
    context.close()
    later = open_context(context.state_dir)
    now = later.now_ms()
    later.now_ms = lambda: now + 400 * DAY_MS
    expire(later)
    assert retrieve(later.database, OWNER, hash_).text == text
    later.close()


def test_09_a_wrong_digit_is_answered_the_same_each_time(context: Context, aged):
    """Not found is final, and reads otherwise than removed."""
    hash_, _, _ = aged
    wrong = hash_[:-1] + ("0" if hash_[-1] != "0" else "1")
    said = []
    for _ in range(3):
        with pytest.raises(OriginalNotFoundError) as missing:
            retrieve(context.database, OWNER, wrong)
        said.append((missing.value.reason, str(missing.value)))
    assert len(set(said)) == 1
    assert said[0][0] == "never-stored" and "Retrying will not help" in said[0][1]
    assert "removed" not in said[0][1]


@pytest.mark.parametrize("key", ["agent:main:cron:daily:run:1", "agent:main:subagent:5"])
def test_09_a_run_without_the_tool_is_told_of_none(context: Context, case: Case, key: str):
    """Markers and digests name no tool that the run does not have."""
    text = case("09")
    history = [user("show"), *ran("a", "squares", text), assistant("shown"), *turns(20)]
    for budget in (0, 6_000):
        view = HostSession(context, key).assemble(history, budget, tools=frozenset())
        assert view != history and RETRIEVE_TOOL not in json.dumps(view)
