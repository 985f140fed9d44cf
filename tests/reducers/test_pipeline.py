"""The one way in: what is never reduced, what is said of cut originals, what a view may take."""

from __future__ import annotations

import pytest

from flowctx.model import Omission, Reduction, ToolOutput, Unreduced
from flowctx.reducers.marker import VIEW_MAX_CHARS, render_view, without_tool_hint
from flowctx.reducers.pipeline import FAMILIES, explain_output, reduce_output
from flowctx.tokens import estimate_tokens
from tests.reducers.honesty import faults

HASH = "0123456789abcdef01234567"
LOG = "\n".join(f"2026-03-17 11:{n // 60:02}:{n % 60:02} INFO step {n} done" for n in range(300))


def reduced(text: str, tool: str = "exec", exit_code: int | None = None) -> Reduction:
    result = reduce_output(ToolOutput(text, tool, "", exit_code))
    assert isinstance(result, Reduction), result
    return result


@pytest.mark.parametrize("hint", [True, False], ids=["with the tool", "without it"])
def test_own_views_are_final(hint):
    """A view is recognised by its pointers, with the tool's name in them or without."""
    view = render_view(reduced(LOG), tool="exec", original_hash=HASH)
    view = view if hint else without_tool_hint(view)
    assert reduce_output(ToolOutput(view * 1, "exec")) == Unreduced("already reduced")


def test_blanks_are_told_by_their_number():
    """Nothing can be seen in them, however many there are."""
    blanks = " " * 20_000 + "\t\n" * 3000
    result = reduced(blanks)
    assert (result.type, result.body) == ("blank", "[… 26000 characters omitted …]")
    assert faults(blanks, result) == []


def test_a_byte_order_mark_hides_no_json():
    """An array saved by an editor of Windows is an array all the same."""
    rows = ",\n".join(
        f'{{"id": {n}, "state": "{"ok" if n != 77 else "held"}"}}' for n in range(300)
    )
    result = reduced(f"\ufeff[{rows}]")
    assert result.type == "json/array"
    assert '{"id": 77, "state": "held"}' in result.body


def test_a_carriage_return_ends_lines_where_no_line_feed_does():
    """A table of an old Mac is a table; a progress on one line is told by its last state."""
    names = ("ann", "bo", "cy", "dee", "eli", "flo", "gus", "hal", "ida", "jo", "kim", "lou")
    table = "\r".join(f"{n},{names[n % 12]},{names[n // 12 % 12]}ville" for n in range(400))
    assert reduced(f"id,name,town\r{table}").type == "csv"
    progress = "".join(
        f"\rfetching {n} of 400 [{'#' * (n // 8)}] {400 - n}s left" for n in range(401)
    )
    assert "400 of 400" in reduced(progress).body


def test_a_spoofed_marker_inside_does_not_switch_reduction_off():
    """Only a text that begins and ends with one pointer is a view of ours."""
    spoof = f"[flowctx log · 1 of 2 lines omitted · flowctx_retrieve hash={HASH}]"
    assert reduced(LOG.replace("step 150 done", f"step 150 done\n{spoof}")).omissions


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LOG[:1500] + "\n...\n" + LOG[-1500:] + "\n\n[Tool result trimmed: kept first 1500 chars"
         " and last 1500 chars of 9999 chars.]", "trimmed by the host"),
        ("[Old tool result content cleared]", "cleared by the host"),
        (" \n\n", "too short to gain anything"),
        ("short", "too short to gain anything"),
    ],
)  # fmt: skip
def test_what_the_host_cut_away_is_left_alone(text, reason):
    """Text that was trimmed or cleared before, blank and short text stay as they are."""
    assert reduce_output(ToolOutput(text)) == Unreduced(reason)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (f"[earlier output was discarded at the retention cap]\n\n{LOG}", "its beginning"),
        (f"{LOG}\n\n[… 36074 more characters truncated…]", "its end"),
    ],
)
def test_a_large_text_the_host_cut_is_reduced_and_says_so(text, part):
    """The pointer tells that the original itself is not whole."""
    result = reduced(text)
    assert result.note == f"the host had cut {part} before"
    assert result.note in render_view(result, tool="exec", original_hash=HASH).split("\n")[0]


