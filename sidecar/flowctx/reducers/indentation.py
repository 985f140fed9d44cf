"""Texts whose structure is their indentation: settings, manifests, specifications.

Read line by line, without the grammar of one format: fragments and templates
that no parser takes have the same structure, and no alias or nesting can blow
it up.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.columns import judge_column
from flowctx.reducers.document import indent_of
from flowctx.reducers.sayings import telling_rows
from flowctx.reducers.shapes import mask_text

_DASHES = re.compile(r"(?:- +)+")
_SEPARATOR = re.compile(r":(?=\s|$)|=>?(?!=)")
_MAX_KEY_CHARS, _MAX_KEY_WORDS = 80, 4
_MAX_GROUP_SCORE, _SELDOM_BITS = 14.0, 0.5
# What each point tells that a text has over the usual.
_SAID_BITS = 0.3
_DIGITS = re.compile(r"\d+")
_MIN_GROUP, _FEW_VALUES = 5, 6
# Builds of values are compared from this many on; rare ones take this part of them at most.
_MIN_BUILDS, _DOTTED_SHARE = 30, 0.8
_RARE_BUILD, _USUAL_BUILDS = 0.03, 0.8


class Row(NamedTuple):
    """A line with its place in the structure.

    Attributes:
        at: index of the line.
        depth: how many lines it stands under.
        parent: index of the line it stands under; -1 at the top.
        key: its key without quotes; empty where it has none.
        value: what follows the key.
    """

    at: int
    depth: int
    parent: int
    key: str
    value: str


def read_rows(lines: Sequence[str]) -> list[Row]:
    """The lines that hold something, with what they stand under."""
    rows: list[Row] = []
    open_rows: list[tuple[int, int, int]] = []  # indentation, line, depth
    for at, line in enumerate(lines):
        stripped = line.strip()
        if not stripped:
            continue
        if stripped in ("---", "..."):
            open_rows.clear()
            rows.append(Row(at, 0, -1, "", ""))
            continue
        indent = indent_of(line)
        is_section = stripped.startswith("[") and stripped.endswith("]")
        while open_rows and (open_rows[-1][0] >= indent):
            open_rows.pop()
        if is_section:
            open_rows.clear()
        parent, depth = (open_rows[-1][1], open_rows[-1][2] + 1) if open_rows else (-1, 0)
        key, value = _split(stripped)
        rows.append(Row(at, depth, parent, key, value))
        # Keys of a TOML or INI section are not indented, and stand under it all the same.
        open_rows.append((-1 if is_section else indent, at, depth))
    return rows


def odd_values(rows: Sequence[Row]) -> dict[int, float]:
    """Lines whose value, or whose key, is unusual among lines of the same place; in bits."""
    scores: dict[int, float] = {}
    for group in _groups(rows):
        values = [row.value for row in group]
        column = judge_column("", values)
        said = telling_rows([column], [values])
        told = {at: _SAID_BITS * over for at, over in said.items()}
        found = dict.fromkeys(column.seldom, _SELDOM_BITS) | told | column.scores
        for position, bits in found.items():
            at = group[position].at
            scores[at] = max(scores.get(at, 0.0), min(bits, _MAX_GROUP_SCORE))
    for row, bits in (*_odd_builds(rows), *_odd_among(rows)):
        scores[row.at] = max(scores.get(row.at, 0.0), bits)
    return scores


def _odd_builds(rows: Sequence[Row]) -> Iterator[tuple[Row, float]]:
    """Values built unlike nearly all others of their depth: an address among words."""
    for depth in sorted({row.depth for row in rows}):
        group = [row for row in rows if row.depth == depth and row.value]
        if len(group) < _MIN_BUILDS:
            continue
        builds = mask_text("\n".join(row.value for row in group)).split("\n")
        counts = Counter(builds)
        usual = sum(count for count in counts.values() if count > len(group) * _RARE_BUILD)
        if usual >= _USUAL_BUILDS * len(group):
            for row, build in zip(group, builds, strict=True):
                if counts[build] <= len(group) * _RARE_BUILD:
                    yield row, math.log2(len(group) / counts[build]) / 2


def _odd_among(rows: Sequence[Row]) -> Iterator[tuple[Row, float]]:
    """Values unlike all others of their depth, where nearly all are numbers or few differ."""
    for depth in sorted({row.depth for row in rows}):
        group = [row for row in rows if row.depth == depth and row.value]
        if len(group) < _MIN_BUILDS:
            continue
        column = judge_column("", [row.value for row in group])
        if column.kind == "number" or column.distinct <= _FEW_VALUES:
            for at, bits in column.scores.items():
                yield group[at], min(bits, _MAX_GROUP_SCORE)


def rare_keys(rows: Sequence[Row]) -> dict[int, float]:
    """Lines whose key stands once at a depth where most keys repeat; in bits."""
    keys = Counter((row.depth, row.key) for row in rows if row.key)
    held, repeated = Counter[int](), Counter[int]()
    for (depth, _), count in keys.items():
        held[depth] += count
        repeated[depth] += count if count >= _MIN_GROUP else 0
    bits = float(max(len(rows).bit_length() - 3, 1))
    return _rare_sections(rows) | {
        row.at: bits
        for row in rows
        if row.key
        and keys[row.depth, row.key] == 1
        and repeated[row.depth] >= 0.6 * held[row.depth]
    }


def _rare_sections(rows: Sequence[Row]) -> dict[int, float]:
    """Lines whose dotted key begins as hardly any other does, where nearly all keys are dotted."""
    keyed = [row for row in rows if row.key and row.depth == 0]
    sections = [row.key.partition(".") for row in keyed]
    dotted = sum(1 for _, dot, _ in sections if dot)
    if len(keyed) < _MIN_BUILDS or dotted < _DOTTED_SHARE * len(keyed):
        return {}
    column = judge_column("", [section for section, _, _ in sections])
    return {keyed[at].at: min(bits, _MAX_GROUP_SCORE) for at, bits in column.scores.items()}


def _split(stripped: str) -> tuple[str, str]:
    """Key and value of a line; a line without a key is all value."""
    if stripped[0] in "#;" or stripped.startswith("//"):
        return "", stripped
    dashes = _DASHES.match(stripped)
    body = stripped[dashes.end() :] if dashes else stripped
    if body.startswith("[") and body.endswith("]"):
        return body, ""
    separator = _SEPARATOR.search(body, 0, _MAX_KEY_CHARS)
    if separator is None:
        # A block opens without a separator in some formats: server { ... }
        return (body[:-1].strip(), "") if body.endswith("{") else ("", stripped)
    key = body[: separator.start()].strip()
    if key[:1] in ('"', "'") and key[-1:] == key[:1]:
        key = key.strip(key[0])
    if not key or len(key.split()) > _MAX_KEY_WORDS:
        return "", stripped
    return key, body[separator.end() :].strip().rstrip(", {")


def _groups(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Lines of the same place: same key under the same parent key, and same key and depth.

    Keys that differ by their numbers alone are the same: rx_queue_7_drops.
    """
    by_line = {row.at: row for row in rows}
    groups: defaultdict[tuple[str | int, str], list[Row]] = defaultdict(list)
    for row in rows:
        parent = by_line.get(row.parent)
        groups[parent.key if parent else "", row.key].append(row)
        groups[row.depth, row.key].append(row)
        if row.key and not row.key.isalpha() and (alike := _DIGITS.sub("0", row.key)) != row.key:
            groups[row.depth, alike].append(row)
    # Where a key has one parent only, its two groups are the same.
    distinct = {(group[0].at, group[-1].at, len(group)): group for group in groups.values()}
    yield from (group for group in distinct.values() if len(group) >= _MIN_GROUP)
