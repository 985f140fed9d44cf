"""From a tool result to its reduction: the one way in.

The families stand below in the order they are tried. The first that fits
drafts; a draft that fails a guard gives way to the next family that fits.
"""

import gc
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from flowctx.model import Omission, Reduction, ToolOutput, Unreduced
from flowctx.reducers.case import Case
from flowctx.reducers.document import Document
from flowctx.reducers.draft import Draft, Omitted, Shown, count_omissions, mark, render_draft
from flowctx.reducers.exempt import exempt_reason
from flowctx.reducers.families import (
    assembly,
    build,
    code,
    csv,
    dense,
    described,
    diff,
    file_list,
    git,
    git_log,
    html,
    json_broken,
    json_comments,
    json_document,
    json_fragment,
    json_lines,
    json_text,
    lines,
    literals,
    logs,
    markdown,
    mixed,
    options,
    outline,
    prefixed,
    prose,
    records,
    search,
    sql_dump,
    stanzas,
    table,
    talk,
    tests,
    thread,
    traces,
    xml,
)
from flowctx.reducers.families.family import Family
from flowctx.reducers.guards import check_draft, check_view, missing_fact
from flowctx.reducers.host_lines import host_cut
from flowctx.reducers.room import room_for, room_left

# The order matters: what can be told for certain comes first, looks come last.
_TYPED: tuple[Family[Any], ...] = (
    json_comments.FAMILY,
    json_document.FAMILY,
    json_lines.FAMILY,
    json_fragment.FAMILY,
    literals.reading((json_document.FAMILY, json_lines.FAMILY)),
    xml.FAMILY,
    html.FAMILY,
    sql_dump.FAMILY,
    assembly.FAMILY,
    dense.FAMILY,
    thread.FAMILY,
    code.NAMED,
    diff.FAMILY,
    git_log.FAMILY,
    git.FAMILY,
    search.FAMILY,
    file_list.FAMILY,
    tests.FAMILY,
    build.FAMILY,
    traces.FAMILY,
    options.FAMILY,
    table.FAMILY,
    csv.FAMILY,
    talk.FAMILY,
    logs.FAMILY,
    code.LIKELY,
    stanzas.FAMILY,
    records.FAMILY,
    described.FAMILY,
    outline.FAMILY,
    markdown.FAMILY,
    prose.FAMILY,
)
# What the whole text is read for, so that nothing else can be in it.
_CERTAIN = (json_document.FAMILY, json_lines.FAMILY, xml.FAMILY, html.FAMILY, sql_dump.FAMILY)
# Messages of a log may read like these, and would lose their times.
_MESSAGES: tuple[Family[Any], ...] = (
    talk.FAMILY,
    logs.FAMILY,
    csv.FAMILY,
    stanzas.FAMILY,
    records.FAMILY,
    described.FAMILY,
    outline.FAMILY,
    prose.FAMILY,
)
_BESIDE_LOGS: tuple[Family[Any], ...] = tuple(
    family for family in _TYPED if family not in _MESSAGES
)
_LINES: tuple[Family[Any], ...] = (*_TYPED, lines.FAMILY)
_PARTS: tuple[Family[Any], ...] = (prefixed.wrapping(_LINES, _BESIDE_LOGS), *_LINES)
_WHOLE: tuple[Family[Any], ...] = (
    json_broken.family(_LINES),
    mixed.compound(_PARTS, _CERTAIN),
    thread.FAMILY,
    mixed.beside_documents(_PARTS),
    *_TYPED,
    mixed.family(_PARTS),
    lines.FAMILY,
)
_PREFIXED = prefixed.wrapping(
    (mixed.framed_by_host(_WHOLE), *_WHOLE), (mixed.compound(_PARTS, _CERTAIN), *_BESIDE_LOGS)
)
_BARE: tuple[Family[Any], ...] = (mixed.framed_by_host((_PREFIXED, *_WHOLE)), _PREFIXED, *_WHOLE)
FAMILIES: tuple[Family[Any], ...] = (json_text.wrapping(_BARE), *_BARE)

# Shorter texts say too much in each of their lines.
_MIN_CHARS = 960
_MAX_TRIES = 3


