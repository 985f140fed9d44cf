"""Lines that match: a literal text, or an expression in time linear to the text.

Expressions run on RE2, which has no backtracking: whatever a model writes, a
search ends (https://github.com/google/re2/wiki/WhyRE2).
"""

import re
from collections.abc import Callable

from flowctx.excerpt.parts import MOST_CONTEXT, Entry, Lines, Mark, Selection, UnusablePartError

try:
    import re2
except ImportError:  # pragma: no cover - a platform without the wheel
    re2 = None

_EXPRESSION = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_RETURN = re.compile(rb"\r$", re.MULTILINE)
_MOST_PATTERN_CHARS = 1_000
# What RE2 may use for one expression; larger ones are refused.
_MEMORY_BYTES = 4 * 1024 * 1024
# A line longer than this is shown around its first hit.
_LINE_CHARS, _BEFORE_HIT = 600, 200

Find = Callable[[str], int]


def select_matches(selection: Selection, pattern: str, context: int) -> Selection:
    """Keep the entries that match, with some around them; a table's head stays.

    Args:
        selection: where to look.
        pattern: a literal text, or `/expression/`.
        context: entries to keep before and behind each match.

    Raises:
        UnusablePartError: the expression cannot be used.
    """
    if len(pattern) > _MOST_PATTERN_CHARS:
        message = f"The pattern is too long: at most {_MOST_PATTERN_CHARS:,} characters."
        raise UnusablePartError(message)
    expression = _EXPRESSION.fullmatch(pattern)
    hits = (
        _expression_hits(selection, _compiled(*expression.groups()))
        if expression
        else _literal_hits(selection, pattern)
    )
    note = ""
    if not hits and not expression:
        hits = _literal_hits(selection, pattern.lower(), str.lower)
        note = "no line has it in this spelling; found without regard to case" if hits else ""
    near = min(max(context, 0), MOST_CONTEXT)
    return Selection(_around(selection, hits, near), selection.unit, selection.total, note)


def _compiled(source: str, flags: str) -> "re2._Regexp":
    if re2 is None:  # pragma: no cover - a platform without the wheel
        message = "Expressions are not available on this machine: pass a plain text."
        raise UnusablePartError(message)
    options = re2.Options()
    options.max_mem, options.log_errors = _MEMORY_BYTES, False
    options.case_sensitive = "i" not in flags
    # Each line is a text of its own.
    options.never_nl = True
    try:
        return re2.compile(f"(?m){source}", options)
    except (re2.error, UnicodeEncodeError) as error:
        message = f"The expression cannot be used ({_said(error)}). RE2 syntax; no look-around."
        raise UnusablePartError(message) from error


def _expression_hits(selection: Selection, compiled: "re2._Regexp") -> dict[int, int]:
    """Where an expression matches: the lines of a text in one run, from hit to hit."""
    entries = selection.entries
    if not isinstance(entries, Lines):
        return _hits(selection, lambda text: _start(compiled, text))
    # RE2 reads UTF-8: a lone surrogate has none, and stands as a question mark.
    data = "\n".join(entries.texts).encode("utf-8", "replace")
    hits = _hits_in(data, compiled)
    if b"\r" in data:
        # The end of a line is where it is shown to be, before a return or behind it.
        hits = _hits_in(_RETURN.sub(b"", data), compiled) | hits
    return hits


def _hits_in(data: bytes, compiled: "re2._Regexp") -> dict[int, int]:
    hits: dict[int, int] = {}
    line = start = 0
    while start <= len(data) and (found := compiled.search(data, start)):
        line += data.count(b"\n", start, found.start())
        begin = data.rfind(b"\n", 0, found.start()) + 1
        hits[line] = len(data[begin : found.start()].decode("utf-8", "replace"))
        end = data.find(b"\n", found.start())
        if end < 0:
            break
        line, start = line + 1, end + 1
    return hits


def _start(compiled: "re2._Regexp", text: str) -> int:
    try:
        found = compiled.search(text)
    except UnicodeEncodeError:
        # RE2 reads UTF-8: a lone surrogate has none, and stands as a question mark.
        found = compiled.search(text.encode("utf-8", "replace").decode("utf-8"))
    return found.start() if found else -1


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    return (said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said))[:120]


def _literal_hits(
    selection: Selection, pattern: str, fold: Callable[[str], str] = str
) -> dict[int, int]:
    """Where a literal text is: the lines of a text in one run, from hit to hit."""
    entries = selection.entries
    if not isinstance(entries, Lines) or "\n" in pattern:
        return _hits(selection, lambda text: fold(text).find(pattern))
    text = fold("\n".join(entries.texts))
    hits: dict[int, int] = {}
    line = start = 0
    while (found := text.find(pattern, start)) >= 0:
        line += text.count("\n", start, found)
        hits[line] = found - text.rfind("\n", 0, found) - 1
        end = text.find("\n", found)
        if end < 0:
            break
        line, start = line + 1, end + 1
    return hits


def _hits(selection: Selection, find: Find) -> dict[int, int]:
    """Where in `entries` a match is, and where in its text."""
    entries = selection.entries
    if isinstance(entries, Lines):
        places = ((at, find(text)) for at, text in enumerate(entries.texts))
    else:
        places = ((at, find(e.text)) for at, e in enumerate(entries) if e.mark != "head")
    return {at: place for at, place in places if place >= 0}


def _around(selection: Selection, hits: dict[int, int], context: int) -> list[Entry]:
    last = len(selection.entries)
    wanted = {n for at in hits for n in range(max(at - context, 0), min(at + context + 1, last))}
    wanted.update(at for at, entry in enumerate(selection.entries[:2]) if entry.mark == "head")
    return [_shown(selection.entries[at], hits.get(at)) for at in sorted(wanted)]


def _shown(entry: Entry, place: int | None) -> Entry:
    mark: Mark = entry.mark if entry.mark == "head" else "near" if place is None else "hit"
    skip = max((place or 0) - _BEFORE_HIT, 0) if len(entry.text) > _LINE_CHARS else 0
    text = entry.text[skip : skip + _LINE_CHARS]
    if skip + len(text) < len(entry.text):
        text += f"[… {len(entry.text) - skip - len(text):,} characters more]"
    return Entry(entry.number, text, mark, entry.skipped + skip)
