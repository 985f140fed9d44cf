"""In a diff that mostly lays code out anew, what else it changes is found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from flowctx.reducers.reformatting import layout_lines

NAMES = ("load", "store", "merge", "split", "route", "flush", "probe", "trace")


def hunk(n: int) -> tuple[list[str], list[str]]:
    """A function as it was, and as a formatter sets it."""
    name, other = NAMES[n % 8], NAMES[(n * 3 + 1) % 8]
    old = [
        f"function {name}{n}(a,b) {{",
        f"  var x = '{other}-{n}', y = a+b",
        f"  return {other}(x, y, {{limit: {n * 7}, strict: true}})",
        "}",
    ]
    new = [
        f"function {name}{n}(a, b) {{",
        f'  var x = "{other}-{n}",',
        "    y = a + b;",
        f"  return {other}(x, y, {{",
        f"    limit: {n * 7},",
        "    strict: true,",
        "  });",
        "}",
    ]
    return old, new


def diff_of(count: int, changes: dict[int, tuple[str, str]]) -> str:
    """A diff of so many hunks, in some of which a text of the new side stands for another."""
    lines = ["diff --git a/app.js b/app.js", "--- a/app.js", "+++ b/app.js"]
    for n in range(count):
        old, new = hunk(n)
        was, now = changes.get(n, ("", ""))
        new = [line.replace(was, now) if was else line for line in new]
        lines.append(f"@@ -{n * 9 + 1},{len(old)} +{n * 14 + 1},{len(new)} @@")
        lines += [*(f"-{line}" for line in old), *(f"+{line}" for line in new)]
    return "\n".join(lines)


def layout_of(text: str) -> frozenset[int]:
    lines = text.split("\n")
    blocks: list[list[int]] = []
    for at, line in enumerate(lines):
        if line[0] in "-+" and not line.startswith(("---", "+++")):
            if blocks and blocks[-1][-1] == at - 1:
                blocks[-1].append(at)
            else:
                blocks.append([at])
    return layout_lines(lines, blocks)


def test_what_a_formatter_does_is_layout():
    text = diff_of(20, {})
    changed = [at for at, line in enumerate(text.split("\n")) if line[0] in "-+"][2:]
    assert layout_of(text) == frozenset(changed)


def test_a_changed_number_word_or_operator_is_more_than_layout():
    text = diff_of(
        40, {5: ("limit: 35", "limit: 350"), 9: ("a + b", "a - b"), 12: ("true", "false")}
    )
    lines, layout = text.split("\n"), layout_of(text)
    told = [line for at, line in enumerate(lines) if line[:1] in "-+" and at not in layout][2:]
    assert (
        "+    limit: 350," in told and "+    y = a - b;" in told and "+    strict: false," in told
    )
    assert len(told) <= 8


def test_an_operator_of_two_signs_is_one_word():
    text = diff_of(40, {7: ("a + b", "a >= b")})
    lines, layout = text.split("\n"), layout_of(text)
    told = [line for at, line in enumerate(lines) if line[:1] in "-+" and at not in layout][2:]
    assert told == [
        "-  var x = 'trace-7', y = a+b".replace("trace", NAMES[22 % 8]),
        "+    y = a >= b;",
    ]


def test_a_diff_of_few_changes_or_of_many_real_ones_has_no_layout():
    assert layout_of(diff_of(2, {})) == frozenset()
    renamed = {n: (str(n * 7), str(n * 7 + 1)) for n in range(1, 40)}
    every = dict.fromkeys(range(40), ("var", "let mut"))
    both = diff_of(40, every)
    assert len(layout_of(diff_of(40, renamed))) < len(layout_of(diff_of(40, {})))
    assert all("var" not in both.split("\n")[at] for at in layout_of(both))


def test_the_few_lines_that_change_more_are_shown():
    text = diff_of(300, {150: ("limit: 1050", "limit: 9"), 222: ("strict: true", "strict: retry")})
    result = reduce_output(ToolOutput(text, "exec", "git diff"))
    assert isinstance(result, Reduction) and result.type == "diff"
    assert "+    limit: 9," in result.body and "+    strict: retry," in result.body
    assert "change only the layout" in result.body
    assert len(result.body) <= 4_000


@given(st.lists(st.text("ab1 ,;'\"()\n", max_size=30), min_size=1, max_size=8))
def test_a_line_is_never_layout_where_words_are_only_on_one_side(texts):
    lines = [f"+{line}" for text in texts for line in text.split("\n")] * 50
    words = {at for at, line in enumerate(lines) if any(each.isalnum() for each in line)}
    assert layout_lines(lines, [range(len(lines))]).isdisjoint(words)