class Step(NamedTuple):
    """What one family made of a text, for `flowctx reduce --explain`."""

    family: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A result and how it came about."""

    result: Reduction | Unreduced
    steps: tuple[Step, ...]


def reduce_output(output: ToolOutput) -> Reduction | Unreduced:
    """Reduce a tool result, or say why it stays as it is. Never raises."""
    return explain_output(output).result


def explain_output(output: ToolOutput) -> Explanation:
    """Reduce a tool result and tell each step. Never raises."""
    # What is made for a text is nearly all in use until the end: nothing for the collector to find.
    pauses = gc.isenabled()
    if pauses:
        gc.disable()
    try:
        return _explain(output)
    finally:
        if pauses:
            gc.enable()


def _explain(output: ToolOutput) -> Explanation:
    reason = exempt_reason(output.text)
    if not reason and len(output.text) < _MIN_CHARS:
        reason = "too short to gain anything"
    if reason:
        return Explanation(Unreduced(reason), ())
    if not output.text.strip():
        return Explanation(_blank(len(output.text)), (Step("blank", "made blank"),))
    case = Case(output, Document.read(output.text), room=0)
    return _try_families(case.with_room(room_for(case)))


def _blank(chars: int) -> Reduction:
    """What stands for a text of which nothing can be seen."""
    gone = mark(Omitted(0, chars, chars, "characters"))
    return Reduction("blank", gone, (Omission("characters", chars, chars),), "nothing but blanks")


def _final_state(case: Case) -> Reduction | None:
    """The whole text as a terminal shows it at last, where colours and repaints made it large."""
    document, cleaning = case.document, case.document.cleaning
    if len(document.text) > case.room or not (cleaning.repaints or cleaning.escapes):
        return None
    escapes = Omission("escape sequences", cleaning.escapes, cleaning.escapes)
    reduction = _finish(case, Draft("terminal", (Shown(0, len(document.text)),), ()))
    if cleaning.escapes:
        reduction = replace(reduction, omissions=(*reduction.omissions, escapes))
    if not document.text:
        reduction = replace(reduction, note="nothing visible in it")
    return None if check_view(reduction, case, may_exceed=False) else reduction


def _try_families(case: Case) -> Explanation:
    final = _final_state(case)
    if final is not None:
        return Explanation(final, (Step("terminal", "made terminal"),))
    steps: list[Step] = []
    for family in FAMILIES:
        try:
            outcome = _try_family(family, case)
        except Exception as error:  # noqa: BLE001  a fault in one family must not cost the view
            outcome = f"gave up: {type(error).__name__}: {error}"
        if isinstance(outcome, Reduction):
            steps.append(Step(family.name, _made(family, outcome, case)))
            return Explanation(outcome, tuple(steps))
        steps.append(Step(family.name, outcome))
    return Explanation(Unreduced("no family could shorten it honestly"), tuple(steps))


def _made(family: Family[Any], made: Reduction, case: Case) -> str:
    size = f"{len(made.body):,} of {len(case.output.text):,} characters, room for {case.room:,}"
    return f"fits: {family.looks_for}; made {made.type}, {size}"


def _try_family(family: Family[Any], whole: Case) -> Reduction | str:
    """The family's reduction, or why there is none."""
    is_whole = len(whole.document.lines) <= family.whole_up_to
    thinned = None if is_whole else whole.thinned
    case = whole.part if thinned else whole
    found = family.find(case)
    if found is None:
        return f"does not fit; looks for {family.looks_for}"
    fits: Reduction | None = None
    fault = ""
    for _ in range(_MAX_TRIES):
        draft = _draft(family, case, found)
        if thinned and isinstance(draft, Draft):
            draft = thinned.restore(draft)
            draft = check_draft(whole, draft) or draft
        if isinstance(draft, str):
            return fits or fault or draft
        reduction = _finish(whole, draft)
        fault = check_view(reduction, whole, may_exceed=draft.may_exceed)
        fits = fits if fault else reduction
        room = room_left(whole, reduction, case.room, fault)
        if room >= case.room or (draft.may_exceed and not fault):
            break
        case = case.with_room(room)
    return fits or fault


def _draft(family: Family[Any], case: Case, found: Any) -> Draft | str:
    """The family's draft, or why there is none that may be used."""
    draft = family.draft(case, found)
    if draft is None:
        return "nothing to leave out"
    return (
        check_draft(case, draft) or (missing_fact(case, draft) if family.is_report else "") or draft
    )


def _finish(case: Case, draft: Draft) -> Reduction:
    return Reduction(
        type=draft.type,
        body=render_draft(case.document, draft),
        omissions=(*count_omissions(draft), *_cleaned(case.document)),
        note=host_cut(case.output.text),
    )


def _cleaned(document: Document) -> tuple[Omission, ...]:
    """What cleaning left out: states of progress lines that were painted over."""
    repaints = document.cleaning.repaints
    if not repaints:
        return ()
    return (Omission("line states", repaints, repaints + len(document.lines)),)
