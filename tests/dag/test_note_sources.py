"""Sources: what of a session reaches a note, and as what."""

from __future__ import annotations

import pytest
from hypothesis import given

from flowctx.dag.source.source import lines_of
from tests.support.notes import case_messages, turns_of
from tests.support.transcripts import SESSIONS, assistant, call, result, user

HEADER = 'Sender: ⟦openclaw:ctx⟧\n```json\n{"label": "Ada (17)", "id": "17"}\n```\n\n'
OLD_HEADER = 'Sender (untrusted metadata):\n```json\n{"name": "Ada"}\n```\n\n'
MEMORY = "working_memory"
RUNTIME = (
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nActive exec sessions\n"
    "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
)


def texts(*bodies: dict) -> list[tuple[str, str]]:
    return [(line.role, line.text) for line in lines_of(turns_of(bodies))]


def test_a_line_carries_role_time_tool_command_and_status():
    """Whoever reads the note's source can tell who said what, and how a command ended."""
    said = user("Check it.", timestamp=1_790_000_000_000)
    turns = turns_of(
        [
            said,
            assistant(call("c1", command="make test", cwd="/srv"), timestamp=1_790_000_001_000),
            result("c1", "boom\n\n(Command exited with code 2)", isError=True),
        ],
        number=5,
        originals={2: "ab" * 12},
    )
    ask, run = lines_of(turns)
    assert (turns[0].number, ask.role, ask.time_ms) == (5, "user", 1_790_000_000_000)
    assert (run.role, run.tool, run.command, run.exit_code) == ("tool", "exec", "make test", 2)
    assert run.failed and run.arguments == '{"cwd": "/srv"}' and run.original == "ab" * 12


@pytest.mark.parametrize(
    ("text", "left"),
    [
        pytest.param(f"a <{MEMORY}>x</{MEMORY}> b", "a  b", id="working memory"),
        pytest.param(
            'a\n<sliding-context window="48h">never do y</sliding-context>\nb',
            "a\n\nb",
            id="cards of other sessions",
        ),
        pytest.param('<flowctx-handoff-note node="1">n</flowctx-handoff-note>b', "b", id="notes"),
        pytest.param(f"a\n{RUNTIME}\nb", "a\n\nb", id="runtime context of the host"),
        pytest.param("[Mon 2026-11-30 01:44 UTC] b", "b", id="the host's time stamp"),
        pytest.param(f"{HEADER}b", "b", id="context header"),
        pytest.param(f"{OLD_HEADER}b", "b", id="context header of older hosts"),
        pytest.param(
            "/flowctx status\n\nb\n/flowctx pin a rule\nc", "b\nc", id="commands to flowctx"
        ),
        pytest.param("run /flowctx status, or /flowctxx", None, id="a command only named"),
        pytest.param("the <working_memory> tag is what I mean", None, id="a tag only named"),
    ],
)
def test_injected_blocks_are_taken_out_and_the_text_between_stays(text: str, left: str | None):
    """What flowctx or the host put in is not the user's."""
    assert texts(user(text)) == [("user", text if left is None else left)]


@pytest.mark.parametrize(
    "body",
    [
        user(f"{HEADER}hi"),
        user(f"{OLD_HEADER}hi"),
        user("hi", senderName="Ada"),
        user("hi", __openclaw={"sender": {"name": "Ada"}}),
    ],
)
def test_the_sender_is_named_where_the_message_names_one(body: dict):
    """In a group it matters who forbade something."""
    (line,) = lines_of(turns_of([body]))
    assert line.sender.startswith("Ada") and line.text == "hi"


def test_reasoning_images_and_own_messages_never_reach_a_note():
    """Only words that were said, and only those of others than flowctx."""
    bodies = [
        user([{"type": "text", "text": "look"}, {"type": "image", "data": "QUJD" * 9}]),
        assistant({"type": "thinking", "thinking": "SECRET"}, "seen", reasoning_content="SECRET"),
        {"role": "custom", "customType": "flowctx.note", "content": "a note", "display": False},
        {"role": "unknown-role-of-2030", "content": "data"},
    ]
    assert texts(*bodies) == [("user", "look"), ("assistant", "seen"), ("event", "data")]


def test_summaries_and_events_of_the_host_are_not_the_users_words():
    """Only a user can forbid something."""
    bodies = [
        {"role": "compactionSummary", "summary": "Never use X.", "tokensBefore": 9},
        user(
            "The conversation history before this point was compacted into the following summary:"
            "\n\n<summary>\nNever use Y.\n</summary>"
        ),
        user("[OpenClaw session event]\nBackground task failed"),
        user("Heartbeat: never sleep.", provenance={"kind": "internal_system"}),
        user("Go on."),
    ]
    assert [role for role, _ in texts(*bodies)] == ["summary", "summary", "event", "event", "user"]


def test_only_real_results_of_calls_are_lines():
    """A placeholder gives way to the real text, and a result that nothing asked for is left out."""
    bodies = [
        user("Run both."),
        assistant(call("k1", command="lint ."), call("k2", command="typecheck")),
        assistant("Still running."),
        result("k2", "typecheck: 0 errors"),
        result("k1", "host: no result was recorded for this call", isError=True),
        result("k1", "lint: 2 warnings"),
        result("zz", "an orphan"),
    ]
    assert [text for role, text in texts(*bodies) if role == "tool"] == [
        "typecheck: 0 errors",
        "lint: 2 warnings",
    ]


def test_a_call_without_a_result_is_a_line_without_output():
    """What was started and never answered is known to be so."""
    run = list(lines_of(turns_of([user("Go."), assistant(call("c1", command="sleep 9"))])))[1]
    assert (run.role, run.command, run.text) == ("tool", "sleep 9", "")


@pytest.mark.shared
@pytest.mark.parametrize("number", ["01", "02", "03", "04"])
def test_recorded_cases_keep_every_real_output_and_no_reasoning(shared, number: str):
    """Parallel calls, ids that repeat, displaced results, reasoning blocks."""
    (path,) = (shared / "cases").glob(f"{number}-*.json")
    lines = list(lines_of(turns_of(case_messages(path))))
    said = "\n".join(line.text for line in lines)
    assert "private reasoning" not in said and "no result was recorded" not in said
    expected = {
        "01": ["alpha: running since 06:12", "beta: FAILED exit 137", "gamma: running", "killed"],
        "02": ["app.ts\nstore.ts", "412 src/app.ts", "9f31c0e"],
        "03": ["typecheck: 0 errors", "lint: 2 warnings in src/pay.ts"],
        "04": [],
    }
    assert [text for text in expected[number] if text not in said] == []


@given(SESSIONS)
def test_any_session_makes_a_source(bodies):
    """Turns are numbered without gaps and hold no blank users."""
    turns = turns_of(bodies)
    assert all(turn.lines for turn in turns)
    assert [turn.number for turn in turns] == sorted({turn.number for turn in turns})
