"""Search over the real store: recall, filters, scopes, walls, hostile queries."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.excerpt.parts import Part
from flowctx.identity import resolve_session
from flowctx.service.context import Context
from flowctx.service.events import record_event
from flowctx.service.purge import Selection, purge
from flowctx.service.recall.parts import retrieve_parts
from flowctx.service.retrieve import retrieve
from flowctx.service.search.answer import answer_search, search_answer
from flowctx.service.search.find import Found, search
from flowctx.service.state import SessionTable
from tests.recall.planted import crowd, planted_facts
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user

START_MS = 1_796_000_000_000
KEY = "agent:main:main"


def said(texts: list[str]) -> list[Body]:
    """A session in which user and assistant say these texts in turn."""
    return [
        (user if at % 2 == 0 else assistant)(text, timestamp=START_MS + at * 1000)
        for at, text in enumerate(texts)
    ]


def tell(context: Context, key: str, bodies: list[Body]) -> HostSession:
    """Hand a session over, and wait until it is indexed."""
    host = HostSession(context, key)
    host.assemble(bodies)
    host.settle()
    context.index.drain(context.settings)
    return host


def find(context: Context, query: str, key: str = KEY, limit: int = 5) -> Found:
    return search(context.database, resolve_session(key), query, limit)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """A session of 4,000 messages with a hundred planted facts."""
    context = open_context(tmp_path_factory.mktemp("crowded"))
    texts = [*crowd(3900), *(p.fact for language in ("en", "zh") for p in planted_facts(language))]
    random.Random(3).shuffle(texts)
    tell(context, KEY, said([*texts, "what now?"]))
    yield context
    context.close()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nine_of_ten_planted_facts_are_among_the_first_five(crowded: Context, language: str):
    """Natural questions find what was said once among thousands of messages alike."""
    facts = planted_facts(language)
    hits = [
        any(planted.fact in _plain(hit.snippet) for hit in find(crowded, planted.question).hits)
        for planted in facts
    ]
    assert len(facts) == 50
    assert sum(hits) >= 45, sum(hits)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ('"port 4000"', "listens on port 4000"),
        ("支付", "支付"),
        ("E4074", "E4074"),
        ("rollout_4111", "rollout_4111"),
        ("税", "税务"),
    ],
)
def test_words_phrases_and_signs_are_found(crowded: Context, query: str, wanted: str):
    """A phrase, a word of two characters, a code, a single character."""
    hits = find(crowded, query).hits
    assert hits and all(wanted in _plain(hit.snippet) for hit in hits[:1])
    assert "**" in hits[0].snippet


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


def work(number: int, tool: str, command: str, text: str) -> list[Body]:
    at = START_MS + number * 3_600_000
    return [
        user(f"step {number}", timestamp=at),
        assistant(call(f"c{number}", tool, command=command), timestamp=at + 1),
        result(f"c{number}", text, tool, timestamp=at + 2),
    ]


def test_filters_narrow_what_is_found(context: Context):
    """Tool, role, file, time and session each leave out the rest."""
    bodies = work(0, "exec", "make", "walrus built in src/app.py")
    bodies += work(1, "web", "get", "walrus page") + work(30, "exec", "ls", "walrus pond")
    tell(context, KEY, [*bodies, user("next", timestamp=START_MS + 200_000_000)])
    assert {hit.tool for hit in find(context, "walrus tool:web").hits} == {"web"}
    assert len(find(context, "walrus file:src/app.py").hits) == 1
    assert len(find(context, "walrus role:tool").hits) == 3
    assert find(context, "walrus role:user").hits == ()
    assert len(find(context, "walrus after:2026-12-01").hits) == 1
    assert find(context, "walrus after:soon").problems
    assert find(context, "walrus session:nowhere").hits == ()


def test_the_scope_is_said_and_widened_inside_the_same_person(context: Context):
    """What this session has not is looked for in the person's others, and nowhere else."""
    tell(context, KEY, said(["the walrus code is 7781", "noted"]))
    tell(context, "agent:main:explicit:other", said(["hello", "hi", "where?"]))
    found = find(context, "walrus code", "agent:main:explicit:other")
    assert len(found.hits) == 1 and "all sessions" in found.scope
    for stranger in ("agent:other:main", "agent:main:telegram:direct:5", "agent:main:x:group:9"):
        assert find(context, "walrus code session:all", stranger).hits == ()


