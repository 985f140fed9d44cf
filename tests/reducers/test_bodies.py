"""A large source is outlined without the bodies of its functions."""

from __future__ import annotations

from flowctx.reducers import bodies
from flowctx.reducers.languages import named_language
from flowctx.reducers.syntax import outline

SOURCE = '''"""A module."""
import os

LIMIT = 3


class Lease:
    """A lease."""

    async def renew(
        self,
        days: int = 2,
    ) -> None:
        """Renew it."""
        def inner(a):
            return [a,
        b]

        self.days += days

    @property
    def text(self):
        return """
no indentation here:
def shown(): pass
"""


def last(a, b=LIMIT):
    # What is left.
    if a:
        return b

    return os.environ
'''


def test_the_outline_of_a_large_source_is_that_of_a_short_one(monkeypatch):
    """Strings and brackets that stay open, nested functions and heads of several lines included."""
    lines = SOURCE.split("\n")
    language = named_language(lines, "cat lease.py")
    assert language
    whole = outline(lines, language, 0.25)
    monkeypatch.setattr(bodies, "_MIN_CHARS", 0)
    assert whole and outline(lines, language, 0.25) == whole


def test_bodies_are_emptied_line_for_line(monkeypatch):
    """Every line keeps its number, and a body whose string stays open is left as it is."""
    monkeypatch.setattr(bodies, "_MIN_CHARS", 0)
    emptied = bodies.without_bodies(SOURCE, "python").split("\n")
    assert len(emptied) == len(SOURCE.split("\n"))
    assert emptied[SOURCE.split("\n").index("    # What is left.")] == " pass"
    assert "no indentation here:" in emptied
