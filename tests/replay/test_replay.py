"""A replay drives the engine, and every figure it prints can be recomputed."""

from __future__ import annotations

import json
import lzma
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
import zstandard
from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.tokens import estimate_tokens
from tests.replay.recompute import recompute
from tests.replay.sessions import chat, task, write
from tests.support.transcripts import Body, dump


def run(*arguments: object) -> dict[str, Any]:
    """The document that the command prints."""
    said = CliRunner().invoke(main, ["replay", *map(str, arguments), "--json"])
    assert said.exit_code == 0, said.output
    document: dict[str, Any] = json.loads(said.stdout)
    return document


@pytest.fixture(name="tasks")
def _tasks(tmp_path: Path) -> list[Path]:
    """Eight recorded tasks."""
    return [write(tmp_path / f"t{number}.jsonl", task(number)) for number in range(8)]


@pytest.mark.parametrize("summariser", ["digest", "fixed:700"])
@pytest.mark.parametrize("policy", ["raw", "fresh", "reduce", "flowctx"])
def test_every_figure_follows_from_the_dump(
    tasks: list[Path], tmp_path: Path, policy: str, summariser: str
) -> None:
    """A script that shares no code with the replay finds the same figures for each task."""
    options = ["--policy", policy, "--summariser", summariser, "--dump", tmp_path / "dump"]
    document = run(*tasks[:7], *options, "--price", "cached=0.2,write=1.1,out=4")
    recomputed = recompute(tmp_path / "dump")
    for number, told in enumerate(document["tasks"]):
        for name, value in recomputed[number].items():
            assert told[name] == pytest.approx(value, abs=0.06), (number, name)
    for name in ("calls", "tokens_in", "cached_tokens", "rounds", "notes", "resent_tokens"):
        assert document["total"][name] == sum(told[name] for told in document["tasks"])


def test_raw_and_fresh_are_what_arithmetic_says(tmp_path: Path) -> None:
    """Two tasks of known sizes cost, raw and fresh, what can be written down by hand."""
    bodies = chat(2)
    path = write(tmp_path / "a.jsonl", bodies)
    sizes = [estimate_tokens(_text(body)) + 4 for body in bodies]
    prices = ["--price", "cached=0,write=1", "--system-tokens", 100]
    raw = run(path, path, "--policy", "raw", *prices)
    fresh = run(path, path, "--policy", "fresh", *prices)
    prompts = [100 + sizes[0], 100 + sum(sizes[:3])]
    assert fresh["total"]["tokens_in"] == 2 * sum(prompts)
    assert raw["total"]["tokens_in"] == 2 * sum(prompts) + 2 * sum(sizes)
    # Raw, each message is sent uncached once, and the system part in the first call.
    assert raw["total"]["cost"] == 100 + 2 * sum(sizes) - sizes[3]
    # A session of its own finds in the cache what the last prompt began with: the system
    # part, and here the first message, which is the same.
    assert fresh["total"]["cost"] == 100 + 2 * sum(sizes[:3]) - sizes[0]


def test_flowctx_is_far_below_raw_and_near_fresh(tasks: list[Path]) -> None:
    """With many calls a turn, old turns are folded early, and nothing is lost."""
    totals = {policy: run(*tasks, "--policy", policy)["total"] for policy in ("raw", "fresh")}
    folded = run(*tasks)["total"]
    assert folded["tokens_in"] < 0.6 * totals["raw"]["tokens_in"]
    assert folded["tokens_in"] < 1.6 * totals["fresh"]["tokens_in"]
    assert folded["rounds"] > 0 < folded["notes"]
    probes = folded["probes"]
    assert probes["lost"] == probes["found"] == 0 < probes["visible"] < probes["one_step"]


def test_plain_gate_folds_at_the_gate_only(tasks: list[Path], tmp_path: Path) -> None:
    """`foldPolicy` "ratio" folds nothing below the gate, and comes below it where it folds."""
    settings = tmp_path / "settings.json"
    settings.write_text('{"foldPolicy": "ratio", "summaryTriggerRatio": 0.95}')
    assert run(*tasks[:5], "--settings", settings)["total"]["notes"] == 0
    settings.write_text('{"foldPolicy": "ratio", "summaryTriggerRatio": 0.1}')
    document = run(*tasks, "--settings", settings)
    assert document["total"]["rounds"] > 0
    assert all(turn["view_tokens"] < 20_000 for turn in document["turns"] if turn["round"])


def test_an_idle_session_finds_nothing_in_the_cache(tmp_path: Path) -> None:
    """Beyond the cache's lifetime a prompt is read anew; the engine takes the occasion."""
    day = 86_400_000
    paths = [
        write(tmp_path / f"{n}.jsonl", task(n, steps=8, start_ms=n * day + day)) for n in range(8)
    ]
    idle = run(*paths, "--cache-ttl", 3600)
    warm = run(*paths, "--cache-ttl", 999_999)
    assert any(turn["round"] == "the cache is cold" for turn in idle["turns"])
    assert not any(turn["round"] == "the cache is cold" for turn in warm["turns"])
    first = next(turn for turn in idle["turns"] if turn["task"] == 7)
    assert first["cached_tokens"] < first["tokens_in"] * 7 / 8


def test_same_recordings_same_figures(tasks: list[Path]) -> None:
    """Nothing but the time it took differs between two replays."""
    assert _without_seconds(run(*tasks)) == _without_seconds(run(*tasks))