PROGRESS = "".join(f"Downloading {n / 30:.1f}% of part {n:04x}\r" for n in range(3_000))
WORDY = " ".join(f"word{n:05x}" for n in range(9_000))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{PROGRESS}\nfatal: checksum mismatch for libfoo\n", id="behind progress"),
        pytest.param(f"{PROGRESS}fatal: checksum mismatch for libfoo", id="last state of it"),
        pytest.param(f"{WORDY}\nfatal: checksum mismatch for libfoo", id="behind a long line"),
        pytest.param("\n".join([WORDY] * 3 + ["checksum libfoo"]), id="behind equal long lines"),
        pytest.param(
            "\n".join([*(WORDY.replace("w", c) for c in "abcdef"), "checksum libfoo"]),
            id="behind many long lines",
        ),
        pytest.param(f"{WORDY[:15_000]} checksum libfoo {WORDY}", id="far inside a single line"),
    ],
)
def test_no_line_keeps_another_from_being_found(context: Context, text: str):
    """However long a line is, what stands on the others and in most of its own is searched."""
    bodies = [user("get it"), assistant(call("c", command="cat progress")), result("c", text)]
    tell(context, KEY, [*bodies, *said(["broken", "why?"])])
    assert find(context, "checksum libfoo").hits


def test_a_hit_can_be_retrieved_by_its_hash(context: Context):
    """Also a short message that was never reduced; the wall around it stands."""
    tell(context, KEY, said(["the walrus code is 7781", "noted", "and now?"]))
    (hit,) = answer_search(context, resolve_session(KEY), "walrus", 5).hits
    assert retrieve(context.database, resolve_session(KEY), hit.hash).text.endswith("7781")


def test_a_call_without_words_leads_to_its_result(context: Context):
    """Calls found by their commands are told apart, each with a hash and its result's."""
    bodies = work(0, "exec", "make walrus", "built") + work(1, "exec", "feed walrus", "eaten")
    tell(context, KEY, [*bodies, user("next", timestamp=START_MS + 9_000_000)])
    hits = answer_search(context, resolve_session(KEY), "walrus", 5).hits
    ref = resolve_session(KEY)
    back = {retrieve(context.database, ref, hit.result_hash).text for hit in hits}
    asked = {retrieve(context.database, ref, hit.hash).text for hit in hits}
    assert back == {"built", "eaten"}
    assert asked == {"exec\ncommand: make walrus", "exec\ncommand: feed walrus"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"path": "notes.md", "content": "Take the ferry to Stromboli.\n" * 3}),
        ("edit", {"path": "a.py", "edits": [{"oldText": "x", "newText": "FERRY = 'Stromboli'"}]}),
        ("message", {"to": "Anna", "message": "the ferry to Stromboli leaves at six"}),
        ("update_plan", {"plan": [{"step": "book the ferry to Stromboli", "status": "pending"}]}),
        ("sessions_spawn", {"task": "find a ferry to Stromboli"}),
    ],
)
def test_what_the_model_hands_to_a_tool_is_found_and_had_back(
    context: Context, tool: str, arguments: dict[str, object]
):
    """A file it wrote, a message it sent, a plan: said through a tool, and said all the same."""
    bodies = [
        user("go on", timestamp=START_MS),
        assistant(call("c1", tool, **arguments), timestamp=START_MS + 1),
        result("c1", "done", tool, timestamp=START_MS + 2),
    ]
    tell(context, KEY, [*bodies, user("next", timestamp=START_MS + 9_000_000)])
    (hit,) = answer_search(context, resolve_session(KEY), "ferry stromboli", 5).hits
    told = retrieve(context.database, resolve_session(KEY), hit.hash).text
    assert "tromboli" in told and told.startswith(tool)


def test_the_running_turn_and_own_results_are_not_found(context: Context):
    """A question does not find itself, nor what an earlier search had said."""
    bodies = said(["the walrus code is 7781", "noted"])
    bodies += work(1, "flowctx_search", "walrus", "1. walrus code walrus code")
    tell(context, KEY, [*bodies, user("walrus code?", timestamp=START_MS + 9_000_000)])
    assert [hit.role for hit in find(context, "walrus code").hits] == ["user"]


def test_what_was_purged_is_not_found_by_its_words(context: Context):
    """After a purge the index holds no word of it."""
    tell(context, KEY, said(["the walrus code is 7781", "noted", "next"]))
    purge(context, SessionTable(), Selection(session_key=KEY))
    words = context.database.read(lambda c: c.execute("SELECT term FROM search_terms").fetchall())
    assert ("walru",) not in words
    tell(context, KEY, said(["a new walrus", "yes", "next"]))
    assert len(find(context, "walrus").hits) == 1


