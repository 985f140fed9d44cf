"""Digests: notes without a model, at any size, and what is read back from notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import Fact, MustKeep
from flowctx.dag.notes.budget_digest import render_digest
from flowctx.dag.notes.digest import condense_digests, write_digest
from flowctx.dag.notes.note import Covers, render_note
from flowctx.dag.notes.recall import carried, merged, recalled
from flowctx.dag.notes.sections import parse_sections
from flowctx.dag.wording.lexicon import LANGUAGES, SECTIONS, lexicon
from flowctx.tokens import estimate_tokens
from tests.support.notes import planted_session, ran, turns_of
from tests.support.transcripts import SESSIONS, assistant, user

SIZES = [60, 90, 150, 240, 300, 500, 700, 1500, 4000, 20_000]
BODIES = [
    user("Move the service. Never touch the legacy/ folder."),
    *ran("a", "migrate run --step 3", "lock timeout E_LOCK_0137", isError=True),
    assistant("Steps 1 and 2 are done. Next: step 3 by the logical method, not yet run."),
    user("Go on with db-eu2:54329."),
    *ran("b", "cat src/pay.py", "text"),
    assistant("It is fine."),
]


def digest(bodies: list[dict], max_tokens: int, **extra) -> str:
    turns = turns_of(bodies, **extra)
    return write_digest(turns, must_keep(turns), language="en", max_tokens=max_tokens)


@pytest.mark.parametrize("max_tokens", SIZES)
def test_a_digest_keeps_to_its_size_and_to_the_bans(max_tokens: int):
    """From 60 tokens on; what the user forbade and what is open go last."""
    text = render_digest(turns_of(BODIES), len(BODIES), max_tokens)
    assert estimate_tokens(text) <= max_tokens
    assert 'kind="digest"' in text and text.endswith("</flowctx-handoff-note>")
    if max_tokens >= 90:
        assert "Never touch the legacy/ folder." in text and "not a request" in text
    if max_tokens >= 150:
        assert "Next: step 3 by the logical method, not yet run." in text


@pytest.mark.parametrize("max_tokens", SIZES)
def test_a_digest_of_a_long_session_counts_what_it_leaves_out(max_tokens: int):
    """No turn disappears without a word."""
    text = render_digest(turns_of(planted_session(3, turns=80)), 480, max_tokens)
    assert estimate_tokens(text) <= max_tokens
    assert "left out …]" in text


def test_a_digest_has_everything_where_there_is_room():
    """Asks, actions with status and original, outcomes, and all facts under their headings."""
    text = digest(BODIES, 4000, originals={2: "ab" * 12})
    failed = "`migrate run --step 3` → failed: lock timeout E_LOCK_0137"
    for line in (
        "1. Move the service. Never touch the legacy/ folder.",
        f"   - {failed} [original {'ab' * 12}]",
        "   = It is fine.",
        "- [user] Never touch the legacy/ folder.",
        "- [failed] migrate run --step 3 → lock timeout E_LOCK_0137",
        "- [done] Steps 1 and 2 are done.",
        "- [open, not done] Next: step 3 by the logical method, not yet run.",
        "- [files: read] src/pay.py",
    ):
        assert line in text.split("\n")
    keys = [section.key for section in parse_sections(text) if section.key]
    assert keys == list(SECTIONS)


def test_the_same_source_gives_the_same_bytes():
    """A digest is part of a prefix that must not change."""
    assert digest(planted_session(4), 900) == digest(planted_session(4), 900)


def test_tags_in_the_source_are_inert_in_a_digest():
    """Nobody closes it from inside."""
    text = digest([user("see </flowctx-handoff-note> now")], 900)
    assert "</flowctx-handoff-note>" not in text and "&lt;/flowctx-handoff-note>" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_are_read_back_from_a_digest_in_any_language(language: str):
    """What code wrote, code can read: nothing is lost when notes are condensed."""
    turns = turns_of(BODIES)
    facts = must_keep(turns)
    note = write_digest(turns, facts, language=language, max_tokens=4000)
    back = recalled([render_note(note, Covers(1, 2, 6), node="1", kind="digest", depth=0)])
    for name in ("constraints", "done", "open", "asks"):
        said = {fact.text for fact in getattr(back, name)}
        assert {f.text for f in getattr(facts, name)} <= {
            s.partition(". ")[2] or s for s in said
        } | said
    assert [(f.text, f.reason) for f in back.failed] == [(f.text, f.reason) for f in facts.failed]
    named = {mention.text for mention in back.identifiers}
    assert {mention.text for mention in facts.identifiers} <= named


def test_condensed_digests_hold_the_bans_and_failures_of_all():
    """And of what is open, only the newest."""
    notes = [digest(planted_session(number), 3000) for number in (5, 6)]
    text = condense_digests(notes, language="en", max_tokens=4000)
    assert estimate_tokens(text) <= 4000
    for number in (5, 6):
        turns = turns_of(planted_session(number))
        assert all(fact.text in text for fact in must_keep(turns).constraints)
    first = digest([user("a"), assistant("Next: build it.")], 900)
    last = digest([user("b"), assistant("Next: ship it.")], 900)
    both = condense_digests([first, last], language="en", max_tokens=900)
    assert "Next: ship it." in both and "Next: build it." not in both


def test_what_was_done_since_is_open_no_more():
    """The later part has the last word."""
    opened = must_keep(turns_of([user("a"), assistant("Next: ship it.")]))
    fact = opened.open[0]
    done = must_keep(turns_of([user("b"), assistant("Done.")]))
    closed = merged([opened, done])
    assert closed.open == () and fact.text == "Next: ship it."


def test_a_rolling_note_carries_what_its_prior_held():
    """What was found since comes after it, and nothing of it is dropped."""
    prior = digest(BODIES, 3000)
    facts = must_keep(turns_of([user("Never push."), *ran("x", "make", "error: y", isError=True)]))
    both = carried(prior, facts)
    assert [c.text for c in both.constraints] == ["Never touch the legacy/ folder.", "Never push."]
    assert [f.text for f in both.failed] == ["migrate run --step 3", "make"]


def test_the_words_of_a_model_are_read_back_before_those_of_code():
    """A note's own lines are kept, and the record has the last word."""
    headings = lexicon("en").headings
    note = (
        f"## {headings['constraints']}\n- no ORM\n## {headings['failed']}\n- copy → lock\n"
        f"## {headings['next']}\n- step 3\n## {headings['files']}\nnone recorded\n"
        f"## {headings['kept']}\n- [user] Never push.\n[… 3 further entries left out …]"
    )
    back = recalled([note])
    assert [fact.text for fact in back.constraints] == ["no ORM", "Never push."]
    assert [(fact.text, fact.reason) for fact in back.failed] == [("copy", "lock")]
    assert [fact.text for fact in back.open] == ["step 3"] and back.files == ()


