"""Results that others stand for: repeats of a text, and reads that are out of date."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowctx.config import Settings
from flowctx.reducers.marker import marked_hashes
from flowctx.service.context import Context
from flowctx.store.originals import original_text
from flowctx.store.verify import verify_store
from flowctx.view.protect import ALL_VERBATIM
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.turns import START_MS, text_at, turns

SOURCE = "\n".join(f"def step_{n}(a, b):\n    return a * {n} + b\n" for n in range(120))
FAILURE = "\n".join(f"FAILED tests/test_a.py::test_{n} - assert {n} == {n + 1}" for n in range(40))


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


class Script:
    """A session as it grows: calls with their results, in turns."""

    def __init__(self) -> None:
        self.bodies: list[Body] = []

    def ask(self, text: str = "go on") -> None:
        self.bodies.append(user(text, timestamp=self._now()))

    def run(self, tool: str, text: str, *, failed: bool = False, **arguments: object) -> int:
        """A call and its result; the index of the result."""
        name = f"call_{len(self.bodies)}"
        self.bodies.append(assistant(call(name, tool, **arguments), timestamp=self._now()))
        self.bodies.append(result(name, text, tool, isError=failed, timestamp=self._now()))
        return len(self.bodies) - 1

    def say(self, text: str = "done") -> None:
        self.bodies.append(assistant(text, timestamp=self._now()))

    def _now(self) -> int:
        return START_MS + 1000 * len(self.bodies)


def test_a_read_before_an_edit_is_a_line_once_its_turn_is_over(context: Context):
    """The read names the edit, the edit stays, and the text comes back byte for byte."""
    script, host = Script(), HostSession(context)
    script.ask()
    read = script.run("read", SOURCE, path="src/steps.py")
    edit = script.run("edit", "1 change made", path="./src/steps.py", oldText="a", newText="b")
    script.say()
    script.ask()
    view = host.assemble(script.bodies)
    line = text_at(view, read)
    assert line.startswith("[flowctx edited · 359 of 359 lines omitted · src/steps.py was changed")
    assert "1 result later" in line and "\n" not in line
    assert text_at(view, edit) == "1 change made"
    (hash_,) = marked_hashes(line)
    assert context.database.read(lambda store: original_text(store, hash_)) == SOURCE


def test_a_part_of_a_file_does_not_stand_for_all_of_it(context: Context):
    """Another part is no newer state of this one; the same part is, and so is the whole."""
    script, host = Script(), HostSession(context)
    script.ask()
    whole = script.run("read", SOURCE, path="a.py")
    first = script.run("read", SOURCE[:2000], path="a.py", offset=1, limit=80)
    other = script.run("read", SOURCE[2000:4000], path="a.py", offset=81, limit=80)
    again = script.run("read", f"{SOURCE[:1990]} # new", path="a.py", offset=1, limit=80)
    script.say()
    script.ask()
    view = host.assemble(script.bodies)
    assert "[flowctx reread" in text_at(view, first)
    kept = [text_at(view, at) for at in (whole, other, again)]
    assert not [text for text in kept if text.startswith(("[flowctx reread", "[flowctx edited"))]


def test_a_repeat_names_the_earlier_one_and_a_loop_keeps_its_count(context: Context):
    """Each time the same failure comes, its line says how often and with which exit code."""
    script, host, last = Script(), HostSession(context), ""
    failure = f"{FAILURE}\n\n(Command exited with code 1)"
    tries = []
    for _ in range(5):
        script.ask()
        tries.append(script.run("exec", failure, command="pytest -q"))
        script.say()
        view = json.dumps(host.assemble(script.bodies))
        assert view.startswith(last[:-1]) and host.answer.round == ""
        last = view
    texts = [text_at(json.loads(last), at) for at in tries]
    assert "FAILED tests/test_a.py::test_0" in texts[0]
    for count, line in zip(("2nd", "3rd", "4th", "5th"), texts[1:], strict=True):
        assert f"{count} time · failed, exit code 1 · exec" in line
        assert line.startswith("[flowctx repeat · 42 of 42 lines omitted · the same text as ")


def test_what_was_sent_stays_until_a_round(context: Context):
    """An edit in a later turn changes nothing behind it; a round for the budget does."""
    script, host = Script(), HostSession(context)
    script.ask()
    read = script.run("read", SOURCE, path="a.py")
    script.say()
    script.bodies += turns(1)
    before = text_at(host.assemble(script.bodies), read)
    assert before.startswith("[flowctx code/python")
    script.ask()
    script.run("edit", "1 change made", path="a.py", oldText="a", newText="b")
    script.say()
    script.ask()
    assert text_at(host.assemble(script.bodies), read) == before and host.answer.round == ""
    tokens = host.answer.estimated_tokens
    view = host.assemble(script.bodies, budget=tokens - 1)
    assert host.answer.round == "over budget"
    assert text_at(view, read).startswith("[flowctx edited") or len(view) < len(script.bodies)


@pytest.mark.parametrize("tool", ["flowctx_retrieve", "sliding_context_list"])
def test_results_of_flowctx_itself_are_never_stood_for(context: Context, tool: str):
    """What the model asked us for twice, it gets twice."""
    script, host = Script(), HostSession(context)
    script.ask()
    given_twice = [script.run(tool, FAILURE, hash="0" * 24) for _ in range(2)]
    script.say()
    script.ask()
    view = host.assemble(script.bodies)
    assert [text_at(view, at) for at in given_twice] == [FAILURE, FAILURE]


def test_instruction_files_and_short_results_stay(context: Context):
    """Rules are read again as they are; a line costs more than a few words."""
    script, host = Script(), HostSession(context)
    script.ask()
    rules = [script.run("read", FAILURE, path="AGENTS.md") for _ in range(2)]
    short = [script.run("exec", "ok\n" * 20, command="make") for _ in range(2)]
    script.say()
    script.ask()
    view = host.assemble(script.bodies)
    assert {text_at(view, at) for at in rules} == {FAILURE}
    assert {text_at(view, at) for at in short} == {"ok\n" * 20}


_TEXTS = st.sampled_from([SOURCE, SOURCE[:-40], FAILURE, FAILURE * 3, "short", SOURCE[:4000]])
_PATHS = st.sampled_from(["a.py", "./a.py", "src/b.py"])
_STEP = st.one_of(
    st.tuples(st.just("read"), _PATHS, _TEXTS, st.booleans()),
    st.tuples(st.just("edit"), _PATHS, st.just("1 change made"), st.booleans()),
    st.tuples(st.just("exec"), st.sampled_from(["pytest", "cat a.py"]), _TEXTS, st.booleans()),
)
_TURNS = st.lists(st.lists(_STEP, max_size=4), min_size=1, max_size=7)
_BUDGETS = st.sampled_from([0, 0, 0, 4000, 9000])


@given(data=st.data(), plan=_TURNS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_line_points_to_what_is_shown_and_nothing_sent_changes(
    data: st.DataObject, plan: list, tmp_path_factory: pytest.TempPathFactory
):
    """Whatever is read, edited and run: bytes stay between rounds, also over a restart."""
    folder = tmp_path_factory.mktemp("redundancy")
    context, script, sent = open_context(folder), Script(), []
    host = HostSession(context)
    for turn in plan:
        script.ask()
        for tool, what, text, failed in turn:
            script.run(tool, text, failed=failed, **{"command" if tool == "exec" else "path": what})
        script.say()
        budget = data.draw(_BUDGETS)
        view = host.assemble(script.bodies, budget=budget)
        assert host.answer.round or view[: len(sent)] == sent
        sent = view
        check_pointers(context, script.bodies, view)
        if data.draw(st.booleans()):
            context.close()
            context = open_context(folder)
            host = HostSession(context)
            assert host.assemble(script.bodies, budget=budget) == view
    wrong = context.database.read(lambda store: [each.wrong for each in verify_store(store)])
    context.close()
    assert not any(wrong)


@given(plan=_TURNS, keep=st.integers(1, 3), reads=st.integers(1, 4))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_left_the_verbatim_part_never_changes_without_a_round(
    plan: list, keep: int, reads: int, tmp_path_factory: pytest.TempPathFactory
):
    """However long results stay verbatim, each takes its form once."""
    kept = Settings(projection_keep_recent_turns=keep, verbatim_read_turns=reads)
    context = open_context(tmp_path_factory.mktemp("redundancy"), kept)
    host, script, sent, last = HostSession(context), Script(), [], ALL_VERBATIM
    for turn in plan:
        script.ask()
        for tool, what, text, failed in turn:
            script.run(tool, text, failed=failed, **{"command" if tool == "exec" else "path": what})
        script.say()
        view = host.assemble(script.bodies)
        for at, body in enumerate(sent[: last.tail_start]):
            assert body == view[at] or (body.get("toolName") == "read" and at >= last.reads_start)
        sent, last = view, host.state.frame.protection
        check_pointers(context, script.bodies, view)
    context.close()


def check_pointers(context: Context, bodies: list[Body], view: list[Body]) -> None:
    """Each line names an original that is stored, and a repeat one whose text is shown."""
    came = {body["toolCallId"]: text_at([body], 0) for body in bodies if "toolCallId" in body}
    shown = {body["toolCallId"]: text_at([body], 0) for body in view if "toolCallId" in body}
    left_out = {name for name, text in shown.items() if _LINE.fullmatch(text)}
    told = {came[name] for name in shown.keys() - left_out}
    for name in left_out:
        (hash_,) = marked_hashes(shown[name])
        assert context.database.read(lambda store, h=hash_: original_text(store, h)) == came[name]
        kind, results = _LINE.fullmatch(shown[name]).groups()
        assert kind != "repeat" or came[name] in told
        at, names = list(shown).index(name), list(shown)
        other = names[at - int(results)] if kind == "repeat" else names[at + int(results)]
        assert other not in left_out


_LINE = re.compile(
    r"\[flowctx (repeat|reread|edited) · [^\n]*?(\d+) results?"
    r" (?:before, \d+\w\w time|later)[^\n]*\]"
)
