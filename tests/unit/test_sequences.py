"""What is told of columns in which each value stands once."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from flowctx.reducers.sequences import remark


def _remark(values: list[str]) -> tuple[str, list[int]]:
    said = remark(values, Counter(values))
    return said.text, list(said.beside)


def test_number_missing_from_names() -> None:
    """Names that differ by a number alone are a run, whatever zeros it begins with."""
    names = [f"part-{number:04d}.gz" for number in range(90, 120) if number != 101]
    assert _remark(names) == ("101 missing", [10, 11])


def test_number_missing_among_padded_numbers() -> None:
    """Zeros before a number hide no gap."""
    assert _remark([f"{number:05d}" for number in range(40) if number != 7])[1] == [6, 7]


def test_names_that_differ_by_more_noop() -> None:
    """Two series of names are no run."""
    names = [f"{'ab'[number % 2]}-{number}" for number in range(30) if number != 9]
    assert _remark(names) == ("", [])


@given(st.integers(0, 10**6), st.integers(12, 60), st.sampled_from(["", "job-", "a/b-"]))
def test_whole_run_has_nothing_missing(first: int, count: int, head: str) -> None:
    """A run without gaps is never said to have one."""
    assert _remark([f"{head}{number}" for number in range(first, first + count)]) == ("", [])


@given(st.integers(12, 60), st.data())
def test_every_lone_gap_is_told(count: int, data: st.DataObject) -> None:
    """One number left out inside a run is always named, with the rows beside it."""
    gone = data.draw(st.integers(1, count - 2))
    names = [f"job-{number}" for number in range(count) if number != gone]
    assert _remark(names) == (f"{gone} missing", [gone - 1, gone])
