"""flowctx's commands inside the host: on its command line and in the chat."""

from __future__ import annotations

import json

from tests.e2e.harness.rig import Rig

BIG = "run: bin/journalctl -u api --kb 14"


def test_status_says_what_is_in_use(flow: Rig, session: str) -> None:
    """Offered, stored and used; both versions; and exit code 0 while it is in use."""
    flow.gateway.turn(BIG, session=session)
    flow.gateway.turn("hello", session=session)
    done = flow.gateway.host.cli("flowctx", "status", "--json")
    status = json.loads(done.stdout)
    assert (done.code, status["in_use"], status["why_not"]) == (0, True, [])
    assert status["last"]["used_ms"] and status["last"]["stored_ms"]
    assert status["sidecar"]["version"] == status["gateway"]["version"] == status["version"]
    assert status["gateway"]["host_version"] == "2026.9.6"


def test_stats_count_what_was_saved(flow: Rig, session: str) -> None:
    """Fewer tokens were sent than handed over, per session and in total."""
    for text in (BIG, "a", "b"):
        flow.gateway.turn(text, session=session)
    stats = json.loads(flow.gateway.host.cli("flowctx", "stats", "--json").stdout)
    (mine,) = [row for row in stats["sessions"] if row["key"].endswith(session)]
    assert mine["view_tokens"] < mine["raw_tokens"]
    assert stats["totals"]["saved_tokens"] > 0


def test_doctor_finds_nothing_wrong_with_the_store(flow: Rig, session: str) -> None:
    """Every hash re-derives, no marker dangles, and private files are private."""
    flow.gateway.turn(BIG, session=session)
    checks = json.loads(flow.gateway.host.cli("flowctx", "doctor", "--json").stdout)["checks"]
    wrong = [c["name"] for c in checks if not c["is_ok"]]
    assert set(wrong) <= {"notes by each agent's own model"}


def test_the_chat_command_answers(flow: Rig, session: str) -> None:
    """`/flowctx status` answers in the chat, without the model."""
    flow.gateway.turn("hello", session=session)
    before = len(flow.model.requests)
    assert "in use" in flow.gateway.command("/flowctx status", session=session)
    assert "status, stats" in flow.gateway.command("/flowctx fly", session=session)
    assert len(flow.model.requests) == before


def test_help_lists_the_command(flow: Rig) -> None:
    """The host's own help names flowctx and its subcommands."""
    text = flow.gateway.host.checked_cli("flowctx", "--help")
    assert all(name in text for name in ("status", "stats", "doctor"))
