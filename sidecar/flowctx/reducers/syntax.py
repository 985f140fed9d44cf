"""Outlines of source code: which lines import, declare, sign or document."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from flowctx.reducers.attributes import attributes_of, row_behind
from flowctx.reducers.bodies import without_bodies
from flowctx.reducers.declarations import assigns, body_of, holds_function, is_braced, last_function
from flowctx.reducers.document import indent_of
from flowctx.reducers.languages import Language, load_grammar

EntryKind = Literal["import", "signature", "constant", "attribute", "doc"]

_CUT_ERROR_SHARE = 0.15
# Lines that are tried first, the share of errors that their end may cost, and whether one of
# them must sign something.
_SAMPLES = ((60, _CUT_ERROR_SHARE, False), (600, 0.03, True))
_SAMPLE_CHARS = 20_000
# Steps the parser reports: well-formed code takes about 5 per kilobyte, of short lines 15.
_STEPS_PER_KB, _MIN_STEPS = 20, 100
_CHUNK_BYTES = 65_536
_MAX_BYTES = 1_000_000
# Longer signatures are shown by their first lines.
_MAX_HEAD_LINES = 10
_MAX_DEPTH = 12
_MAX_LINE_CHARS = 500
# What only gives what is in it a longer name.
_NAMESPACES = frozenset(
    {"module", "internal_module", "namespace_definition", "namespace_declaration", "mod_item"}
)
# A declaration with decorators before it; what it declares is told by itself.
_DECORATED = "decorated_definition"
_TEST_CALL = re.compile(rb"(?:describe|it|test|suite|context|beforeEach|afterEach)\b[\w.]*\(")
_DOC = re.compile(r"\s*(?:/\*\*|///?|#|--|\*|\"\"\"|'''|r\"\"\")")
_EMPTY_DOC = re.compile(r"\s*(?:/\*\*?|\"\"\"|'''|\*/|//+|#+|\*)\s*$")


class Entry(NamedTuple):
    """Lines [start, end] of an outline.

    Attributes:
        depth: how many declarations they stand in.
    """

    start: int
    end: int
    kind: EntryKind
    depth: int


def outline(lines: Sequence[str], language: Language, max_error_share: float) -> list[Entry] | None:
    """The outline of a text; None where too much of it is not written in the language."""
    if not language.grammar:
        return list(_outline_lines(lines, language))
    dedented = _dedented(lines)
    if not _sample_reads(dedented, language, max_error_share):
        return None
    source = without_bodies("\n".join(dedented), language.id).encode("utf-8", "replace")
    root = _parse(source, language)
    if root is not None and _error_share(root) > max_error_share and _closing(source):
        root = _parse(source + _closing(source), language)
    if root is None or _error_share(root) > max_error_share:
        return None
    entries = list(_walk(root, language, source))
    return entries + [doc for entry in entries for doc in _docs(lines, entry)]


def outline_of_piece(lines: Sequence[str], language: Language) -> list[Entry]:
    """Imports and signatures in a piece of a file, as far as the grammar reads it."""
    if not language.grammar:
        return []
    source = "\n".join(_dedented(lines)).encode("utf-8", "replace")
    root = _parse(source, language)
    found = _walk(root, language, source) if root is not None else ()
    return [entry for entry in found if entry.kind in ("import", "signature")]


def _sample_reads(lines: Sequence[str], language: Language, max_error_share: float) -> bool:
    """True where the grammar reads the beginning; recovery from errors is slow, so try little.

    A text that may well be something else is sampled earlier than a file of a known name,
    and of a long one more of it.
    """
    is_named = max_error_share > _CUT_ERROR_SHARE
    for count, slack, needs_signature in _SAMPLES[:1] if is_named else _SAMPLES:
        if len(lines) <= count * (4 if is_named else 2):
            return True
        sample = "\n".join(lines[:count])[:_SAMPLE_CHARS].encode("utf-8", "replace")
        sample += _closing(sample)
        root = _parse(sample, language)
        # The cut may still cost an error.
        if root is None or _error_share(root) > max_error_share + slack:
            return False
        found = (entry.kind for entry in _walk(root, language, sample))
        if needs_signature and "signature" not in found:
            return False
    return True


def _closing(source: bytes) -> bytes:
    """What closes what a cut leaves open: a class or comment makes one error of the whole."""
    closing = b"*/" if source.rfind(b"/*") > source.rfind(b"*/") else b""
    for quotes in (b'"""', b"'''"):
        closing = closing or (quotes if source.count(quotes) % 2 else b"")
    closing += b"}" * (source.count(b"{") - source.count(b"}"))
    closing += b"\n#endif" * (source.count(b"#if") - source.count(b"#endif"))
    return b"\n" + closing if closing else b""


def _parse(source: bytes, language: Language) -> Any:
    """The root of the syntax tree; None where reading takes far more steps than code does."""
    from tree_sitter import Parser

    if len(source) > _MAX_BYTES:
        return None
    allowed = _STEPS_PER_KB * len(source) // 1000 + _MIN_STEPS
    steps = itertools.count()

    def chunk(offset: int, point: object) -> bytes:
        del point
        return source[offset : offset + _CHUNK_BYTES]

    def is_hopeless(offset: int, has_error: bool) -> bool:
        del offset, has_error
        return next(steps) > allowed

    try:
        tree = Parser(load_grammar(*language.grammar)).parse(chunk, progress_callback=is_hopeless)
    except ValueError:
        return None
    return tree.root_node


