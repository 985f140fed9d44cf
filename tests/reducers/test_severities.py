"""Findings of scanners: the severe ones are told with their places."""

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output


def _finding(number: int, severity: str) -> str:
    return (
        f">> Issue: [B{100 + number % 3}:check] Something was found in part {number}.\n"
        f"   Severity: {severity}   Confidence: High\n"
        f"   More Info: https://scanner.example/b{100 + number % 3}\n"
        f"   Location: src/part{number}.py:{number * 3}:8\n"
        f"{number * 3}\t    assert isinstance(msg{number}, bytes)\n"
        f"{number * 3 + 1}\t    return len(msg{number})\n\n{'-' * 50}\n"
    )


def _reduce(severities: list[str]) -> str:
    text = "Test results:\n" + "".join(_finding(n, each) for n, each in enumerate(severities, 1))
    text += f"Total issues (by severity):\n\tLow: {severities.count('Low')}\n"
    text += f"\tMedium: {severities.count('Medium')}\n\tHigh: {severities.count('High')}\n"
    made = reduce_output(ToolOutput(text, "exec", "scan -r src", exit_code=1))
    assert isinstance(made, Reduction)
    return made.body


def test_severe_findings_are_told_with_their_places() -> None:
    """What it is, how severe and where stand together, among many mild ones."""
    severities = ["Low"] * 40
    severities[17] = severities[31] = "High"
    body = _reduce(severities)
    for number in (18, 32):
        assert f"found in part {number}." in body
        assert f"src/part{number}.py:{number * 3}:8" in body
    assert "High: 2" in body


def test_a_few_milder_findings_are_told_too() -> None:
    """Those between the severe and the many are no less odd."""
    severities = ["Low"] * 40
    severities[9], severities[25] = "Medium", "High"
    body = _reduce(severities)
    assert "src/part10.py:30:8" in body
    assert "src/part26.py:78:8" in body


def test_where_all_are_severe_none_is_set_apart() -> None:
    """A severity that all have tells nothing apart, and the view stays small."""
    assert len(_reduce(["High"] * 60)) < 4000