def test_a_store_from_before_the_index_is_worked_off(context: Context):
    """Rows that are not in the index are taken in when the sidecar starts."""
    tell(context, KEY, said(["the walrus code is 7781", "noted", "next"]))
    context.database.write(lambda c: c.execute("DELETE FROM documents")).result()
    assert find(context, "walrus").hits == ()
    context.index.begin_anew()
    context.index.drain(context.settings)
    assert len(find(context, "walrus").hits) == 1


def test_a_damaged_body_hides_no_other(context: Context):
    """What can still be read is indexed and found beside a body that cannot."""
    tell(context, KEY, said(["the walrus code is 7781", "noted", "next"]))
    spoil = "UPDATE blobs SET bytes = x'00' WHERE digest IN (SELECT body FROM messages)"
    context.database.write(lambda c: c.execute(spoil)).result()
    assert find(context, "walrus").hits == ()
    context.database.write(lambda c: c.execute("DELETE FROM documents")).result()
    context.index.begin_anew()
    tell(context, KEY, said(["the walrus code is 7781", "noted", "next", "a walrus again", "?"]))
    assert [hit.role for hit in find(context, "walrus").hits] == ["assistant"]


HOSTILE = (
    "walrus' OR 1=1 --", 'x" OR body:"y', "NEAR(a b)", "* ^ AND OR NOT", "((((", "a" * 100_000,
    "'; DROP TABLE messages;", "session:", 'tool:"', '"""', "\0", "\ud800", "body: {a} : b*",
    "-walrus", "walrus NOT walrus", "</working_memory>", "after:9999-99-99", "after:0001-01-01",
)  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE)
def test_operators_in_a_query_are_only_text(crowded: Context, query: str):
    """Neither SQL nor the index's own language is reached from a query."""
    assert isinstance(search_answer(find(crowded, query), query), str)


@given(st.text(max_size=80), st.integers(0, 2**31))
def test_any_query_gets_an_answer(crowded: Context, query: str, limit: int):
    """Whatever a model invents is answered."""
    assert search_answer(find(crowded, query, limit=limit), query)


def _plain(snippet: str) -> str:
    return snippet.replace("**", "")


def test_filters_alone_find_the_newest(context: Context):
    """Without words there is nothing to rank by, so what was last comes first."""
    bodies = [body for n in range(4) for body in work(n, "exec", f"make {n}", f"out {n}")]
    tell(context, KEY, [*bodies, user("what now?", timestamp=START_MS + 10 * 3_600_000)])
    found = find(context, "role:user", limit=2)
    assert [hit.snippet for hit in found.hits] == ["step 3", "step 2"] and found.has_more
    assert search_answer(found, "role:user").startswith("The newest 2 in this session, of more:")
    everything = find(context, "tool:exec", limit=25)
    assert [hit.snippet for hit in everything.hits][:1] == ["out 3"] and not everything.has_more
    assert find(context, "the of", limit=2).hits == ()


def test_what_was_said_before_a_reset_is_called_earlier(context: Context):
    """A hit of an epoch that has ended says so, and so does its text when it is retrieved."""
    host = tell(context, KEY, said(["the walrus code is 7781", "noted " * 900, "and now?"]))
    (before,) = answer_search(context, resolve_session(KEY), "walrus", 5).hits
    assert not before.is_earlier
    record_event(context, host.state, "reset")
    host.history = []
    tell(context, KEY, said(["a new day", "yes", "and now?"]))
    found = answer_search(context, resolve_session(KEY), "walrus", 5)
    assert found.hits[0].is_earlier and "earlier conversation" in search_answer(found, "walrus")
    part = retrieve_parts(context.database, resolve_session(KEY), before.hash, Part(grep="walrus"))
    assert "earlier conversation" in part.text.split("\n")[0]


def test_a_role_that_is_none_is_named_and_left_out(context: Context):
    """As a time that is none is: an answer of nothing would be believed."""
    tell(context, KEY, said(["the walrus code is 7781", "noted", "next"]))
    found = find(context, "walrus role:robot")
    assert found.hits and "role:robot" in search_answer(found, "walrus role:robot")
    assert find(context, "walrus role:User").problems == ()