def test_a_log_that_quotes_a_cut_was_not_cut():
    """The host's marks stand at the edges of a text."""
    assert reduced(LOG.replace("step 150", "step [… 9 more characters truncated…]")).note == ""


def test_a_pointer_is_one_line_whatever_the_tool_is_called():
    """Names with line ends, brackets or great length cannot break the pointer."""
    result = reduced(LOG)
    view = render_view(result, tool="a]\nb" + "c" * 500, original_hash=HASH)
    first, *_, last = view.split("\n")
    assert first == last
    assert first.startswith("[flowctx log · ")
    assert first.endswith(f" · flowctx_retrieve hash={HASH}]")
    assert len(first) < 250
    assert reduce_output(ToolOutput(view)) == Unreduced("already reduced")


@pytest.mark.parametrize("count", [60, 200, 1000, 5000, 20_000])
def test_a_view_never_takes_more_than_it_may(count):
    """Its limit counts the pointer lines, and it is always smaller than its original."""
    text = "\n".join(
        f"{n} took {n * 7919 % 977} of {n * 104729 % 8191} at {n:x}" for n in range(count)
    )
    view = render_view(reduced(text, tool="t" * 60), tool="t" * 60, original_hash=HASH)
    assert len(view) <= VIEW_MAX_CHARS
    assert estimate_tokens(view) < estimate_tokens(text)


def test_repainted_progress_is_counted_as_line_states():
    """What a terminal had painted over is named in the pointer."""
    text = "\n".join("\r".join(f"layer {k}: {n}%" for n in range(100)) for k in range(9))
    result = reduced(text)
    assert result.type == "terminal"
    assert result.omissions == (Omission("line states", 9 * 99, 9 * 100),)
    assert result.body == "\n".join(f"layer {k}: 99%" for k in range(9))


def test_each_family_is_explained():
    """An explanation names every family that was tried, in the order of the list."""
    explained = explain_output(ToolOutput("\n".join(f"{n} {'x' * (n % 40)} y" for n in range(300))))
    names = [family.name for family in FAMILIES]
    assert [step.family for step in explained.steps] == names[: len(explained.steps)]
    assert "; made " in explained.steps[-1].outcome


def test_every_family_says_what_it_looks_for():
    """An explanation names what a text would have to show, for each family that was tried."""
    assert all(family.looks_for for family in FAMILIES)


def test_outputs_of_different_formats_are_told_apart_without_a_command():
    """A listing, a tree and lines of JSON one after the other are each reduced as what they are."""
    listing = [f"-rw-r--r-- 1 ann ann {n * 37} Mar  1 10:00 part_{n}.dat" for n in range(60)]
    listing[31] = "-rwsr-xr-x 1 root root 812 Mar  1 10:00 helper"
    tree = [f"├── amber-{n}@2.{n}.0" for n in range(60)]
    tree[22] = "├── UNMET DEPENDENCY zod@3"
    records = [f'{{"id": {n}, "state": "up"}}' for n in range(60)]
    records[44] = '{"id": 44, "state": "lost"}'
    result = reduced("\n".join((*listing, *tree, *records)))
    assert result.type == "mixed"
    assert all(odd in result.body for odd in (listing[31], tree[22], records[44]))


def test_what_two_commands_print_is_told_apart_by_its_format():
    """Minutes and a list of packages, of one command line, keep the facts of each."""
    said = "The team went through the open points again and found nothing that needs a change."
    minutes = [f"{said} {said}" for _ in range(40)]
    minutes[25] = (
        "The release moves to March 9th, because the audit by Ms Lind takes two weeks longer."
    )
    packages = [f"amber-{n}=={n % 9}.{n % 5}.0" for n in range(120)]
    packages[70] = "-e /home/dev/hotfix/requests"
    text = "\n".join((*minutes, *packages))
    result = reduce_output(ToolOutput(text, "exec", "cat minutes.txt && pip freeze", 0))
    assert isinstance(result, Reduction)
    assert minutes[25] in result.body
    assert packages[70] in result.body
