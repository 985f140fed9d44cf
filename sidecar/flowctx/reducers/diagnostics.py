"""What compilers and linters say of places in files: each message with its severity and kind.

A message is told by the place it begins with and the level, code or rule that goes with it.
What its words say of errors counts no more then: a remark on `raise ValueError` is a remark.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.document import indent_of

# "src/a.c:3:5: ", "src/a.ts(4,7): ", "src/a.py:260:18 - ", and "  219:11  " below a file's name.
_PLACE = re.compile(r"\s*(?:[^\s:()]+[:(]\d+(?:[:,-]\d+){0,3}\)?:?|\d+:\d+)(?: -)?\s+(?=\S)")
# Its code stands in a line of its own: "certs.py:3 at module level:".
_PLACE_ALONE = re.compile(r"\s*[^\s:()]+:\d+\b[^:]{0,80}:\Z")
# Ruled off from the one before it: "src/a.ts:4:7 lint/style/useConst ━━━━", its message below.
_RULED = re.compile(r"\s*[^\s:()]+:\d+:\d+ ([a-z]+(?:/[\w-]+)+) .*━━━\Z")
_MARKS = {"×": 2, "✖": 2, "!": 1, "⚠": 1, "i": 0, "ℹ": 0}
_LEVEL = re.compile(
    r"\[?(fatal error|fatal|error|critical|severe|warning|warn|information|info|note|hint|help"
    r"|remark|style|convention|refactor)\b\]?(?=[:\s(\[])[:\s]*",
    re.IGNORECASE,
)
_CODE = re.compile(r"[\[(]?([A-Z]{1,8}-?\d{2,6})\b[\])]?:?(?:\s+|\Z)")
_RULE = re.compile(
    r"(?:\s[\[(]((?:-W)?[A-Za-z@][\w@/.+=-]{2,60})[\])]|\s{2}([a-z@][\w@/-]{2,60}))\s*\Z"
)
# Of a finding without a level, how sure it is: "(100% confidence)".
_SURE = re.compile(r"\((\d{1,3})% confidence[,)]")
_VARIABLE = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|[‘“«][^’”»]*[’”»]|\d+")
_SEVERITIES = {
    **dict.fromkeys(("fatal error", "fatal", "error", "critical", "severe"), 2),
    **dict.fromkeys(("warning", "warn"), 1),
    **dict.fromkeys(("style", "convention", "refactor", "remark", "information", "info"), 0),
}
# Letters of codes without a level. pylint: F and E are errors, C, R and I remarks; pyflakes: F,
# and pycodestyle: E9 for what does not run, as their documentation lists them.
_SEVERE_CODE = re.compile(r"[EF]\d{4}|F\d{3}|E9\d\d?")
_MILD_CODE = re.compile(r"[CRI]\d{4}")
_MIN_MESSAGES, _MIN_SHARE = 4, 0.15
_KIND_CHARS, _GOES_ON = 60, 3
# By severity: of the first message of a kind, and of further ones of another shape.
_MESSAGE_RANKS = ((34.0, 10.0), (64.0, 56.0), (70.0, 60.0))
# So many of one shape count in full.
_FULL_MESSAGES = 2
_MAX_NAMED_CODES, _MAX_CODES_CHARS = 24, 360


class Diagnostic(NamedTuple):
    """A message.

    Attributes:
        lines: those that say it; the last one has the message.
        severity: 2 for an error, 1 for a warning, 0 for a remark.
        kind: its code or rule, or else its words without what varies.
        is_coded: the kind is a code or a rule.
    """

    lines: tuple[int, ...]
    severity: int
    kind: str
    is_coded: bool


@remembered
def diagnostics(case: Case) -> Sequence[Diagnostic]:
    """The messages of a text in order; none where there are only a few."""
    are_many = case.sampled_share(_PLACE) >= _MIN_SHARE
    are_many = are_many or _stands_alone(case) or case.document.text.count("━━━\n") >= _MIN_MESSAGES
    lines = case.readable if are_many else sorted(case.cue_lines)
    found = [each for line in lines if (each := _read(case.document.lines, line))]
    return found if len(found) >= _MIN_MESSAGES else ()


@remembered
def diagnosed(case: Case) -> frozenset[int]:
    """The lines of all messages."""
    return frozenset(line for each in diagnostics(case) for line in each.lines)


def first_of_kinds(case: Case) -> Iterator[tuple[Diagnostic, int]]:
    """The first message of each kind, with how many of the kind there are."""
    counts = Counter((each.severity, each.kind) for each in diagnostics(case))
    seen: set[tuple[int, str]] = set()
    for each in diagnostics(case):
        if (each.severity, each.kind) not in seen:
            seen.add((each.severity, each.kind))
            yield each, counts[each.severity, each.kind]


def rank_messages(case: Case) -> Iterator[tuple[int, float]]:
    """The lines of messages: the first of a kind before others, errors before all."""
    kinds: Counter[tuple[int, str]] = Counter()
    shapes: Counter[str] = Counter()
    for each in diagnostics(case):
        kind, shape = (each.severity, each.kind), case.masked[each.lines[-1]]
        kinds[kind] += 1
        shapes[shape] += 1
        first, further = _MESSAGE_RANKS[each.severity]
        rank = (
            first if kinds[kind] == 1 else further / max(shapes[shape] / _FULL_MESSAGES, 1.0) ** 2
        )
        yield from ((line, rank) for line in each.lines)


def describe_codes(case: Case) -> str:
    """How many messages there are of each code, errors first; empty where most have none."""
    found = diagnostics(case)
    coded = [each for each in found if each.is_coded]
    if not coded or 2 * len(coded) < len(found):
        return ""
    counts = Counter((-each.severity, each.kind) for each in coded)
    told, chars = [], 0
    for (_, kind), count in sorted(
        counts.items(), key=lambda pair: (pair[0][0], -pair[1], pair[0])
    ):
        told.append(f"{kind} {count}")
        chars += len(told[-1]) + 2
        if len(told) == _MAX_NAMED_CODES or chars > _MAX_CODES_CHARS:
            break
    left = len(counts) - len(told)
    further = [f"{left} further code{'s' * (left > 1)}"] if left else []
    return f"{len(found)} messages: {', '.join([*told, *further])}"


def _stands_alone(case: Case) -> bool:
    return case.sampled_share(_PLACE_ALONE) >= _MIN_SHARE


def _read(lines: Sequence[str], line: int) -> Diagnostic | None:
    text = lines[line]
    place = _PLACE.match(text)
    ruled = _RULED.match(text) if place and text.endswith("━━━") else None
    if ruled:
        return _read_ruled(lines, line, ruled.group(1))
    if place:
        return _read_message(lines, (line,), text[place.end() :])
    code = _CODE.match(text.lstrip()) if text[:1] in " \t" else None
    if code and line and _PLACE_ALONE.match(lines[line - 1]):
        return _read_message(lines, (line - 1, line), text.lstrip())
    return None


def _read_ruled(lines: Sequence[str], line: int, rule: str) -> Diagnostic:
    """A message below the line that rules it off; its mark says how severe it is."""
    below = range(line + 1, min(line + _GOES_ON, len(lines)))
    said = next((at for at in below if lines[at].strip()[:1] in _MARKS), line)
    return Diagnostic(
        (line,) if said == line else (line, said),
        _MARKS.get(lines[said].strip()[:1], 1),
        rule,
        True,
    )


def _read_message(lines: Sequence[str], held: tuple[int, ...], message: str) -> Diagnostic | None:
    level = _LEVEL.match(message)
    word = level.group(1).lower() if level else ""
    if level and word not in _SEVERITIES:
        return None
    said = message[level.end() :] if level else message
    code = _CODE.match(said)
    rule = None if code else _rule_of(lines, held[-1])
    sure = None if level or code or rule else _SURE.search(said)
    if sure:
        return Diagnostic(held, 2 if sure.group(1) == "100" else 1, _kind_of(said), is_coded=False)
    if not (level or code or rule):
        return None
    coded = code.group(1) if code else rule or ""
    severity = _SEVERITIES[word] if level else _severity_of(coded)
    return Diagnostic(held, severity, coded or _kind_of(said), bool(coded))


def _rule_of(lines: Sequence[str], line: int) -> str:
    """The rule that a message ends with, or what goes on with it below."""
    depth = indent_of(lines[line])
    for at in range(line, min(line + _GOES_ON + 1, len(lines))):
        if at > line and indent_of(lines[at]) <= depth:
            break
        if rule := _RULE.search(lines[at]):
            return rule.group(1) or rule.group(2)
    return ""


def _severity_of(code: str) -> int:
    if _SEVERE_CODE.fullmatch(code):
        return 2
    return 0 if _MILD_CODE.fullmatch(code) else 1


def _kind_of(message: str) -> str:
    return _VARIABLE.sub("_", message)[:_KIND_CHARS].strip()
