"""Which file a call reads or writes."""

from __future__ import annotations

import pytest

from flowctx.model import Call
from flowctx.view.touch import Touch, touches_of

READS = [
    ("read", "./src/a.py", "", Touch("src/a.py", "read")),
    ("Read", "/srv/app/../a.py", "abc", Touch("/srv/a.py", "read", "abc")),
    ("mcp__files__read_file", "a.py", "", Touch("a.py", "read")),
    ("exec", "cat a.py", "", Touch("a.py", "read")),
    ("bash", "sed -n 1,40p a.py", "", Touch("a.py", "read", "sed -n 1,40p a.py")),
]
WRITES = [
    ("edit", "a.py", "x", Touch("a.py", "write")),
    ("Write", "a.py", "", Touch("a.py", "write")),
    ("multi_edit", "a.py", "", Touch("a.py", "write")),
    ("exec", "sed -i 's/a/b/' a.py", "", Touch("a.py", "write")),
    ("exec", "cat > a.py <<'EOF'\nprint(1) > b.py\nEOF", "", Touch("a.py", "write")),
    ("bash", "make | tee -a build.log", "", Touch("build.log", "write")),
]
NEITHER = [
    ("exec", "cat a.py b.py"),
    ("exec", "cat a.py | head -3"),
    ("exec", "cd src && cat a.py"),
    ("exec", "cd src && sed -i s/a/b/ a.py"),
    ("exec", "python -c 'print(1 -> 2)'"),
    ("grep", "a.py"),
    ("read", ""),
    ("edit", "two\nlines"),
]


@pytest.mark.parametrize(("tool", "detail", "rest", "touch"), [*READS, *WRITES])
def test_plain_reads_and_writes_are_seen(tool: str, detail: str, rest: str, touch: Touch):
    """Tools by their name and path, the shell where one command does one thing."""
    assert touches_of(Call("", tool, detail, rest=rest)) == (touch,)


@pytest.mark.parametrize(("tool", "detail"), NEITHER)
def test_what_is_not_plain_is_left_alone(tool: str, detail: str):
    """Several files, pipes, other folders and other tools touch no file we would name."""
    assert touches_of(Call("", tool, detail)) == ()
