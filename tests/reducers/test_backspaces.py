"""Backspaces take what stands before them, however many there are."""

from __future__ import annotations

import pytest

from flowctx.reducers.terminal import clean

LONG = "0123456789" * 20


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        ("ab\b\bc", "c"),
        ("\b\bab\b", "a"),
        (f"{LONG}xy\b\b", LONG),
        (f"{LONG}\b\b\b\b\bz", f"{LONG[:-5]}z"),
        (f"\b{LONG}a\bb\b\bc", f"{LONG[:-1]}c"),
    ],
)
def test_a_backspace_takes_one_character(typed, left):
    """The same where they are dense and where they are few."""
    assert clean(f"first\n{typed}\nlast")[0] == f"first\n{left}\nlast"
