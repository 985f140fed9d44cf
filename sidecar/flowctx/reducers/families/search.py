"""Search results: definitions before uses, odd hits raw, counts per file.

A hit is shown whole or not at all, so a path and line number always stand
with their own text.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case
from flowctx.reducers.definitions import definitions
from flowctx.reducers.draft import Draft
from flowctx.reducers.families.family import Family
from flowctx.reducers.names import names_room, tell_names
from flowctx.reducers.rarity import excess, word_rarity
from flowctx.reducers.select import CLIP_CHARS, Budget, Layout, Window, choose_lines, draft_lines

# path:line:text and path:line:column:text; path-line-text for context; path:text
# where lines were not asked for.
_HIT = re.compile(r"((?:[A-Za-z]:[\\/])?[^\s:]+):(\d+):(?:(\d+):)?")
_CONTEXT = re.compile(r"(\S+?)-(\d+)-")
_UNNUMBERED = re.compile(r"([^\s:]+):(?!\d+(?::|$))")
# A path has a folder or an ending, which a time of day has not.
_PATH = re.compile(r".*(?:[/\\]|\.[A-Za-z]\w{0,9}$)")
_UNDER_HEADING = re.compile(r"(\d+)([:-])")
_SEPARATOR = re.compile(r"--$|Found \d+ (?:files?|matches|lines|results)")
_DIAGNOSTIC = re.compile(
    r"\s*(?:fatal )?(?:error|warning|note|info|hint|[A-Z]{1,6}\d{2,5}|required from|recursively)\b"
    r"|.{0,200}\(\d{1,3}% confidence",
    re.IGNORECASE,
)
_SEARCHERS = frozenset({"grep", "rg", "ag", "ack", "egrep", "fgrep", "zgrep", "findstr", "Grep"})
_MIN_SHARE, _MIN_SAMPLED = 0.8, 0.3
_MAX_DIAGNOSTICS = 0.3
_MIN_HITS = 5
_MAX_PATH_CHARS = 400
_STRONG_RANK, _WEAK_RANK, _ODD_RANK = 75.0, 40.0, 24.0
_BITS_WEIGHT = 6.0
# Lines that are no hits: at the ends they say what was searched, or how much was found.
_OTHER_RANK, _END_RANK, _END_LINES = 20.0, 120.0, 3
_NAMED_FILES = 5
_HEADINGS_SHARE = 0.75
_WINDOW_BEFORE, _WINDOW_AFTER = 60, 140


class Hit(NamedTuple):
    """A line of search results.

    Attributes:
        at: its line in the text.
        path: file it was found in; empty where a heading names it.
        text: what the file has there.
        is_context: shown around a hit and not found itself.
        is_heading: the path itself, over its hits.
    """

    at: int
    path: str
    text: str
    is_context: bool
    is_heading: bool = False


def _draft(case: Case, hits: list[Hit]) -> Draft | None:
    note = _describe(hits)
    ranks = _rank(case, hits)
    room = case.room - len(note) - 3
    headings = {hit.at: ranks[hit.at] for hit in hits if hit.is_heading}
    chosen, aside = _choose(case, ranks, headings, room)
    chosen -= _without_heading(hits, chosen)
    notes = {-1: note}
    hidden = [at for at in sorted(headings) if at not in chosen]
    if told := tell_names([case.document.lines[at] for at in hidden], aside):
        notes[hidden[0]] = told
    windows = list(_match_windows(case, hits))
    return draft_lines(case.document, "search", chosen, Layout(notes, windows))


def _choose(
    case: Case, ranks: Mapping[int, float], headings: Mapping[int, float], room: int
) -> tuple[frozenset[int], int]:
    """Lines to show, every heading as far as that leaves room for hits, and room for its name."""
    named = choose_lines(case.document, headings, int(room * _HEADINGS_SHARE))
    aside = 0
    if len(named) < len(headings):
        aside = names_room([case.document.lines[at] for at in headings], room, are_first=True)
        named = frozenset() if aside else named
    return Budget(case.document, room - aside).choose(ranks, kept=named), aside


def _find(case: Case) -> list[Hit] | None:
    """The hits of a text that is a list of hits; None for other texts."""
    lines = case.document.lines
    readers = [(_HIT, _numbered), (_UNDER_HEADING, _headed)]
    if case.words_of_command & _SEARCHERS or case.output.tool in _SEARCHERS:
        readers.append((_UNNUMBERED, _unnumbered))
    for pattern, read in readers:
        if len(case.filled) < _MIN_HITS or case.sampled_share(pattern) < _MIN_SAMPLED:
            continue
        hits = list(read(lines))
        others = sum(1 for at in case.filled if _SEPARATOR.match(lines[at]))
        found = sum(1 for hit in hits if hit.text)
        reports = sum(1 for hit in hits if _DIAGNOSTIC.match(hit.text))
        is_list = len(hits) >= _MIN_SHARE * (len(case.filled) - others) and found >= _MIN_HITS
        if is_list and found >= len(hits) / 3 and reports < _MAX_DIAGNOSTICS * len(hits):
            return hits
    return None


def _numbered(lines: Sequence[str]) -> Iterator[Hit]:
    for at, line in enumerate(lines):
        match = _HIT.match(line, 0, _MAX_PATH_CHARS)
        is_context = match is None
        match = match or _CONTEXT.match(line, 0, _MAX_PATH_CHARS)
        if match and _PATH.match(match.group(1)):
            yield Hit(at, match.group(1), line[match.end() :], is_context)


def _unnumbered(lines: Sequence[str]) -> Iterator[Hit]:
    for at, line in enumerate(lines):
        match = _UNNUMBERED.match(line, 0, _MAX_PATH_CHARS)
        if match and _PATH.match(match.group(1)):
            yield Hit(at, match.group(1), line[match.end() :], is_context=False)


def _headed(lines: Sequence[str]) -> Iterator[Hit]:
    """Hits under a line with their file's path; the path counts as a hit of its own."""
    path = ""
    for at, line in enumerate(lines):
        match = _UNDER_HEADING.match(line)
        if match and path:
            yield Hit(at, path, line[match.end() :], match.group(2) == "-")
        elif len(line) < _MAX_PATH_CHARS and " " not in line and _PATH.match(line):
            path = line
            yield Hit(at, path, "", is_context=True, is_heading=True)


