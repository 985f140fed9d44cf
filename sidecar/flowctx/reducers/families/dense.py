"""Text nobody reads: minified bundles, base64, hex dumps; size, kind, names, head and tail."""

import base64
import binascii
import itertools
import re
from collections.abc import Iterator

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.facts import cue_windows, cues_are_common
from flowctx.reducers.families.csv import delimiter_of
from flowctx.reducers.families.family import Family
from flowctx.reducers.names import fitting_names
from flowctx.reducers.programs import is_timed
from flowctx.reducers.ranking import FILLER_RANK, rank_report
from flowctx.reducers.select import Layout, choose_lines, draft_lines

_DENSE_CHARS = 500
_MIN_ENCODED = 40
_MIN_SHARE = 0.7
_MAX_SPACES = 0.12
_LOG_SHARE, _MIN_LONG_LINES = 0.75, 10
_BASE64_LINE = re.compile(r"(?:data:[\w/+.;=-]+,)?[A-Za-z0-9+/_-]{60,}={0,2}\s*")
_HEX_LINE = re.compile(r"[0-9A-Fa-f]{6,16}:?\s+(?:[0-9A-Fa-f]{2,8}\s+){4,}.*|[0-9A-Fa-f]{64,}")
_DATA_URI = re.compile(r"data:([\w/+.-]+);base64,")
# Words of scripts, each known by its first letter, which searches run through a text by.
_SCRIPT = re.compile(r"=>|f(?<!\w.)unction\b|v(?<!\w.)ar \w|c(?<!\w.)onst \w|r(?<!\w.)eturn\b")
_STYLE = re.compile(r"[.#][\w-]+\{[^{}]*:[^{}]*\}")
# How a bundle gives names to what it offers; one-letter names are the minifier's.
_NAMES = (
    re.compile(r"\bexports\.([A-Za-z_$][\w$]+)\s*="),
    re.compile(r"\bexport\s*\{([^{}]{1,2000})\}"),
    re.compile(r"\bexport (?:default )?(?:async )?(?:function\*?|class|const|let|var) ([\w$]{2,})"),
    re.compile(r"\bmodule\.exports\s*=\s*([\w$]{2,})"),
    re.compile(r"\b(?:window|globalThis|global|self|root)\.([A-Z][\w$]+)\s*="),
    re.compile(r"\bclass ([A-Z][\w$]{2,})"),
    re.compile(r"\bfunction ([a-zA-Z_$][\w$]{3,})\("),
    re.compile(r"\.prototype\.([a-zA-Z][\w$]{2,})\s*="),
)
_NAME = re.compile(r"[\w$]{2,}")
_NAMES_CHARS = 1500
_MAGIC = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"\x7fELF", "ELF"),
    (b"RIFF", "RIFF"),
    (b"{", "JSON"),
    (b"<", "markup"),
)


def _find(case: Case) -> str | None:
    return _kind(case) or None


def _draft(case: Case, kind: str) -> Draft | None:
    note = _describe(case, kind)
    lines = case.document.lines
    unreadable = [at for at in case.filled if _is_unreadable(lines[at])]
    has_lines = kind == "text" or len(unreadable) < len(case.filled)
    ranks = dict(rank_report(case)) if has_lines else {}
    for at in unreadable:
        is_told = kind == "text" and case.cue_lines.get(at) == 2 and not cues_are_common(case)
        if not is_told:
            ranks[at] = max(20.0 - 4 * min(at, len(lines) - 1 - at), 0.5)
    chosen = choose_lines(case.document, ranks, case.room - len(note) - 3, floor=FILLER_RANK)
    windows = cue_windows(case) if kind == "text" else []
    return draft_lines(case.document, f"dense/{kind}", chosen, Layout({-1: note}, windows))


def _is_unreadable(line: str) -> bool:
    is_long = len(line) >= _DENSE_CHARS and _is_dense(line)
    return is_long or bool(_BASE64_LINE.fullmatch(line) or _HEX_LINE.fullmatch(line))


def _kind(case: Case) -> str:
    """Which kind of dense text makes up most of it; empty for texts one can read."""
    text, lines = case.document.text, case.document.lines
    for name, pattern in (("base64", _BASE64_LINE), ("hex", _HEX_LINE)):
        if not any(pattern.fullmatch(line) for line in case.sample if len(line) > _MIN_ENCODED):
            continue
        encoded = sum(len(x) for x in lines if len(x) > _MIN_ENCODED and pattern.fullmatch(x))
        if encoded >= _MIN_SHARE * len(text):
            return name
    dense = [line for line in lines if len(line) >= _DENSE_CHARS and _is_dense(line)]
    if not dense or sum(map(len, dense)) < _MIN_SHARE * len(text):
        return ""
    sample = max(dense, key=len)[:20_000]
    if _has_five(_SCRIPT, sample):
        return "script"
    if "{" in sample and _has_five(_STYLE, sample):
        return "style"
    return "" if len(dense) >= _MIN_LONG_LINES and _is_built_of_lines(case) else "text"


def _is_built_of_lines(case: Case) -> bool:
    """True for a log or a table: with long lines it is read like any other."""
    is_log = sum(map(is_timed, case.sample)) >= _LOG_SHARE * len(case.sample)
    return is_log or delimiter_of(case) is not None


def _has_five(pattern: re.Pattern[str], text: str) -> bool:
    return next(itertools.islice(pattern.finditer(text), 4, None), None) is not None


def _is_dense(line: str) -> bool:
    return line.count(" ") <= _MAX_SPACES * len(line)


def _describe(case: Case, kind: str) -> str:
    text = case.document.text
    if kind == "base64":
        return _describe_base64(case)
    told = f"{kind}, {len(text)} characters, {len(case.document.lines)} lines"
    if kind == "script":
        names = fitting_names(
            list(dict.fromkeys(_offered(text))), min(_NAMES_CHARS, case.room // 2)
        )
        return f"{told}; names: {', '.join(names)}" if names else told
    if kind == "style":
        return f"{told}; {text.count('{')} rules"
    return told


def _describe_base64(case: Case) -> str:
    uri = _DATA_URI.search(case.document.text)
    encoded = max(case.document.lines, key=len)
    body = encoded[encoded.find(",") + 1 :] if uri else case.document.lines[0]
    try:
        head = base64.b64decode(body[:64])
    except (binascii.Error, ValueError):
        head = b""
    looks = next((name for magic, name in _MAGIC if head.startswith(magic)), "")
    parts = ["base64", f"{len(case.document.text)} characters", uri.group(1) if uri else "", looks]
    return ", ".join(part for part in parts if part)


def _offered(text: str) -> Iterator[str]:
    """Names a bundle exports or declares, exports first."""
    for pattern in _NAMES:
        for match in pattern.finditer(text):
            # In "export{a as readable}" the name after "as" is the one offered.
            for part in match.group(1).split(","):
                name = _NAME.findall(part)
                if name:
                    yield name[-1]


FAMILY = Family(
    "dense",
    _find,
    _draft,
    looks_for="code without line breaks, or encoded data in 70 % of the text",
)
