"""One result stands for another, in the real gateway."""

from __future__ import annotations

import json

from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.rig import Rig

LOG = "run: bin/journalctl -u api --kb 14"
WRITE = json.dumps({"path": "plan.md", "content": "a new plan\n"})


def test_repeats_and_reads_out_of_date_are_one_line(flow: Rig, session: str) -> None:
    """A repeat names the earlier result, a read the later write; nothing sent is sent otherwise."""
    flow.gateway.turn(LOG, session=session)
    flow.gateway.turn(LOG, session=session)
    flow.gateway.turn(
        f"run: seq 1 900 > plan.md\nread: plan.md\ncall: write {WRITE}", session=session
    )
    flow.gateway.turn("thanks", session=session)
    requests = flow.requests(session)
    first, second, _, read, _ = [result.text for result in requests[-1].tool_results]
    assert first.startswith("[flowctx log")
    assert second.startswith("[flowctx repeat · ") and "the same text as 1 result before" in second
    assert read.startswith("[flowctx edited") and "plan.md was changed 1 result later" in read
    assert unexpected_rewrites(requests) == []
    hash_ = read.split("hash=")[1].rstrip("]\n")
    flow.gateway.turn(f'call: flowctx_retrieve {{"hash": "{hash_}"}}', session=session)
    (answer,) = flow.requests(session)[-1].new_tool_results
    assert "\n".join(str(number) for number in range(1, 901)) in answer.text
