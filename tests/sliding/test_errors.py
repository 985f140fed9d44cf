"""The error that a card tells: the line of the output that says what went wrong."""

from __future__ import annotations

import pytest

from tests.support.cards import live, texts_of, turn
from tests.support.host import HostSession
from tests.support.transcripts import assistant, call, result, user

SORRY = "It did not work, sorry: the attempt failed."
EXITED = "\n\n(Command exited with code 1)"
TRACED = 'Traceback (most recent call last):\n  File "d.py", line 3\n'


@pytest.mark.parametrize(
    ("command", "output", "error"),
    [
        (
            "./deploy.sh",
            f"{TRACED}ValueError: quota exceeded on volume pv-17{EXITED}",
            "ValueError: quota exceeded on volume pv-17",
        ),
        (
            "make",
            f"gcc -c a.c\na.c:3:5: error: expected ;\nmake: *** [a.o] Error 1{EXITED}",
            "a.c:3:5: error: expected ;",
        ),
        ("npm test", f"Tests: 3 failed, 40 passed\nnpm ERR!{EXITED}", "Tests: 3 failed, 40 passed"),
        (
            "kubectl apply -f x",
            "Error from server (Forbidden): pods is forbidden",
            "Error from server (Forbidden): pods is forbidden",
        ),
        ("./grow.sh", "quota exceeded on volume pv-17\nexit 1", "quota exceeded on volume pv-17"),
        ("./grow.sh", "volume pv-17 is full\nexited with status 3", "volume pv-17 is full"),
        ("./grow.sh", "volume pv-17 is full\nrc=2", "volume pv-17 is full"),
    ],
)
def test_the_error_is_the_line_that_says_why(context, command, output, error):
    """Not what the model says of it, nor with which number the command ended."""
    bodies = [
        user("Please run the task for me", timestamp=1),
        assistant(call("a", command=command), stopReason="toolUse"),
        result("a", output, isError=True),
        assistant(SORRY, stopReason="stop"),
    ]
    live(HostSession(context), bodies)
    (text,) = texts_of(context)
    assert f"✗ {command} — {error}" in text


def test_a_long_command_leaves_room_for_its_error(context):
    """What went wrong is told, however long the command is that was tried."""
    command = "docker run --rm " + " ".join(f"--env NAME{n}=value{n}" for n in range(30))
    bodies = [
        user("Please run the task for me", timestamp=1),
        assistant(call("a", command=command), stopReason="toolUse"),
        result("a", "Error: no space left on pv-17", isError=True),
        assistant(SORRY, stopReason="stop"),
    ]
    live(HostSession(context), bodies)
    assert "✗ docker run" in texts_of(context)[0]
    assert "— Error: no space left on pv-17 ·" in texts_of(context)[0]


def test_what_the_answer_says_of_a_failure_is_told_once(context):
    """Where only the answer tells of it, it is the outcome and not the error as well."""
    live(HostSession(context), turn("Upload the pictures of the trip", SORRY, 1))
    assert texts_of(context) == [f"Upload the pictures of the trip · → {SORRY}"]
