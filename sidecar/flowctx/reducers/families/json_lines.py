"""JSON lines: records that stand out, the others told by their fields.

Lines between them that are no JSON, a stack trace or a start-up banner, count
as records that have no field at all, and so stand out.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families import json_document
from flowctx.reducers.families.family import Family
from flowctx.reducers.trees import Cut, Node, Shrinker

_MIN_LINES = 4
_JSON_SHARE = 0.8
_PROBED_LINES = 12


def _fits(case: Case) -> bool:
    filled = [line.strip() for line in case.document.lines if line.strip()]
    likely = [line for line in filled if line[0] in "{[" and line[-1] in "}]"]
    if len(filled) < _MIN_LINES or len(likely) < _JSON_SHARE * len(filled):
        return False
    probed = likely[:: max(len(likely) // _PROBED_LINES, 1)]
    return sum(map(json_document.is_json_text, probed)) >= _JSON_SHARE * len(probed)


def _reduce(case: Case) -> Draft | None:
    text = case.document.text
    records = _records(case)
    whole = Node(0, len(text), 0, "array")
    cut = Cut()

    def expand(node: Node) -> list[Node]:
        return records if node is whole else json_document.expand(text, node)

    Shrinker(expand, [cue.start for cue in case.cues], cut).shrink(whole, case.room)
    if not cut.omitted:
        return None
    return json_document.draft_tree(case.document, "json/lines", cut)


def _records(case: Case) -> list[Node]:
    """One node a line; a line that is no JSON is a scalar without fields."""
    document, records = case.document, []
    for line, start in zip(document.lines, document.starts, strict=True):
        body = line.strip()
        if not body:
            continue
        begin = start + line.index(body)
        end = begin + len(body)
        node = json_document.as_node(document.text, begin) if body[0] in "{[" else None
        if node is None or node.end != end:
            node = Node(begin, end, begin, "scalar")
        records.append(node)
    return records


FAMILY = Family("json/lines", _fits, _reduce)
