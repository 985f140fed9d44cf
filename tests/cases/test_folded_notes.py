"""Cases 01 to 04 and 13 with handoff notes: groups stay whole, and the note keeps what it must."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flowctx.dag.wording.lexicon import lexicon
from flowctx.service.notes.passes import Rest
from tests.cases.conftest import Case
from tests.support.host import HostSession
from tests.support.note_passes import SMALL, Writer, open_clocked, said
from tests.support.provider import violations
from tests.support.transcripts import Body, assistant, call, result, user

TINY = replace(
    SMALL,
    context_window_tokens=8_000,
    summary_trigger_ratio=0.05,
    leaf_chunk_tokens=2_000,
    projection=False,
)


@pytest.mark.parametrize("number", ["01", "02", "03", "04"])
@pytest.mark.parametrize("leaf", [2_000, 3_000, 4_500])
def test_a_note_never_splits_a_group(tmp_path: Path, case: Case, number: str, leaf: int) -> None:
    """Wherever chunks end, a strict provider takes the view that notes make."""
    bodies: list[Body] = []
    for at in range(12):
        bodies += [user(f"part {at}: " + "look at all of it once more. " * 40), *case(number)]
    context, _ = open_clocked(tmp_path, replace(TINY, leaf_chunk_tokens=leaf))
    writer = Writer(HostSession(context))
    writer.host.assemble(bodies, 0)
    writer.run()
    view = writer.host.assemble(bodies, 0)
    assert any(body.get("customType") == "flowctx.note" for body in view)
    assert len(view) < len(bodies)
    assert violations(view) == []
    context.close()


FACTS = ("3d5e8c0a-41f7-4b2e-8e19-7c66d1a0b9f2", "c0ffee9a17", "61423", "E_BUSY_0288", "archive/")
HISTORY: list[Body] = [
    user("请把账单服务搬到新集群。禁止修改 archive/ 目录，也不要用 Redis。端口必须是 61423。"),
    assistant("先只读检查。", call("c1", command="mover plan --id " + FACTS[0])),
    result("c1", f"plan {FACTS[0]}\nbase {FACTS[1]}\ntarget bill-eu3:61423\n" + "row ok\n" * 900),
    assistant("步骤 1、步骤 2 已完成并验证。", call("c2", command="mover run --step 3 --way dump")),
    result("c2", f"step 3 failed: table bill_log is busy ({FACTS[3]})", isError=True),
    assistant("用 dump 方式失败，原因是表正忙。下一步：步骤 3 改用 stream 方式，尚未执行。"),
]
LATER = [
    body for at in range(2) for body in (user(f"继续 {at}。"), assistant(f"好的，{at} 完成。"))
]


def test_the_note_keeps_ids_bans_and_progress(tmp_path: Path) -> None:
    """Bad replies leave the messages raw; a thin one is made whole by code, in Chinese."""
    context, clock = open_clocked(tmp_path, replace(TINY, leaf_chunk_tokens=8_000))
    bodies = [*HISTORY, *LATER]
    writer = Writer(HostSession(context))
    before = writer.host.assemble(bodies, 0)
    bad = ("A migration is under way.", "<think>only reasoning</think>", "", "原文照抄。" * 9_000)
    for text in bad:
        writer.ask = lambda _, text=text: said(text)
        assert writer.step()
        assert isinstance(writer.step(), Rest)
        assert writer.host.assemble(bodies, 0) == before
        clock.pass_minutes(61)
    headings = lexicon("zh").headings
    thin = "\n\n".join(f"## {heading}\n- 正在进行迁移。" for heading in headings.values())
    writer.ask = lambda _: said(thin)
    assert writer.step() == ""
    writer.run()
    view = writer.host.assemble(bodies, 0)
    (note,) = [body["content"] for body in view if body.get("customType") == "flowctx.note"]
    assert all(fact in note for fact in FACTS)
    assert "禁止修改 archive/ 目录" in note and "也不要用 Redis" in note
    assert "步骤 1、步骤 2 已完成" in note
    assert "E_BUSY_0288" in note and "stream 方式，尚未执行" in note
    assert headings["constraints"] in note
    context.close()
