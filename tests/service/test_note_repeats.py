"""Notes of what happens again word for word: each stands where its own messages are."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from flowctx.service.notes.survey import survey
from tests.support.host import HostSession
from tests.support.note_passes import SMALL, Writer, open_clocked
from tests.support.transcripts import assistant, call, result, user


def test_equal_turns_are_noted_once_each(tmp_path: Path) -> None:
    """A session that repeats itself comes to rest, covered in order and without a hole."""
    settings = replace(SMALL, projection=False)
    context, _ = open_clocked(tmp_path, settings)
    writer = Writer(HostSession(context))
    listing = "\n".join(f"row {at} of the same listing" for at in range(400))
    turn = [user("again"), assistant(call("c", command="ls")), result("c", listing)]
    bodies = [body for _ in range(12) for body in (*turn, assistant("as before"))]
    writer.host.assemble(bodies, 25_000)
    writer.run(most=60)
    found = survey(context, writer.state)
    assert found is not None
    leaves = sorted(
        (spot.start, spot.end) for spot in found.spots.values()
        if spot.fold.kind == "note" and spot.fold.depth == 0
    )  # fmt: skip
    assert len(leaves) > 5
    assert leaves[0][0] == 0
    assert all(one[1] == two[0] for one, two in pairwise(leaves))
    context.close()