def _dedented(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the indentation all of them share; only their rows matter."""
    depth = min((indent_of(x) for x in lines if x.strip()), default=0)
    return [line[depth:] for line in lines] if depth else lines


def _error_share(root: Any) -> float:
    if not root.has_error:
        return 0.0
    lost = sum(child.end_byte - child.start_byte for child in root.children if child.is_error)
    return float(lost / max(root.end_byte - root.start_byte, 1))


def _walk(root: Any, language: Language, source: bytes) -> Iterator[Entry]:
    pending = [(child, 0) for child in reversed(root.named_children)]
    while pending:
        node, depth = pending.pop()
        entry = _entry(node, language, source, depth)
        attributes = attributes_of(node, source) if entry else ()
        if entry and attributes:
            begin = row_behind(node, attributes)
            yield from _above(attributes, begin, depth)
            entry = _behind(entry, node, begin)
        if entry:
            yield entry
        is_level = entry and entry.kind == "signature" and node.type not in _NAMESPACES
        inner = depth + (1 if is_level else 0)
        if inner > _MAX_DEPTH:
            continue
        pending.extend((child, inner) for child in reversed(_inside(node, language, source)))


def _above(attributes: Sequence[Any], begin: int, depth: int) -> Iterator[Entry]:
    """The attributes in rows of their own, before the row that a signature begins in."""
    for each in attributes:
        if each.start_point.row < begin:
            last = min(int(each.end_point.row), begin - 1)
            yield Entry(int(each.start_point.row), last, "attribute", depth)


def _behind(entry: Entry, node: Any, begin: int) -> Entry | None:
    """The same entry from the row on that its signature begins in."""
    if node.type == _DECORATED:
        return None
    return entry._replace(start=begin, end=max(_head_end(node, entry.kind, begin), begin))


def _entry(node: Any, language: Language, source: bytes, depth: int) -> Entry | None:
    kind: EntryKind
    text = source[node.start_byte : node.start_byte + 80]
    if node.type in language.imports:
        if language.id == "ruby" and not text.startswith((b"require", b"include", b"extend")):
            # What a class says of itself: has_many, validates, attr_reader.
            row = int(node.start_point.row)
            return Entry(row, row, "constant", depth) if depth and text[:1].islower() else None
        return Entry(node.start_point.row, node.end_point.row, "import", depth)
    if node.type in language.signatures:
        has_body = body_of(node) is not None or b"(" in source[node.start_byte : node.end_byte]
        kind = (
            "signature"
            if has_body or node.type not in ("declaration", "field_declaration")
            else "constant"
        )
    elif node.type in language.constants:
        if holds_function(node) or _TEST_CALL.match(text):
            kind = "signature"
        elif node.type == "expression_statement" and not assigns(node):
            return None
        else:
            kind = "constant"
    else:
        return None
    first = int(node.start_point.row)
    return Entry(first, _head_end(node, kind, first), kind, depth)


def _inside(node: Any, language: Language, source: bytes) -> list[Any]:
    """Children to look into: declarations within declarations, not statements of bodies."""
    if node.type == "expression_statement":
        if not _TEST_CALL.match(source[node.start_byte : node.start_byte + 80]):
            return []
        function = last_function(node)
        body = body_of(function) if function else None
        return list(body.named_children) if body else []
    is_open = node.type in language.inside or node.is_error
    return list(node.named_children) if is_open else []


def _head_end(node: Any, kind: EntryKind, first: int) -> int:
    """Last row of a declaration without its body, which begins in a row."""
    last = int(node.end_point.row)
    body = body_of(node)
    if body is not None:
        before = body.prev_sibling
        while before is not None and before.type == "comment":
            before = before.prev_sibling
        # A brace belongs to the head; an indented block begins behind the last word of it.
        last = int(
            body.start_point.row if is_braced(body) or before is None else before.end_point.row
        )
    elif kind == "constant" or last - first > 3:
        last = first
    return min(last, first + _MAX_HEAD_LINES)


def _docs(lines: Sequence[str], entry: Entry) -> Iterator[Entry]:
    """First telling line of the comment above a declaration, or of the docstring in it."""
    if entry.kind != "signature":
        return
    below = entry.end + 1
    if below < len(lines) and lines[below].lstrip().startswith(('"""', "'''", 'r"""')):
        row = below + 1 if _EMPTY_DOC.match(lines[below]) and below + 1 < len(lines) else below
        yield Entry(row, row, "doc", entry.depth)
        return
    row = entry.start - 1
    while row >= 0 and _DOC.match(lines[row]) and entry.start - row < 60:
        row -= 1
    for at in range(row + 1, entry.start):
        if not _EMPTY_DOC.match(lines[at]):
            yield Entry(at, at, "doc", entry.depth)
            return


def _outline_lines(lines: Sequence[str], language: Language) -> Iterator[Entry]:
    kinds: tuple[EntryKind, ...] = ("import", "signature", "constant")
    sources = (language.imports, language.signatures, language.constants)
    patterns = [
        re.compile("|".join(f"(?:{source})" for source in each) or r"(?!)") for each in sources
    ]
    # Indentations of the signatures that a line stands in.
    within: list[int] = []
    for row, line in enumerate(lines):
        for kind, pattern in zip(kinds, patterns, strict=True):
            if pattern.match(line, 0, _MAX_LINE_CHARS):
                indent = indent_of(line)
                while within and within[-1] >= indent:
                    within.pop()
                yield Entry(row, row, kind, len(within))
                within += [indent] if kind == "signature" else []
                break
