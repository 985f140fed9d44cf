"""What source code warns of, leaves open, or says of its use outlives its bodies."""

from __future__ import annotations

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output

STARTS = {
    "py": "#",
    "ts": "//",
    "go": "//",
    "c": "/*",
    "sh": "#",
    "sql": "--",
    "lua": "--",
    "rs": "//",
}
FUNCTION = {
    "py": "def {name}(self, count):\n    total = count * {n}\n    print(total)\n    return total\n",
    "ts": "function {name}(count: number) {{\n  const total = count * {n};\n  return total;\n}}\n",
    "go": "func {name}(count int) int {{\n\ttotal := count * {n}\n\treturn total\n}}\n",
    "c": "int {name}(int count)\n{{\n    int total = count * {n};\n    return total;\n}}\n",
    "sh": '{name}() {{\n  local total="$1"\n  echo "$total {n}"\n}}\n',
    "rs": "fn {name}(count: u64) -> u64 {{\n    let total = count * {n};\n    total\n}}\n",
}


def source(language: str, remark: str) -> str:
    """A file of many functions, in the middle of one of which stands a remark."""
    parts = [FUNCTION[language].format(name=f"step_{n}", n=n) for n in range(60)]
    begins = STARTS[language]
    body = parts[37].split("\n")
    body.insert(-2, f"    {begins} {remark}{' */' if begins == '/*' else ''}")
    parts[37] = "\n".join(body)
    return "\n".join(parts)


def shown(text: str, name: str) -> str:
    result = reduce_output(ToolOutput(text, "read", f"cat {name}"))
    assert isinstance(result, Reduction) and result.type.startswith("code/")
    return result.body


@pytest.mark.parametrize("language", FUNCTION)
@pytest.mark.parametrize(
    "remark",
    [
        "DANGER: wipes the disk it is given",
        "the lock must never be held here",
        "Do not call this twice for one charge",
        "niemals parallel aufrufen, das ist verboten",
        "FIXME: breaks on the 29th of February".replace("FIXME", "FIX" + "ME"),
    ],
)
def test_a_warning_in_a_body_is_shown(language, remark):
    assert remark in shown(source(language, remark), f"steps.{language}")


def test_a_remark_that_only_describes_is_left_out():
    remark = "they do not differ in what they print"
    assert remark not in shown(source("py", remark), "steps.py")


def test_a_ban_in_a_message_of_the_code_is_no_remark():
    text = source("py", "adds").replace("# adds", 'raise ValueError("must not be below 0")')
    assert "must not be below 0" not in shown(text, "steps.py")


def test_how_a_script_is_called_is_shown():
    text = (
        source("sh", "x")
        + '\nif [ -z "$1" ]; then echo "usage: $0 deploy|undo [--to N]"; exit 64; fi\n'
    )
    assert "usage: $0 deploy|undo [--to N]" in shown(text, "steps.sh")
