"""Twice the text takes about twice the time, whatever kind it is of."""

from __future__ import annotations

import time

import pytest

from flowctx.model import ToolOutput
from flowctx.reducers.pipeline import explain_output

# One unit of a text of each kind, filled with its number, and what stands around all of them.
KINDS = {
    "functions": ("", 'def f{0}(a):\n    """Doc {0}."""\n    return g(a, {0})\n\n\n', "\n"),
    "elements": ("<r>", "<i n='{0}'>x</i>", "</r>"),
    "page": ("<html><body>", "<h2>Part {0}</h2><p>Of {0} things <a href='/{0}'>one</a>.</p>\n", ""),
    "links": ("<html><body><div>", "<a href='/{0}'>{0}</a> ", "</div></body></html>"),
    "rows": ("[", '{{"id":{0},"v":"x"}},', '{"id":0}]'),
    "rows cut off": ("[", '{{"id":{0},"v":"x"}},', '{"id":'),
    "numbers": ("[", "{0},", "0]"),
    "spaced numbers": ("[", "{0},\n  ", "0]"),
    "keys": ("{", '"k":{0},', '"z":0}'),
    "warnings in rows": ("[\n", '{{"id":{0}}},\nwarning: slow {0}\n' + '{{"id":1}},\n' * 40, "{}]"),
    "pipe table": ("| id | name |\n|---|---|\n", "| {0} | n{0} |\n", ""),
    "amounts": ("id,amount,rate\n", "{0},-{0}.50,0.{0}\n", ""),
    "traces": ("", 'Traceback (most recent call last):\n  File "a.py", line {0}\nE: {0}\n', ""),
    "messages": ("", "2026-01-01 10:00:00 INFO worker-{0} handled {0} in 3 ms\n", ""),
    "manifest": ("", "- name: svc{0}\n  ports:\n    - {0}\n    - 80\n  env:\n    K: v\n", ""),
    "aliases": ("a: &a [x,x,x]\n", "k{0}: &b{0} [*a,*a,*a]\n", ""),
    "line ends": ("x", "\n" * 20, "x" * 2000),
    "few backspaces": ("", "a long line number {0} that was typed\b\b\b\b\b, {0}\n", ""),
    "many backspaces": ("", "ab\b\b{0}\b\b\n", ""),
}
SMALL_CHARS = 120_000
# As long again for what does not grow in step, and for a machine that does other things.
MOST = 3.6


@pytest.mark.parametrize("kind", KINDS)
def test_twice_the_text_takes_no_more_than_its_share(kind):
    """Compared within one run, by the least of several times, so that no clock is asserted."""
    before, unit, behind = KINDS[kind]
    count = SMALL_CHARS // len(unit.format(1000))
    small, large = (
        before + "".join(map(unit.format, range(n))) + behind for n in (count, 2 * count)
    )
    # On a busy machine three times may all be slow ones.
    assert any(least_seconds(large, tries) < MOST * least_seconds(small, tries) for tries in (3, 9))


def least_seconds(text: str, tries: int) -> float:
    best = 9.0
    for _ in range(tries):
        start = time.process_time()
        explain_output(ToolOutput(text, "exec", "", exit_code=1))
        best = min(best, time.process_time() - start)
    return best
