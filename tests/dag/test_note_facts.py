"""Facts: what was asked, tried, done, decided, left open and touched."""

from __future__ import annotations

import json

import pytest

from flowctx.dag.facts.extract import limited, must_keep
from flowctx.dag.facts.facts import KeepLimits
from flowctx.dag.facts.failures import telling_line
from flowctx.dag.source.language import conversation_language, text_language
from tests.support.notes import case_messages, planted_session, ran, turns_of
from tests.support.transcripts import assistant, call, result, user


def test_a_failed_command_is_kept_with_the_line_that_says_why():
    """An approach without its reason is tried again."""
    facts = must_keep(
        turns_of(
            [
                user("Migrate."),
                *ran("a", "migrate run --step 3", "start\nlock timeout: E_LOCK", isError=True),
                *ran("b", "pytest -q", "....\nAll fine"),
            ]
        )
    )
    (failure,) = facts.failed
    assert (failure.text, failure.reason) == ("migrate run --step 3", "lock timeout: E_LOCK")
    assert [(run.text, run.status) for run in facts.runs] == [
        ("migrate run --step 3", "failed"),
        ("pytest -q", "ok"),
    ]


def test_a_command_that_worked_later_is_no_dead_end():
    """It is told apart, and gives way first."""
    facts = must_keep(
        turns_of(
            [
                user("Test."),
                *ran("a", "make test", "error: no rule", isError=True),
                *ran("b", "make test", "ok"),
            ]
        )
    )
    assert [failure.worked_later for failure in facts.failed] == [True]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback:\n  File x\nKeyError: 'a'\n", "KeyError: 'a'"),
        ("building\nfatal: not a repository\nbye", "fatal: not a repository"),
        ("0 errors\nsrc/a.c:3: error: x", "src/a.c:3: error: x"),
        ("开始\n错误：连接超时\n结束", "错误：连接超时"),
        ("a\nb\n(Command exited with code 3)", "b"),
        ("<returncode>1</returncode>", ""),
        ("", ""),
    ],
)
def test_the_telling_line_of_an_output(output: str, line: str):
    """Exceptions by their last line, others by their first error, else the last line."""
    assert telling_line(output) == line


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ("All 12 tests pass.", "done"),
        ("I have renamed the table.", "done"),
        ("步骤 1、步骤 2 已完成并验证。", "done"),
        ("Die Migration ist abgeschlossen.", "done"),
        ("Миграция завершена, всё готово.", "done"),
        ("The copy approach failed because of a lock.", "failed"),
        ("用 copy 方法失败，原因是锁超时。", "failed"),
        ("Der Versuch mit copy ist gescheitert.", "failed"),
        ("We decided to use logical replication.", "decided"),
        ("决定改用 logical 方式。", "decided"),
        ("Next: step 3 by logical, not yet run.", "open"),
        ("下一步：步骤 3 改用 logical 方式，尚未执行。", "open"),
        ("次は手順 3 で、まだ実行していません。", "open"),
    ],
)
def test_a_report_is_read_for_what_it_says(said: str, field: str):
    """In the words it was said in."""
    facts = must_keep(turns_of([user("Go on."), assistant(said)]))
    assert [fact.text for fact in getattr(facts, field)] == [said]


@pytest.mark.parametrize(
    "said", ["If the tests pass, I will merge.", "Once it is done we can go.", "Is it fixed?"]
)
def test_what_may_come_is_not_done(said: str):
    """A condition is no report."""
    assert must_keep(turns_of([user("Go on."), assistant(said)])).done == ()


def test_only_the_newest_state_is_open():
    """A plan from earlier turns is history."""
    bodies = [
        user("Start."), assistant("Next: build it."),
        user("Go on."), assistant("Built."),
        user("Go on."), assistant("Next: deploy it."),
    ]  # fmt: skip
    assert [fact.text for fact in must_keep(turns_of(bodies)).open] == ["Next: deploy it."]


