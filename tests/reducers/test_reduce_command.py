"""`flowctx reduce`: the view on stdout, everything else on stderr."""

from __future__ import annotations

import json

from click.testing import CliRunner

from flowctx.cli.main import main
from flowctx.message import hash_text

LOG = "\n".join(f"2026-03-17 11:{n // 60:02}:{n % 60:02} INFO step {n} done" for n in range(300))


def run(*arguments: str, data: bytes | None = None):
    return CliRunner().invoke(main, ["reduce", *arguments], input=data)


def test_a_file_is_shown_as_an_old_result(tmp_path):
    """Tool, command and exit code are taken from the options."""
    path = tmp_path / "app.log"
    path.write_text(LOG, "utf-8")
    done = run(str(path), "--tool", "exec", "--command", "cat app.log", "--exit-code", "0")
    first, *_, last = done.stdout.rstrip("\n").split("\n")
    assert done.exit_code == 0
    assert first == last
    assert first.endswith(f" · exec · flowctx_retrieve hash={hash_text(LOG)}]")


def test_standard_input_is_read_and_short_text_comes_back_byte_for_byte():
    """Whatever its bytes are, what is not reduced is not touched."""
    data = b"\x00\xff\xfe caf\xe9 \xed\xa0\x80\r\n\x1b[31mred\x1b[0m"
    done = run("-", data=data)
    assert done.exit_code == 0
    assert done.stdout_bytes == data


def test_binary_input_is_reduced_without_a_crash():
    """Bytes that are no UTF-8 are shown as U+FFFD, and the output is well-formed."""
    done = run("-", data=b"".join(b"\xff row %d \x00\n" % n for n in range(900)))
    assert done.exit_code == 0
    assert "\ufffd row 0" in done.stdout_bytes.decode("utf-8")


def test_figures_are_printed_as_json():
    """Type, tokens before and after, hash and omissions per unit."""
    figures = json.loads(run("-", "--json", data=LOG.encode()).stdout)
    assert figures["type"] == "log"
    assert figures["tokens_after"] < figures["tokens_before"] == -(-len(LOG) // 4)
    assert figures["hash"] == hash_text(LOG)
    (lines,) = figures["omissions"]
    assert (lines["unit"], lines["total"]) == ("lines", 300)


def test_figures_of_an_unreduced_text_give_the_reason():
    """What stays as it is says why."""
    figures = json.loads(run("-", "--json", data=b"short").stdout)
    assert figures["type"] == "unreduced"
    assert figures["reason"] == "not above the threshold of 1000 tokens"
    assert figures["tokens_before"] == figures["tokens_after"] == 2


def test_explanations_go_to_stderr():
    """Each family that was tried, and what came of it."""
    done = run("-", "--explain", data=LOG.encode())
    assert "json: does not fit" in done.stderr
    assert done.stderr.rstrip().endswith("result: shown as log")
    assert "does not fit" not in done.stdout


def test_results_of_flowctx_and_instruction_files_stay_whole(tmp_path):
    """The command says why, and gives back every byte."""
    path = tmp_path / "long.txt"
    path.write_text(LOG, "utf-8")
    for tool, command, reason in (
        ("flowctx_retrieve", "0" * 24, "result of flowctx itself"),
        ("read", "docs/AGENTS.md", "instruction file"),
        ("exec", "cat CLAUDE.md", "instruction file"),
    ):
        told = run(str(path), "--tool", tool, "--command", command, "--explain")
        assert told.stdout == LOG
        assert told.stderr.rstrip().endswith(f"result: {reason}")


def test_what_was_reduced_or_cut_before_is_recognised(tmp_path):
    """A view of ours is not reduced again; a text the host had cut says so in its pointer."""
    path = tmp_path / "long.txt"
    path.write_text(LOG, "utf-8")
    view = run(str(path), "--tool", "exec").stdout
    path.write_text(view, "utf-8")
    again = run(str(path), "--tool", "exec", "--json")
    assert json.loads(again.stdout)["type"] == "unreduced"
    path.write_text(f"{LOG}\n[… 52000 more characters truncated]", "utf-8")
    cut = run(str(path), "--tool", "exec").stdout
    assert "the host had cut its end before" in cut.split("\n")[0]
