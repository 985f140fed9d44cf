"""Large sources without the bodies of their functions, which no outline looks into."""

import re

# A body is what is indented deeper than the head above it.
_FUNCTION = re.compile(
    r"^([ \t]*)((?:async )?def [^\n]*:[ \t]*\n)((?:[ \t]*\n|\1[ \t]+[^\n]*(?:\n|\Z))++)",
    re.MULTILINE,
)
_QUOTES, _BRACKETS = ('"""', "'''"), (("(", ")"), ("[", "]"), ("{", "}"))
# Shorter sources are read as they are.
_MIN_CHARS = 100_000


def without_bodies(source: str, language: str) -> str:
    """A source with as many lines, whose functions do nothing; only of Python, and if it is large.

    A body in which a string or a bracket stays open may go on below, and stays as it is.
    """
    if language != "python" or len(source) < _MIN_CHARS:
        return source
    return _FUNCTION.sub(_emptied, source)


def _emptied(function: re.Match[str]) -> str:
    indent, head, body = function[1], function[2], function[3]
    is_whole = all(body.count(quotes) % 2 == 0 for quotes in _QUOTES) and all(
        body.count(opening) == body.count(closing) for opening, closing in _BRACKETS
    )
    lines = "\n" * body.count("\n")
    return f"{indent}{head}{indent} pass{lines}" if is_whole else function.group()
