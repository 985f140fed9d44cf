"""Messages of compilers and linters: what their severity and kind say, not their words."""

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.case import Case
from flowctx.reducers.diagnostics import Diagnostic, describe_codes, diagnostics
from flowctx.reducers.document import Document
from flowctx.reducers.pipeline import reduce_output

_FILLER = "".join(
    f"pkg/part{n}.py:{n}:8: W0707: Consider explicitly re-raising using 'raise ValueError(f{n})'\n"
    for n in range(1, 90)
)


def _read(text: str) -> list[Diagnostic]:
    output = ToolOutput(text)
    return list(diagnostics(Case(output, Document.read(text), 3000)))


@pytest.mark.parametrize(
    ("line", "severity", "kind"),
    [
        ("pkg/a.py:154:43: E1101: Instance of 'A' has no 'b' member (no-member)", 2, "E1101"),
        ("pkg/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)", 0, "C0114"),
        ("pkg/a.py:3:1: F401 'os' imported but unused", 2, "F401"),
        ("pkg/a.py:3:80: E501 line too long (91 > 79 characters)", 1, "E501"),
        ("src/a.ts(4,7): error TS2345: Argument of type 'x' is wrong.", 2, "TS2345"),
        ("pay.py:9: error: Incompatible types in assignment  [assignment]", 2, "assignment"),
        ("  12:7  warning  Unexpected any  @scope/no-explicit-any", 1, "@scope/no-explicit-any"),
        ("src/a.c:3:5: warning: unused variable 'n' [-Wunused-variable]", 1, "-Wunused-variable"),
        ('docs/cli.rst:193: ERROR: Unknown directive type "tabs".', 2, "Unknown directive type _."),
    ],
)
def test_a_message_has_a_severity_and_a_kind(line: str, severity: int, kind: str) -> None:
    """Levels, codes, rules and the letters of codes tell both."""
    read = _read(f"{line}\n" * 4)
    assert [(each.severity, each.kind) for each in read] == [(severity, kind)] * 4


def test_notes_and_plain_lines_are_no_messages() -> None:
    """What only explains a message, and what a search found, has no severity."""
    assert not _read("src/a.c:3:5: note: declared here\n" * 6)
    assert not _read("src/a.c:3: the error of this function (see below)\n" * 6)


def test_the_place_may_stand_in_the_line_above() -> None:
    """A place that ends with a colon belongs to the code below it."""
    read = _read("pkg/certs.py:3 at module level:\n        D100: Missing docstring\n" * 5)
    assert read[0] == Diagnostic((0, 1), 1, "D100", is_coded=True)
    assert len(read) == 5


def test_errors_are_counted_before_remarks() -> None:
    """The codes of errors come first, however few they are."""
    text = _FILLER + "pkg/z.py:1:0: E1101: no member\n" + "pkg/z.py:2:0: C0301: too long\n" * 9
    told = describe_codes(Case(ToolOutput(text), Document.read(text), 3000))
    assert told == "99 messages: E1101 1, W0707 89, C0301 9"


@pytest.mark.parametrize("command", ["pylint pkg", ""])
def test_an_error_is_kept_among_warnings_that_speak_of_errors(command: str) -> None:
    """The severity of a message ranks before the words in it."""
    error = "pkg/adapters.py:154:43: E1101: Instance of 'Base' has no '_limit' member (no-member)"
    at = _FILLER.index("pkg/part70")
    text = f"************* Module pkg\n{_FILLER[:at]}{error}\n{_FILLER[at:]}"
    made = reduce_output(ToolOutput(text, "exec", command, exit_code=30))
    assert isinstance(made, Reduction)
    assert error in made.body
    assert "E1101 1, W0707 89" in made.body


def test_messages_ruled_off_are_told_by_their_rules() -> None:
    """Of hundreds under heads like `a.ts:4:7 lint/style/useConst ━━━` each rule is shown."""
    said = [("lint/style/useConst", "!", "This let is only assigned once.")] * 120
    said[71] = ("lint/suspicious/noDebugger", "×", "This is an unexpected use of debugger.")
    lines = [
        f"src/m{n % 9}.ts:{n}:7 {rule}  FIXABLE  ━━━━━━\n\n  {mark} {words}\n\n  > {n} │ x{n};\n"
        for n, (rule, mark, words) in enumerate(said)
    ]
    text = "\n".join(
        [*lines, "Diagnostics not shown: 823.", "Found 1 error.", "Found 942 warnings."]
    )
    result = reduce_output(ToolOutput(text, "exec", "biome lint src", 1))
    assert isinstance(result, Reduction)
    assert "src/m8.ts:71:7 lint/suspicious/noDebugger" in result.body
    assert "× This is an unexpected use of debugger." in result.body
    assert "Diagnostics not shown: 823." in result.body
