"""Sessions of our own with the same difficulties as the recorded cases, by their numbers."""

from __future__ import annotations

from typing import Any

from tests.support.notes import ran
from tests.support.transcripts import Body, assistant, call, result, user
from tests.support.turns import turns

THOUGHT = {"type": "thinking", "thinking": "step by step " * 400, "thinkingSignature": "c2lnMQ=="}
EMPTY_THOUGHT = {"type": "thinking", "thinking": "", "thinkingSignature": "c2lnMg=="}


def parallel_calls() -> list[Body]:
    ids = ("p1", "p2", "p3", "p4")
    return [
        user("Which of the four disks is full, and since when?"),
        assistant("All four at once.", *(call(id_, command=f"df /mnt/{id_}") for id_ in ids)),
        *(result(id_, f"/mnt/{id_} is {n}0% full") for n, id_ in enumerate(ids, 6)),
        assistant("p4 is the fullest one.", call("p5", "read", path="/var/log/disk.log")),
        result("p5", "12:01 88%\n12:09 90%", "read"),
        assistant("It went over 90% at 12:09."),
        user("Clear its cache then."),
    ]


def restarting_ids() -> list[Body]:
    said = [("ls", "a.go\nb.go"), ("wc -l a.go", "77 a.go"), ("git branch", "* main")]
    steps = [body for command, output in said for body in ran("call_0", command, output)]
    return [user("Look around."), *steps, assistant("Two files on main."), user("Any tags?")]


def displaced_results() -> list[Body]:
    return [
        user("Test it and build it."),
        assistant(call("t1", command="go test"), call("t2", command="go build")),
        assistant("Both are running."),
        result("t2", "build: fine"),
        result("t1", "[openclaw] missing tool result in session history", isError=True),
        result("t1", "test: 3 failed in b_test.go"),
        assistant("It builds, three tests fail."),
        user("Mend them."),
    ]


def reasoning() -> list[Body]:
    return [
        user("Why does it start so slowly?"),
        assistant(THOUGHT, call("r1", command="trace start")),
        result("r1", "\n".join(f"phase {n} took {n * 13} ms" for n in range(300))),
        assistant(EMPTY_THOUGHT, "Phase 299 is the slowest."),
        user("Make it lazy."),
        assistant(call("r2", "read", path="main.go"), reasoning_content="Find phase 299 first."),
        result("r2", "package main", "read"),
    ]


def odd_text() -> str:
    line = "page of a site with \x1b[31mred\x1b[0m words\r\n"
    return f"{line * 36}{'y' * 50}\U0001f680{line * 40}\x00\U0001f680\r\n{line * 20}end \ud83d"


def long_text() -> str:
    return "\n".join(f"{n:05d} square={n * n} cube={n**3}" for n in range(900))


def batches() -> list[Body]:
    return turns(6, text="\n".join(f"row {n} checksum {n * 37 % 1009}" for n in range(180)))


def walled() -> dict[str, Any]:
    """Sessions of two people and of another agent, with words that only the first may see."""
    secret = "Keep in mind: we ship on Sunday at 04:30 from host prod-blue-9."
    return {
        "words": ("Sunday", "prod-blue-9"),
        "mine": ("agent:main:chat:direct:eve", [user(secret), assistant("Kept.")]),
        "others": [
            ("agent:main:chat:direct:max", [user("When do we ship?")]),
            ("agent:open:chat:group:all", [user("ship when?")]),
        ],
    }
