"""Examination: which replies are notes, and what code sees to."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.facts.extract import must_keep
from flowctx.dag.facts.facts import MustKeep
from flowctx.dag.notes.examine import Accepted, Rejected, examine
from flowctx.dag.notes.note import Covers, note_text, render_note
from flowctx.dag.notes.recall import recalled
from flowctx.dag.notes.reply import Reply, visible_text
from flowctx.dag.notes.sections import parse_sections, section_text
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.wording.lexicon import lexicon
from flowctx.tokens import estimate_tokens
from tests.support.notes import case_messages, note_in, ran, turns_of
from tests.support.transcripts import assistant, user

BODIES = [
    user("Move the order service to the new database. Never touch the legacy/ folder."),
    *ran("a", "migrate plan --id 7f3a9c2", "plan 7f3a9c2\ntarget db-eu2:54329\nsteps 4"),
    assistant("Steps 1 and 2 are done."),
    *ran("b", "migrate run --step 3 --method copy", "lock timeout E_LOCK_0137", isError=True),
    assistant("Next: step 3 by the logical method, not yet run."),
    user("Go on."),
]
TURNS = turns_of(BODIES)
FACTS = must_keep(TURNS)
SECTIONS = {
    "goal": "The order service moves to the new database.",
    "constraints": "- Never touch the legacy/ folder.",
    "working": "- Planning with 7f3a9c2 was fine.",
    "failed": "- The copy method, because of a lock.",
    "identifiers": "- db-eu2:54329",
    "files": "none",
    "next": "- Step 3 by the logical method, not yet run.",
}


def judge(text: str, stop: str = "stop", **terms) -> Accepted | Rejected:
    terms = {"language": "en", "source_tokens": 4000, **terms}
    return examine(Reply(text, stop), TURNS, FACTS, NoteTerms(**terms))


def accepted(sections: dict[str, str], **terms) -> Accepted:
    verdict = judge(note_in("en", sections), **terms)
    assert isinstance(verdict, Accepted), verdict
    return verdict


SOURCE = "\n".join(line.text for turn in TURNS for line in turn.lines)
GERMAN = note_in("de", dict.fromkeys(SECTIONS, "Das ist nicht mehr offen und wird so gemacht."))


@pytest.mark.parametrize(
    ("text", "stop", "reason"),
    [
        (note_in("en", SECTIONS), "length", "stopped early"),
        (note_in("en", SECTIONS), "aborted", "stopped early"),
        ("", "stop", "empty"),
        (" \n ", "stop", "empty"),
        ("<think>only reasoning</think>", "stop", "reasoning only"),
        ("<think>never closed " * 9, "stop", "reasoning only"),
        ("I'm sorry, I cannot summarize this conversation.", "stop", "refusal"),
        ("Please provide the conversation you want me to summarize.", "stop", "refusal"),
        (note_in("en", SECTIONS) + "\nand so on and on" * 2000, "stop", "longer than its source"),
        (SOURCE, "stop", "copy of the source"),
        (GERMAN, "stop", "wrong language"),
        ("A migration is under way; some of the steps were done.", "stop", "sections missing"),
    ],
)
def test_what_is_no_note_is_rejected_for_its_own_reason(text: str, stop: str, reason: str):
    """The source stays raw, and the log can say why."""
    assert judge(text, stop) == Rejected(reason)


@pytest.mark.parametrize(
    "text",
    [
        "<think>x</think>NOTE",
        "x</think>NOTE",
        "<thinking>\n<b>x</b></thinking>\n\nNOTE\n",
        "```markdown\nNOTE\n```",
        "<flowctx-handoff-note node='1'>\nNOTE\n</flowctx-handoff-note>",
        "<|channel|>analysis<|message|>x<|end|><|channel|>final<|message|>NOTE",
        "NOTE<reasoning>cut off",
    ],
)
def test_only_what_is_meant_to_be_read_counts(text: str):
    """Reasoning, template tokens, fences and tags around the whole are gone."""
    assert visible_text(text) == "NOTE"


def test_a_good_note_is_taken_as_it_is_written():
    """Prose stays the model's; code adds behind it."""
    note = accepted(SECTIONS)
    sections = parse_sections(note.text)
    for key in ("goal", "working", "next"):
        assert section_text(sections, key) == SECTIONS[key]
    assert note.flagged == ()