def test_every_kind_of_recording_reads_the_same(tmp_path: Path) -> None:
    """Transcript, packed transcript, events, export and the host's store give equal figures."""
    bodies = [*task(1, steps=3), *chat(2)]
    packed = tmp_path / "b.jsonl.xz"
    packed.write_bytes(lzma.compress(b"\n".join(map(dump, bodies))))
    export = tmp_path / "c.json"
    export.write_text(json.dumps({"messages": bodies}))
    events = [{"type": "session", "id": "s"}, *[{"type": "message", "message": b} for b in bodies]]
    paths = [
        write(tmp_path / "a.jsonl", bodies),
        packed,
        export,
        write(tmp_path / "d.jsonl", events),
        _host_store(tmp_path / "openclaw-agent.sqlite", events),
    ]
    totals = [_without_seconds(run(path, "--policy", "raw")["total"]) for path in paths]
    assert totals[0]["calls"] == 6
    assert totals == [totals[0]] * 5


def test_a_folder_holds_its_recordings(tasks: list[Path], tmp_path: Path) -> None:
    """A folder is its recordings in the order of their names."""
    assert [t["name"] for t in run(tmp_path, "--policy", "raw")["tasks"]] == [
        path.stem for path in tasks
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--price", "cached=cheap"], "is no price"),
        (["--summariser", "fixed:none"], "is no summariser"),
        (["--settings", "list.json"], "holds no JSON object"),
        (["note.txt"], "is no recording"),
    ],
)
def test_wrong_usage_is_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    """What cannot be used is named, and nothing is replayed."""
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "note.txt").write_text("hello")
    path = write(tmp_path / "a.jsonl", chat(1))
    made = [str(tmp_path / a) if (tmp_path / a).exists() else a for a in arguments]
    outcome = CliRunner().invoke(main, ["replay", str(path), *made])
    assert outcome.exit_code == 1
    assert said in outcome.stderr


def _text(body: Body) -> str:
    content = body["content"]
    return content if isinstance(content, str) else content[0]["text"]


def _without_seconds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seconds(part) for key, part in value.items() if key != "seconds"}
    return [_without_seconds(part) for part in value] if isinstance(value, list) else value


def _host_store(path: Path, events: list[Body]) -> Path:
    """A store with the tables that the host keeps transcripts in; one event is on a dead branch."""
    db = apsw.Connection(str(path))
    db.execute(
        "CREATE TABLE session_windows (session_id TEXT, session_key TEXT, created_at INTEGER);"
        "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT,"
        " event_zstd BLOB);"
        "CREATE TABLE session_transcript_active_events (session_id TEXT, active_position INTEGER,"
        " event_seq INTEGER);"
    )
    db.execute("INSERT INTO session_windows VALUES ('s', 'agent:main:main', 1)")
    stray = {"type": "message", "message": {"role": "user", "content": "left behind"}}
    for seq, event in enumerate([*events, stray]):
        raw = dump(event)
        row = (
            ("s", seq, None, zstandard.compress(raw)) if seq % 2 else ("s", seq, raw.decode(), None)
        )
        db.execute("INSERT INTO transcript_events VALUES (?, ?, ?, ?)", row)
        if event is not stray:
            db.execute(
                "INSERT INTO session_transcript_active_events VALUES ('s', ?, ?)", (seq, seq)
            )
    db.close()
    return path


def test_what_cannot_be_read_is_said(tasks: list[Path], tmp_path: Path) -> None:
    """A recording that was cut is replayed without its last line; one of no messages is none."""
    cut, none = tmp_path / "cut.jsonl", tmp_path / "none.jsonl"
    cut.write_bytes(tasks[0].read_bytes()[:-20])
    none.write_bytes(b"\xff\xfe{\n")
    result = CliRunner().invoke(main, ["replay", str(cut), str(none)])
    assert result.exit_code == 0
    assert "1 lines are no JSON" in result.stderr and "holds no messages" in result.stderr
    alone = CliRunner().invoke(main, ["replay", str(none)])
    assert alone.exit_code == 1 and "no messages to replay" in alone.stderr


def test_what_is_damaged_does_not_keep_the_rest_back(tasks: list[Path], tmp_path: Path) -> None:
    """A session of a store, or a file of a folder, is left out by name; one that was asked for
    by name is an error."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    events = [{"type": "message", "message": body} for body in chat(2)]
    store = _host_store(folder / "openclaw-agent.sqlite", events)
    with closing(apsw.Connection(str(store))) as db:
        db.execute("INSERT INTO session_windows VALUES ('t', 'agent:main:broken', 2)")
        db.execute("INSERT INTO transcript_events VALUES ('t', 0, NULL, x'0102')")
    packed = folder / "torn.jsonl.xz"
    packed.write_bytes(lzma.compress(tasks[0].read_bytes())[:-40])
    result = CliRunner().invoke(main, ["replay", str(folder), "--policy", "raw", "--json"])
    assert result.exit_code == 0, result.stderr
    names = [each["name"] for each in json.loads(result.stdout)["tasks"]]
    assert names == ["openclaw-agent:agent:main:main"]
    assert "agent:main:broken" in result.stderr and "torn.jsonl.xz" in result.stderr
    assert CliRunner().invoke(main, ["replay", str(packed)]).exit_code == 1
