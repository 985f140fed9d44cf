"""Turns that end with the host's word for no answer, and what was told by a tool."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.cards import live, texts_of
from tests.support.host import HostSession
from tests.support.transcripts import assistant, call, result, user

Body = dict[str, Any]
ASKED = "Check the backups and tell the user"
REPAIRED = "Backup repository quartz was damaged; I repaired 14 packs."


def turn_with(*calls: tuple[str, Body, str], answer: str, fails: bool = False) -> list[Body]:
    """A turn with calls (tool, arguments, output), the last of which may fail."""
    bodies = [user(ASKED, timestamp=1)]
    for at, (tool, arguments, output) in enumerate(calls):
        is_error = fails and at == len(calls) - 1
        bodies.append(assistant(call(f"c{at}", tool, **arguments), stopReason="toolUse"))
        bodies.append(result(f"c{at}", output, tool, isError=is_error))
    return [*bodies, assistant(answer, stopReason="stop")]


def send(text: str, **extra: Any) -> tuple[str, Body, str]:
    """A call by which the agent tells somebody something."""
    return "message", {"action": "send", "to": "user", "message": text, **extra}, '{"ok":true}'


REPAIR = ("exec", {"command": "restic repair packs"}, "repaired 14 packs")


@pytest.mark.parametrize("answer", ["NO_REPLY", "**HEARTBEAT_OK**\n"])
def test_work_leaves_a_card_however_silent_its_end(context, answer):
    """A run that did something tells of it; its word for no answer is no outcome."""
    live(HostSession(context), turn_with(REPAIR, answer=answer))
    assert texts_of(context) == [f"{ASKED} · exec"]


@pytest.mark.parametrize(
    "answer",
    [
        "HEARTBEAT_OK\n\nNote: the disk /dev/sda1 was 97 % full, I deleted /var/old.",
        "NO_REPLY was returned by router.py line 17 for all rooms; I changed it.",
    ],
)
def test_an_answer_that_only_begins_like_silence_is_one(context, answer):
    """Only the word alone says that there is nothing to say."""
    live(HostSession(context), turn_with(answer=answer))
    (text,) = texts_of(context)
    assert text.endswith(f"→ {' '.join(answer.split())}")


def test_reading_its_orders_is_no_work_of_a_heartbeat(context):
    """Else every half hour would leave a card that nothing happened."""
    orders = ("read", {"path": "HEARTBEAT.md"}, "Look after the disk.")
    nothing = ("heartbeat_respond", {"notify": False, "notificationText": "x"}, "ok")
    live(HostSession(context), turn_with(orders, nothing, answer="HEARTBEAT_OK"))
    assert texts_of(context) == []


@pytest.mark.parametrize(
    "told",
    [
        send(REPAIRED),
        ("message", {"action": "thread-reply", "text": REPAIRED}, "ok"),
        ("heartbeat_respond", {"notify": True, "notificationText": REPAIRED}, "ok"),
        ("tool_call", {"id": "openclaw:core:message", "args": send(REPAIRED)[1]}, "ok"),
        send(f"{REPAIRED} {'And on it goes. ' * 400}"),
    ],
    ids=["send", "reply", "notice", "hidden", "long"],
)
def test_what_was_sent_is_the_outcome(context, told):
    """Where the visible answer is a call, the card tells what it said, and is found by it."""
    live(HostSession(context), turn_with(REPAIR, told, answer="NO_REPLY"))
    (text,) = texts_of(context)
    assert f"→ {REPAIRED}" in text and "NO_REPLY" not in text
    terms = context.database.read(lambda c: c.execute("SELECT terms FROM cards").get)
    assert "quartz" in terms.split()


def test_what_was_sent_stands_beside_the_answer(context):
    """A last word such as "Done." does not take the place of what a person was told."""
    live(HostSession(context), turn_with(send(REPAIRED), answer="Done."))
    assert texts_of(context) == [f"{ASKED} · message · → Done. “{REPAIRED}”"]


@pytest.mark.parametrize(
    ("told", "fails"),
    [
        (send(REPAIRED), True),
        (send(REPAIRED, dryRun=True), False),
        ("message", False),
    ],
    ids=["failed", "dry run", "read"],
)
def test_what_did_not_go_out_is_no_outcome(context, told, fails):
    """A send that failed or was a trial told nobody anything, nor does looking at messages."""
    called = told if told != "message" else ("message", {"action": "read", "text": REPAIRED}, "ok")
    live(HostSession(context), turn_with(called, answer="NO_REPLY", fails=fails))
    assert f"→ {REPAIRED}" not in " ".join(texts_of(context))


def test_decisions_and_failures_in_what_was_sent_count(context):
    """It is read like an answer."""
    said = "The upload to eu-west failed with a timeout."
    live(HostSession(context), turn_with(send(said), answer="NO_REPLY"))
    assert context.database.read(lambda c: c.execute("SELECT outcome FROM cards").get) == "failed"