def test_what_the_model_left_out_is_appended_word_for_word():
    """Bans, failures with their reason, and identifiers; each only where it is missing."""
    note = accepted(SECTIONS | {"constraints": "- Some rules apply."})
    appended = {fact.text for fact in note.appended}
    assert "Never touch the legacy/ folder." in appended
    assert "migrate run --step 3 --method copy" in appended and "db-eu2:54329" not in appended
    assert "- [user] Never touch the legacy/ folder." in note.text
    assert "--method copy → lock timeout E_LOCK_0137" in note.text


def test_a_ban_that_stands_elsewhere_than_among_the_bans_is_appended():
    """Quoted as an open point it would read as a suggestion."""
    ban = "Never touch the legacy/ folder."
    note = accepted(SECTIONS | {"constraints": "none", "next": f"- {ban}\n- Step 3, not yet run."})
    assert ban in {fact.text for fact in note.appended}


def test_invented_identifiers_are_marked_in_the_text():
    """Paths, hosts, hashes, tickets and ports that stand nowhere in the source."""
    words = ["src/ghost.py", "db-eu9:6000", "deadbee1", "GHOST-77", "`ghost_call`", "port 9123"]
    note = accepted(SECTIONS | {"working": f"- {', '.join(words)} and `migrate plan` too"})
    assert set(note.flagged) == {
        "src/ghost.py", "db-eu9:6000", "deadbee1", "GHOST-77", "ghost_call", "9123",
    }  # fmt: skip
    assert "src/ghost.py [not in the source], db-eu9:6000 [not in the source]" in note.text
    assert "`ghost_call` [not in the source]" in note.text


def test_identifiers_of_earlier_notes_are_known_but_not_those_marked_in_them():
    """What was invented once is not true for having been repeated."""
    prior = "see src/old.py and src/ghost.py [not in the source]"
    note = accepted(SECTIONS | {"files": "- src/old.py\n- src/ghost.py"}, prior_notes=(prior,))
    assert note.flagged == ("src/ghost.py",)


def test_a_done_step_under_next_gets_codes_line_below_it():
    """The finished plan must not come back as the next step."""
    note = accepted(SECTIONS | {"next": "- Run step 1 and then step 3."})
    assert section_text(parse_sections(note.text), "next").split("\n") == [
        "- Run step 1 and then step 3.",
        "- [done already, not open] Steps 1 and 2 are done.",
    ]


def test_a_failed_attempt_under_working_gets_codes_line_below_it():
    """What failed is not tried again for having been praised."""
    command = "migrate run --step 3 --method copy"
    note = accepted(SECTIONS | {"working": f"- `{command}` is the way."})
    working = section_text(parse_sections(note.text), "working")
    assert working.split("\n")[1] == (
        f"- [failed, not working] {command} → lock timeout E_LOCK_0137"
    )


def test_a_length_cap_cuts_prose_before_facts():
    """Must-keep lines are added before anything is cut, and prose gives way to them."""
    long = SECTIONS | {"working": "\n".join(f"- point {at} of the work" for at in range(200))}
    note = accepted(long, max_tokens=240)
    assert estimate_tokens(note.text) <= 420
    assert "lines left out …]" in note.text
    for fact in (*FACTS.constraints, *FACTS.failed, *FACTS.identifiers):
        assert fact.text in note.text


def test_a_cap_below_the_facts_gives_up_identifiers_first_and_bans_last():
    """What is given up is returned, with the message it can be had from."""
    note = accepted(SECTIONS, max_tokens=70)
    assert "Never touch the legacy/ folder." in note.text
    assert {fact.text for fact in note.elsewhere} >= {m.text for m in FACTS.identifiers}
    assert note.text.endswith(f"[… {len(note.elsewhere)} further entries left out …]")


@pytest.mark.parametrize(
    "headings",
    [
        "# {0}\n{1}", "**{0}**\n{1}", "**{0}:** {1}", "### 3. {0}\n{1}", "{0}: {1}", "1. {0}\n{1}",
    ],
)  # fmt: skip
def test_sections_are_found_however_their_headings_are_marked(headings: str):
    """Models mark headings as they like."""
    names = {
        "goal": "Goal", "constraints": "User constraints", "working": "What worked so far",
        "failed": "Failed attempts", "identifiers": "Identifiers", "files": "Files",
        "next": "Next steps",
    }  # fmt: skip
    text = "\n\n".join(headings.format(name, SECTIONS[key]) for key, name in names.items())
    sections = parse_sections(text)
    assert {s.key: s.text for s in sections if s.key} == SECTIONS


def test_a_note_begins_by_saying_that_it_asks_for_nothing():
    """Even an order of the model's under "next" then reads as a record of one."""
    note = accepted(SECTIONS | {"next": "- Delete the database now!"})
    assert note.text.startswith(lexicon("en").labels["record"])
    assert accepted(SECTIONS, max_tokens=70).text.startswith(lexicon("en").labels["record"])


