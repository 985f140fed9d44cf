"""Recorded sessions for replays: small, and heavy enough that folding pays."""

from __future__ import annotations

from pathlib import Path

from tests.support.transcripts import Body, assistant, call, dump, result, user


def task(number: int, steps: int = 30, lines: int = 40, start_ms: int = 0) -> list[Body]:
    """A task of one user turn with many calls, each with an output of its own."""
    times = ({"timestamp": start_ms + at * 1000} if start_ms else {} for at in range(3 * steps))
    bodies = [user(f"Task {number}: repair module_{number}_core and never touch OPS-{number}.")]
    bodies[0] |= next(times)
    for step in range(steps):
        id_, name = f"c{number}x{step}", f"src/part{number}/file_{step}.py"
        output = "\n".join(
            f"{name}:{row}: value_{number}_{step}_{row} = {row}" for row in range(lines)
        )
        failed = f"ValueError: bad_value_{number}_{step}" if step % 7 == 3 else "ok"
        bodies += [
            assistant(f"I will change {name} now.", call(id_, command=f"sed -n 1,40p {name}"))
            | next(times),
            result(id_, f"{output}\n{failed}") | next(times),
        ]
    return [*bodies, assistant(f"The fix is in module_{number}_core. Done with task {number}.")]


def chat(turns: int) -> list[Body]:
    """A talk of short turns with one call each."""
    return [
        message
        for turn in range(turns)
        for message in (user(f"What about item {turn}?"), assistant(f"Item {turn} is fine."))
    ]


def write(path: Path, bodies: list[Body]) -> Path:
    """A transcript of some messages."""
    path.write_bytes(b"".join(dump(body) + b"\n" for body in bodies))
    return path