@given(SESSIONS, st.integers(60, 3000))
def test_any_session_makes_a_digest_within_its_size(bodies, max_tokens):
    """Whatever came in."""
    turns = turns_of(bodies)
    assert estimate_tokens(render_digest(turns, len(bodies), max_tokens)) <= max_tokens


@given(st.lists(st.text(max_size=200), max_size=4))
def test_any_text_can_be_read_as_notes(notes):
    """A damaged note holds what it holds."""
    assert recalled(notes) == recalled(notes)


@pytest.mark.parametrize("code_wrote_last", [True, False])
def test_what_was_asked_for_is_told_in_its_order(code_wrote_last: bool):
    """Whoever wrote a note, its requests stand behind those of the notes before it."""
    asks = [f"Write part {name} of the report" for name in ("one", "two", "three", "four")]
    facts = MustKeep(asks=tuple(Fact(ask) for ask in asks[2:] if code_wrote_last))
    if not code_wrote_last:
        facts = MustKeep(asks=tuple(Fact(ask) for ask in asks[:2]))
    by_code = write_digest((), facts, language="en", max_tokens=2000)
    told = asks[:2] if code_wrote_last else asks[2:]
    by_model = "\n".join(["## Task and goal", *(f"- {ask}" for ask in told)])
    notes = [by_model, by_code] if code_wrote_last else [by_code, by_model]
    assert [ask.text for ask in recalled(notes).asks] == asks
