"""Tables whose columns stand below each other, as `ps`, `df` and `kubectl` print them.

Columns are parted where every line has a blank. What a wide value pushed aside is
parted at its blanks, where each row has as many of them as the head has.
"""

from collections.abc import Iterator, Sequence

# No column begins further to the right than this.
_MOST_CHARS = 4_000
_BLANKS = bytes(0x30 if sign == 0x20 else 0x31 for sign in range(256))

Span = tuple[int, int | None]
Cells = list[list[str]]


def read_aligned(text: str) -> Cells:
    """The rows of a table, the head first; none where its columns are not aligned."""
    lines = [line.rstrip().expandtabs() for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return []
    spans = list(_joined(lines, list(_spans(lines))))
    columns = [each for span in spans for each in _parted([_cell(line, span) for line in lines])]
    if len(columns) < 2 or (len(columns) == 2 and not _is_apart(lines, spans)):
        return []
    return [list(row) for row in zip(*columns, strict=True)]


def _spans(lines: Sequence[str]) -> Iterator[Span]:
    """Stretches between blanks that all lines have."""
    width = min(max(map(len, lines)), _MOST_CHARS)
    taken = 0
    for line in lines:
        signs = line[:width].encode("latin-1", "replace").translate(_BLANKS)
        taken |= int(signs.ljust(width, b"0"), 2)
    row = f"{taken:0{width}b}"
    start = row.find("1")
    while start >= 0:
        end = row.find("0", start)
        following = row.find("1", end) if end >= 0 else -1
        yield start, following if following >= 0 else None
        start = following


def _joined(lines: Sequence[str], spans: Sequence[Span]) -> Iterator[Span]:
    """Columns: what has no head, or below its head nothing, goes with the one before it."""
    held: Span | None = None
    for span in spans:
        is_said = any(_cell(line, span) for line in lines[1:])
        is_word = lines[0][span[0] - 1 : span[0]] == " " and lines[0][span[0] - 2 :][:1] != " "
        goes_on = not _cell(lines[0], span) or (not is_said and is_word)
        if held and goes_on:
            held = held[0], span[1]
        else:
            if held:
                yield held
            held = span
    if held:
        yield held


def _parted(cells: Sequence[str]) -> Sequence[Sequence[str]]:
    """One column, or as many as its head has words where each row has a value for each."""
    words = len(cells[0].split())
    if words < 2 or not all(len(cell.split()) == words for cell in cells):
        return [cells]
    return list(zip(*(cell.split() for cell in cells), strict=True))


def _is_apart(lines: Sequence[str], spans: Sequence[Span]) -> bool:
    """True where two blanks or more are between two columns: prose has none."""
    start = spans[1][0] if len(spans) > 1 else 0
    return start > 1 and all(not line[start - 2 : start].strip() for line in lines)


def _cell(line: str, span: Span) -> str:
    return line[span[0] : span[1]].strip()
