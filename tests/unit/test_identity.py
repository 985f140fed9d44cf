"""Who speaks in a session: read from whole segments of the key, never from parts of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.identity import SessionKind, SessionRef, resolve_session

OWNER = "owner"
UUID = "0b5c1d9e-1111-2222-3333-444455556666"


@pytest.mark.parametrize(
    ("key", "agent", "kind", "person"),
    [
        pytest.param("agent:main:main", "main", "direct", OWNER, id="the main session"),
        pytest.param("agent:main:explicit:l1", "main", "direct", OWNER, id="a named session"),
        pytest.param("agent:main:dashboard:review-api", "main", "direct", OWNER, id="dashboard"),
        pytest.param("agent:ops:incident-42", "ops", "direct", OWNER, id="a key of the owner's"),
        pytest.param("agent:main:global", "main", "direct", OWNER, id="global"),
        pytest.param(f"agent:main:acp:{UUID}", "main", "direct", OWNER, id="an ACP session"),
        pytest.param("agent:main:boot:run-1", "main", "direct", OWNER, id="boot"),
        pytest.param("main", "main", "direct", OWNER, id="a bare key"),
        pytest.param("", "main", "direct", OWNER, id="no key"),
        pytest.param(
            "agent:main:main:thread:177.7", "main", "direct", OWNER, id="a thread of main"
        ),
        pytest.param(
            "agent:a:telegram:direct:u1", "a", "direct", "direct:telegram:u1", id="per channel peer"
        ),
        pytest.param("agent:a:direct:u1", "a", "direct", "direct:u1", id="per peer"),
        pytest.param("agent:a:dm:u1", "a", "direct", "direct:u1", id="the older word"),
        pytest.param(
            "agent:a:telegram:acct:direct:u1",
            "a",
            "direct",
            "direct:telegram:acct:u1",
            id="per account, channel and peer",
        ),
        pytest.param(
            "agent:main:slack:direct:U1:thread:177.7",
            "main",
            "direct",
            "direct:slack:u1",
            id="a thread with one person",
        ),
        pytest.param(
            "agent:main:slack:slash:U1",
            "main",
            "direct",
            "direct:slack:u1",
            id="a person's slash commands",
        ),
        pytest.param(
            "agent:a:whatsapp:group:120@g.us", "a", "group", "group:whatsapp:120@g.us", id="group"
        ),
        pytest.param(
            "agent:a:discord:channel:1:thread:9", "a", "group", "group:discord:1", id="a thread"
        ),
        pytest.param(
            "agent:main:telegram:group:-100:topic:42",
            "main",
            "group",
            "group:telegram:-100:topic:42",
            id="a forum topic",
        ),
        pytest.param("agent:main:cron:nightly:run:8", "main", "cron", OWNER, id="cron"),
        pytest.param("agent:main:hook:gmail:1", "main", "webhook", OWNER, id="a hook"),
        pytest.param("agent:main:heartbeat", "main", "direct", OWNER, id="heartbeat"),
        pytest.param(
            f"agent:main:internal-session-effects:{UUID}-ab",
            "main",
            "internal",
            f"internal-session-effects:{UUID}-ab",
            id="a hidden run is nobody's",
        ),
        pytest.param(
            f"agent:main:dashboard:incognito-{UUID}",
            "main",
            "internal",
            f"dashboard:incognito-{UUID}",
            id="an incognito session is nobody's",
        ),
        pytest.param(
            "agent:main:telegram:12345", "main", "direct", "other:telegram:12345", id="unknown"
        ),
        pytest.param(
            "agent:main:voice:+4912345", "main", "direct", "other:voice:+4912345", id="a caller"
        ),
        pytest.param("agent:main:forum:7:post", "main", "direct", "other:forum:7:post", id="new"),
        pytest.param("id:sess-7", "main", "direct", "other:id:sess-7", id="known by id alone"),
    ],
)
def test_the_shapes_of_session_keys(key, agent, kind, person):
    """Each shape the host documents gives agent, kind and person."""
    ref = resolve_session(key)
    assert (ref.agent, ref.kind.value, ref.person) == (agent, kind, person)
    assert ref.key == key


@pytest.mark.parametrize(
    ("key", "kind", "person"),
    [
        pytest.param(
            "agent:a:discord:group:main", "group", "group:discord:main", id="a group called main"
        ),
        pytest.param(
            "agent:a:discord:group:cron", "group", "group:discord:cron", id="a group called cron"
        ),
        pytest.param(
            "agent:a:telegram:direct:group", "direct", "direct:telegram:group", id="a peer so named"
        ),
        pytest.param(
            "agent:a:telegram:direct:group:x",
            "direct",
            "direct:telegram:group:x",
            id="a peer's id with a word and an id in it",
        ),
        pytest.param("agent:a:explicit:direct:u1", "direct", OWNER, id="a name with a word in it"),
        pytest.param("agent:a:explicit:group:x", "direct", OWNER, id="a name that says group"),
        pytest.param("agent:a:xgroup:group1", "direct", "other:xgroup:group1", id="parts of words"),
        pytest.param("agent:a:subagents:x", "direct", "other:subagents:x", id="a longer word"),
        pytest.param("agent:a:group", "direct", OWNER, id="a word without an id"),
        pytest.param("agent:thread:main", "direct", OWNER, id="an agent called thread"),
        pytest.param(
            "agent:a:discord:group:thread:7", "group", "group:discord:thread:7", id="group: thread"
        ),
    ],
)
def test_words_inside_names_decide_nothing(key, kind, person):
    """Only a segment at its place counts; names may hold any word."""
    ref = resolve_session(key)
    assert (ref.kind.value, ref.person) == (kind, person)


@pytest.mark.parametrize("agent", ["thread", "direct", "group", "agent", "cron"])
def test_an_agent_may_have_any_name(agent):
    """The agent of a key is its second segment, whatever that says."""
    assert resolve_session(f"agent:{agent}:main").agent == agent
    assert resolve_session(f"agent:{agent}:discord:group:g").person == "group:discord:g"


def test_the_host_knows_the_agent_better_than_the_key():
    """An agent the host told wins over the one in the key."""
    assert resolve_session("agent:main:main", agent="Ops").agent == "ops"


def test_a_sub_agent_speaks_for_its_parents_person():
    """A sub-agent has its parent's rights; one whose parent is not known has its own only."""
    child = f"agent:a:subagent:{UUID}"
    known = resolve_session(child, parent_key="agent:a:telegram:direct:u1")
    assert (known.kind, known.person) == (SessionKind.SUBAGENT, "direct:telegram:u1")
    assert resolve_session(child).person == f"subagent:{child}"
    assert resolve_session(child, parent_key="agent:a:discord:group:g").person == "group:discord:g"


@given(st.lists(st.text("abc:DM", max_size=4), max_size=7).map(":".join))
def test_any_key_is_read_and_case_says_nothing(rest):
    """No key raises, and the host's spelling of it does not matter for who speaks."""
    for key in (rest, f"agent:a:{rest}"):
        ref = resolve_session(key)
        assert isinstance(ref, SessionRef) and ref.person
        upper = resolve_session(key.upper())
        assert (upper.agent, upper.kind, upper.person) == (ref.agent, ref.kind, ref.person)


NAMES = st.sampled_from(["telegram", "discord", "x", "42", "thread"])
WORDS = st.sampled_from(["direct", "group", "channel", "slash"])


@given(st.tuples(NAMES, WORDS, NAMES), st.tuples(NAMES, WORDS, NAMES))
def test_two_peers_are_never_one_person(one, other):
    """People differ when channel or id differ, and no room is a person."""
    refs = [resolve_session(f"agent:a:{':'.join(parts)}") for parts in (one, other)]
    same = one[0] == other[0] and one[2] == other[2]
    if refs[0].person == refs[1].person:
        assert same and refs[0].kind == refs[1].kind