def _rank(case: Case, hits: Sequence[Hit]) -> dict[int, float]:
    total = len(case.document.lines)
    bits = excess(word_rarity([hit.text for hit in hits]))
    per_file = Counter(hit.path for hit in hits)
    strong, weak = definitions()
    defined = sum(1 for hit in hits if strong.match(hit.text.lstrip()))
    is_rare = defined <= max(8, total // 10)
    ranks: dict[int, float] = {}
    seen: set[str] = set()
    for hit, over in zip(hits, bits, strict=True):
        text = hit.text.lstrip()
        rank = _ODD_RANK * 0.5 + _BITS_WEIGHT * over + 4.0 * (1 - hit.at / total)
        if strong.match(text):
            rank += _STRONG_RANK if is_rare else _STRONG_RANK / 3
        elif weak.match(text):
            rank += _WEAK_RANK / 2
        if hit.path not in seen:
            rank += 8.0 + 4.0 / per_file[hit.path]
        if hit.is_context or len(text) > CLIP_CHARS:
            rank *= 0.4
        seen.add(hit.path)
        ranks[hit.at] = rank
    _keep_headings(hits, ranks)
    others = set(range(total)) - {hit.at for hit in hits}
    ends = {*case.filled[:_END_LINES], *case.filled[-_END_LINES:]}
    return ranks | {
        at: _END_RANK if at in ends else _OTHER_RANK
        for at in others
        if case.document.lines[at].strip(" -")
    }


def _keep_headings(hits: Sequence[Hit], ranks: dict[int, float]) -> None:
    """A path that stands over its hits is worth as much as the best of them."""
    heading = -1
    for hit in hits:
        if hit.is_heading:
            heading = hit.at
        elif heading >= 0:
            ranks[heading] = max(ranks[heading], ranks[hit.at] + 0.1)


def _without_heading(hits: Sequence[Hit], chosen: Collection[int]) -> set[int]:
    """Hits whose heading is not chosen: they would seem to be of the file above."""
    heading, lone = -1, set()
    for hit in hits:
        heading = hit.at if hit.is_heading else heading
        if heading >= 0 and heading not in chosen:
            lone.add(hit.at)
    return lone


def _describe(hits: Sequence[Hit]) -> str:
    found = Counter(hit.path for hit in hits if not hit.is_context)
    most = ", ".join(f"{path} {count}" for path, count in found.most_common(_NAMED_FILES))
    return f"{sum(found.values())} hits in {len(found)} files; most in {most}"


def _match_windows(case: Case, hits: Sequence[Hit]) -> Iterator[Window]:
    """Where the words of the command stand in hits too long to be shown whole."""
    words = [word for word in case.words_of_command if len(word) >= 4]
    for hit in hits:
        line = case.document.lines[hit.at]
        if len(line) <= CLIP_CHARS:
            continue
        found = [at for at in (line.find(word, len(hit.path)) for word in words) if at >= 0]
        if found:
            at = case.document.starts[hit.at] + min(found)
            end = case.document.line_end(hit.at)
            yield Window(max(at - _WINDOW_BEFORE, 0), min(at + _WINDOW_AFTER, end))


FAMILY = Family("search", _find, _draft, looks_for="at least 5 hits that name file and line")
