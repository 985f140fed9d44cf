"""Facts in the output of a program: what must still be seen when most of it is gone.

A fact is a line. Families that work on other units (rows, signatures) name
their own facts; these are for everything that runs and reports.
"""

import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from flowctx.reducers.case import Case, remembered
from flowctx.reducers.diagnostics import diagnosed, first_of_kinds
from flowctx.reducers.rules import read_rules, read_words
from flowctx.reducers.select import Window

# Lines of a shape that says something went wrong in most of the text set nothing apart.
_COMMON_CUE_SHARE = 0.3
_SEVERE = 2
# A total stands once, or a few times when a run has parts.
_MAX_TOTALS_OF_A_SHAPE = 3
_MAX_TOTAL_CHARS = 200
# What a fact costs a view: the part of its line that is shown, and a mark beside it.
FACT_CHARS = 400
FACT_MARK_CHARS = 36
_WINDOW_BEFORE, _WINDOW_AFTER = 80, 160
_MAX_WINDOWS = 8
# Some plain words one after the other, among values that a program writes.
_PHRASE = re.compile(r"(?<![\w-])[^\W\d_]{2,20}(?:[ ,]{1,2}[\w.-]{1,20}){2,12}(?=[\"'.;,&}\])])")
_MAX_PHRASES, _PHRASE_BEFORE = 3, 24
_WORD = re.compile(r"[^\W\d_]+")
_EXIT_STATUS = re.compile(
    r"^ \(?(?:Command )?exit(?:ed)?(?: (?:status|code|with(?: code)?))?:? ?-?\d+\)?$", re.IGNORECASE
)


@remembered
def error_facts(case: Case) -> dict[int, float]:
    """First line of each distinct error, with its rarity in bits.

    Of messages with a severity of their own it is this that tells, not their words.
    """
    total, told = len(case.masked), diagnosed(case)
    seen: set[str] = set()
    facts = {
        line: math.log2(total / count) + 1
        for each, count in first_of_kinds(case)
        for line in each.lines
        if each.severity == _SEVERE
    }
    for line, weight in sorted(case.cue_lines.items()):
        shape = case.masked[line]
        if weight < 2 or shape in seen or line in told:
            continue
        seen.add(shape)
        facts[line] = math.log2(total / case.shape_counts[shape]) + 1
    return facts


def cues_are_common(case: Case) -> bool:
    """True where errors are spoken of all over, so that the word tells nothing apart."""
    filled = sum(1 for line in case.document.lines if line.strip())
    errors = sum(1 for weight in case.cue_lines.values() if weight == 2)
    return errors > max(3, _COMMON_CUE_SHARE * filled)


def total_facts(case: Case) -> dict[int, float]:
    """Lines that count or conclude the whole run, the later the weightier."""
    lines, masked, counts = case.document.lines, case.masked, case.shape_counts
    counted, named, telling = _totals()
    present = tuple(telling & case.words.known)
    facts: dict[int, float] = {}
    # A total holds a number, and its like is not found all over.
    few = (shape for shape, count in counts.items() if count <= _MAX_TOTALS_OF_A_SHAPE)
    likely = {shape for shape in few if "0" in shape}
    for line in [at for at, shape in enumerate(masked) if shape in likely]:
        if len(lines[line]) > _MAX_TOTAL_CHARS:
            continue
        text = f" {lines[line].lower()}"
        may_total = not text.isascii() or any(map(text.__contains__, present))
        if may_total and (counted.search(text) or named.search(text) or _EXIT_STATUS.match(text)):
            facts[line] = 1 + 4 * line / len(lines)
    return facts


@cache
def _totals() -> tuple[re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Patterns of totals behind a blank, in lower case, and words one of which a line must hold."""
    lists = [read_words("cues", rule, "words") for rule in read_rules("cues", "totals")]
    counted, named = ("|".join(map(re.escape, words)) for words in lists)
    telling = {max(_WORD.findall(phrase), key=len) for words in lists for phrase in words}
    return (
        re.compile(rf"\d(?<![\w./:-].)[\d,.]*\s?(?:\w+ )?(?:{counted})(?![\w/.-]\w)"),
        re.compile(rf"[\s=*(\[](?:{named})\b[^\d\n]{{0,24}}[:=]?\s*\d"),
        frozenset(telling | {"exit", "exited", "command"}),
    )


@remembered
def report_facts(case: Case) -> dict[int, float]:
    """Errors and totals of a report, by line, with what each is worth."""
    facts = total_facts(case)
    for line, worth in error_facts(case).items():
        facts[line] = max(facts.get(line, 0), worth)
    return facts


def required_lines(case: Case) -> list[int]:
    """The facts every reducer of reports must show: the weightiest that fit half the room."""
    facts = report_facts(case)
    left, required = case.room // 2, []
    for line in sorted(facts, key=lambda index: (-facts[index], index)):
        left -= min(len(case.document.lines[line]), FACT_CHARS) + FACT_MARK_CHARS
        if left < 0:
            break
        required.append(line)
    return required


def cue_windows(case: Case) -> list[Window]:
    """What stands around cues, so that a long line is clipped elsewhere; and what errors say."""
    text = case.document.text
    cues = sorted(case.cues, key=lambda cue: cue.kind != "error")[:_MAX_WINDOWS]
    windows = [
        Window(max(cue.start - _WINDOW_BEFORE, 0), min(cue.end + _WINDOW_AFTER, len(text)))
        for cue in cues
    ]
    return [*windows, *islice(_phrases(case), _MAX_WINDOWS)]


def _phrases(case: Case) -> Iterator[Window]:
    """Words in a row in long lines that speak of an error: there it says what it is."""
    document = case.document
    for line, weight in sorted(case.cue_lines.items()):
        start, end = document.starts[line], document.line_end(line)
        if weight == 2 and end - start > FACT_CHARS:
            for phrase in islice(_PHRASE.finditer(document.text, start, end), _MAX_PHRASES):
                begin = max(phrase.start() - _PHRASE_BEFORE, start)
                yield Window(begin, min(phrase.end() + _PHRASE_BEFORE, end))