def test_the_newest_plan_of_a_planning_tool_says_what_is_done_and_open():
    """Whatever tool the host calls it."""
    plan = [{"step": "copy rows", "status": "completed"}, {"step": "switch", "status": "pending"}]
    bodies = [
        user("Plan it."),
        assistant(call("a", "update_plan", plan=[{"step": "old", "status": "pending"}])),
        result("a", "ok", "update_plan"),
        assistant(call("b", "update_plan", plan=plan)),
        result("b", "ok", "update_plan"),
    ]
    facts = must_keep(turns_of(bodies))
    assert ([f.text for f in facts.done], [f.text for f in facts.open]) == (
        ["copy rows"],
        ["switch"],
    )


def test_files_are_known_by_what_was_done_to_them():
    """Read or written, by a tool of their own or in a command line."""
    bodies = [
        user("Edit."),
        assistant(call("a", "read", path="src/a.py"), call("b", "edit", path="src/b.py", old="x")),
        result("a", "text", "read"),
        result("b", "done", "edit"),
        *ran("c", "cat src/c.py | sort > out/d.txt 2>/dev/null", "x"),
        *ran("d", "cat src/a.py; echo y >> src/a.py", ""),
    ]
    files = {file.text: file.action for file in must_keep(turns_of(bodies)).files}
    assert files == {
        "src/a.py": "written",
        "src/b.py": "written",
        "src/c.py": "read",
        "out/d.txt": "written",
    }


def test_limits_move_facts_elsewhere_and_lose_none():
    """What is over a limit names the message it can be had from."""
    turns = turns_of(planted_session(1))
    everything = must_keep(turns, limits=KeepLimits(*[10_000] * 9))
    few = limited(everything, KeepLimits(*[3] * 9))
    assert everything.elsewhere == () or all(f.digest for f in everything.elsewhere)
    assert len(few.constraints) == len(few.failed) == len(few.identifiers) == 3
    lost = set(everything.failed) - set(few.failed) - set(few.elsewhere)
    assert lost == set()
    assert all(fact.digest for fact in few.elsewhere)
    assert few.constraints == everything.constraints[-3:]


def test_extraction_is_the_same_every_time():
    """Same messages, same facts."""
    assert must_keep(turns_of(planted_session(2))) == must_keep(turns_of(planted_session(2)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Please fix the bug in the parser.", "en"),
        ("请修复 parser.py 里的错误。", "zh"),
        ("parser.py のバグを直してください。", "ja"),
        ("parser.py 버그를 고쳐 주세요.", "ko"),
        ("Bitte behebe den Fehler in parser.py.", "de"),
        ("Corrige le bug dans parser.py, s'il te plaît.", "fr"),
        ("Corrige el error en parser.py, por favor.", "es"),
        ("Исправь ошибку в parser.py.", "ru"),
        ("תקן את הבאג בבקשה", "he"),
        ("ok", ""),
        ("```\nthe log is not yours and it was here\n```", ""),
    ],
)
def test_a_text_tells_its_language(text: str, code: str):
    """By script and stop words, never by what is quoted in it."""
    assert text_language(text) == code


def test_the_conversation_is_in_the_language_of_its_people():
    """Neither tool output nor one pasted log outvotes them."""
    log = "the worker is not ready and it was restarted by the system\n" * 300
    bodies = [user("请检查日志。"), *ran("a", "cat x", log), user(f"结果是这样：\n{log}")]
    assert conversation_language(turns_of([*bodies, assistant("日志里有一个错误。")])) == "zh"


@pytest.mark.shared
def test_the_recorded_case_gives_its_facts(shared):
    """Bans, done steps, the failed attempt, the next step and every identifier."""
    path = shared / "cases" / "13-handoff-note-keeps-ids-bans-and-progress.json"
    expected = json.loads(path.read_text("utf-8"))["input"]["expect"]
    turns = turns_of(case_messages(path))
    facts = must_keep(turns)
    assert conversation_language(turns) == expected["language"]
    bans = " ".join(fact.text for fact in facts.constraints)
    assert all(ban in bans for ban in expected["bans"])
    assert "步骤 1" in facts.done[0].text and "logical" in facts.open[0].text
    assert "--step 3 --method copy" in facts.failed[0].text
    said = " ".join([bans, facts.failed[0].reason, *(i.text for i in facts.identifiers)])
    assert [word for word in expected["mustSurviveVerbatim"] if word not in said] == []
