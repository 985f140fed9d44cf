"""Short prompts: whether they go on with what is at hand or ask for something else."""

from __future__ import annotations

import pytest

from flowctx.sliding.shift import is_rare, occasion
from tests.support.cards import block_of, live, turn
from tests.support.host import HostSession, open_context
from tests.support.transcripts import Body

# What other sessions did: asked, answered.
ELSEWHERE = {
    "dentist": (
        "The dentist appointment for Mia moved to 14 December at 8:15",
        "Dr. Feller moved it.",
    ),
    "pump": (
        "Compare the heat pump offers of Walser and Hoval",
        "Hoval is cheaper by 2,300 francs.",
    ),
    "zh": ("帮我预约牙医，下周二上午", "牙医已确认，周二九点。"),
}


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    now = made.now_ms() - 3_600_000
    for number, (asked, answered) in enumerate(ELSEWHERE.values()):
        live(HostSession(made, f"agent:main:explicit:f{number}"), turn(asked, answered, now))
    for number in range(30):
        noise = turn(f"Rotate picture {number} by a bit", f"Perfect, it is rotated {number}.", now)
        live(HostSession(made, f"agent:main:explicit:noise{number}"), noise)
    yield made
    made.close()


def at_work(context) -> list[Body]:
    """Six turns about something else, just now."""
    now = context.now_ms() - 60_000
    return [
        body
        for step in range(6)
        for body in turn(
            f"Let us refactor the parser, step {step}", f"Step {step}: smaller tokenizer.", now
        )
    ]


def told(context, prompt: str) -> str:
    """The block that a session at work gets with a prompt."""
    session = HostSession(context, "agent:main:explicit:work")
    session.prompt = prompt
    return block_of(session.assemble(at_work(context)))


@pytest.mark.parametrize(
    ("prompt", "about"),
    [
        ("When is the dentist appointment of Mia?", "dentist"),
        ("dentist appointment Mia", "dentist"),
        ("What time is the dentist?", "dentist"),
        ("dentist?", "dentist"),
        ("heat pump", "pump"),
        ("牙医？", "zh"),
    ],
)
def test_a_short_question_about_another_session_is_a_shift(context, prompt, about):
    """One or two words that are new here and rare among the cards bring what they name."""
    block = told(context, prompt)
    assert ELSEWHERE[about][0] in block and block.count("\n- [") == 1


@pytest.mark.parametrize(
    "prompt",
    ["yes, go on", "perfect", "Perfect, thanks!", "tokenizer?", "rotate", "and the walrus?", "👍"],
)
def test_a_short_prompt_that_goes_on_brings_nothing(context, prompt):
    """Neither what was just spoken of, nor what many cards say, nor what none says."""
    assert told(context, prompt) == ""


def test_a_word_of_the_last_turns_keeps_a_short_prompt_with_them():
    """A word that was just said makes the other one a part of the same topic."""

    def why(prompt: str) -> str:
        said = ["the parser"]
        return occasion(prompt, said, turns=3, idle_ms=0, is_told=lambda terms: "pump" in terms)

    assert why("heat pump") == "shift"
    assert why("parser pump") == ""


@pytest.mark.parametrize(
    ("count", "cards", "rare"),
    [(0, 10, False), (1, 1, True), (3, 30, True), (4, 30, False), (100, 10_000, True)],
)
def test_rare_is_what_few_cards_hold(count, cards, rare):
    """A handful in a small store, one in a hundred of a large one."""
    assert is_rare(count, cards) is rare