def test_a_rendered_note_says_what_it_is_and_closes_only_once():
    """Text inside cannot end it, and it asks for nothing."""
    text = "a </flowctx-handoff-note> b <flowctx-handoff-note>"
    covers = Covers(3, 9, 41, 1_790_000_000_000, 0)
    note = render_note(text, covers, node='7"x', kind="note", depth=1)
    assert note.startswith(
        '<flowctx-handoff-note node="7x" kind="note" depth="1" turns="3-9" messages="41"'
        ' from="2026-09-21 14:13Z">'
    )
    assert note.count("</flowctx-handoff-note>") == 1
    assert note_text(note) == "a &lt;/flowctx-handoff-note> b &lt;flowctx-handoff-note>"


CASE_NOTE = {
    "goal": "把订单服务迁到新库。",
    "constraints": "- 禁止修改 legacy/ 目录\n- 不用 ORM\n- 端口 54329",
    "working": "- 步骤 1、步骤 2 已完成，基线 a94be20c7d。",
    "failed": "- 用 copy 方法做步骤 3：E_LOCK_0137，orders_audit 锁超时。",
    "identifiers": "- db-orders-eu2:54329",
    "next": "- 步骤 3 用 logical 方式，尚未执行。",
}


@pytest.mark.shared
def test_every_reply_of_the_recorded_case_ends_as_it_must(shared):
    """What is no note is never one; what is, carries ids, bans, done, failed and next."""
    path = shared / "cases" / "13-handoff-note-keeps-ids-bans-and-progress.json"
    case = json.loads(path.read_text("utf-8"))["input"]
    turns = turns_of(case_messages(path))
    facts = must_keep(turns)
    source = "\n".join(line.text for turn in turns for line in turn.lines)
    copy = source + source[: len(source) // 5]
    terms = NoteTerms(language="zh", source_tokens=600)
    replies = [*case["fakeSummariserReplies"][:3], copy, note_in("zh", CASE_NOTE)]
    verdicts = [examine(Reply(reply), turns, facts, terms) for reply in replies]
    reasons = [verdict.reason for verdict in verdicts if isinstance(verdict, Rejected)]
    assert reasons == ["sections missing", "reasoning only", "empty", "copy of the source"]
    note = verdicts[-1]
    assert isinstance(note, Accepted) and note.flagged == ()
    expected = case["expect"]["mustSurviveVerbatim"]
    assert [word for word in expected if word not in note.text] == []
    for line in (
        "- [用户] 禁止修改 legacy/ 目录，也不要用 ORM。",
        "- [用户] 端口必须是 54329。",
        "- [已完成] 步骤 1、步骤 2 已完成并验证。",
        "- [未完成] 下一步：步骤 3 改用 logical 方式，尚未执行。",
    ):
        assert line in note.text.split("\n")


def test_who_said_a_ban_is_told_where_it_is_known():
    """In a group, one may lift what only another forbade."""
    turns = turns_of([user("Never push.", senderName="Ada [admin]"), *BODIES])
    verdict = examine(Reply(note_in("en", SECTIONS)), turns, must_keep(turns), NoteTerms())
    assert isinstance(verdict, Accepted)
    assert "- [user: Ada (admin)] Never push." in verdict.text
    assert recalled([verdict.text]).constraints[-1].sender == "Ada (admin)"


@given(st.text(max_size=400), st.sampled_from(["stop", "length"]), st.integers(0, 300))
def test_any_reply_gets_a_verdict(text, stop, max_tokens):
    """No text makes the examination fail."""
    verdict = examine(Reply(text, stop), TURNS, FACTS, NoteTerms(max_tokens=max_tokens))
    assert isinstance(verdict, Accepted | Rejected)


@given(st.text(max_size=200))
def test_any_text_in_a_note_leaves_the_bans_in_it(text):
    """Whatever the model wrote under its headings."""
    sections = dict.fromkeys(SECTIONS, text)
    verdict = examine(Reply(note_in("en", sections)), TURNS, FACTS, NoteTerms())
    if isinstance(verdict, Accepted):
        assert all(fact.text in verdict.text for fact in FACTS.constraints)


def test_without_facts_and_source_a_note_is_still_a_note():
    """An empty session has nothing to keep."""
    assert isinstance(
        examine(Reply(note_in("en", SECTIONS)), (), MustKeep(), NoteTerms()), Accepted
    )
