"""JSON lines and streams of JSON values: records that stand out, the others told by their fields.

Lines between them that are no JSON, a stack trace or a start-up banner, count
as records that have no field at all, and so stand out.
"""

from flowctx.reducers.case import Case
from flowctx.reducers.draft import Draft
from flowctx.reducers.families import json_document
from flowctx.reducers.families.family import ALL_LINES, Family
from flowctx.reducers.json_tree import as_node, is_json_text, skip_space
from flowctx.reducers.nodes import Node

_MIN_LINES = 4
_JSON_SHARE = 0.8
_PROBED_LINES = 12


def _find(case: Case) -> list[Node] | None:
    return _find_lines(case) or _find_stream(case)


def _find_stream(case: Case) -> list[Node] | None:
    """Values of several lines, one after the other, as `jq '.[]'` prints them."""
    text, records = case.document.text, list[Node]()
    at = skip_space(text, 0)
    if text[at : at + 1] not in ("{", "["):
        return None
    while at < len(text):
        node = as_node(text, at) if text[at] in "{[" else None
        if node is None:
            break
        records.append(node)
        at = skip_space(text, node.end)
    if len(records) < _MIN_LINES or at < _JSON_SHARE * len(text):
        return None
    # What follows is a value that is cut off, or what a program says at its end.
    end = len(text.rstrip())
    return [*records, Node(at, end, at, "scalar")] if at < end else records


def _find_lines(case: Case) -> list[Node] | None:
    sample = [case.document.lines[at].strip() for at in case.sampled]
    likely = [line for line in sample if line[0] in "{[" and line[-1] in "}]"]
    if len(case.filled) < _MIN_LINES or len(likely) < _JSON_SHARE * len(sample):
        return None
    probed = likely[:: max(len(likely) // _PROBED_LINES, 1)]
    if sum(map(is_json_text, probed)) < _JSON_SHARE * len(probed):
        return None
    records = _records(case)
    read = sum(1 for record in records if record.kind != "scalar")
    return records if read >= _JSON_SHARE * len(records) else None


def _draft(case: Case, records: list[Node]) -> Draft | None:
    whole = Node(0, len(case.document.text), 0, "array")
    return json_document.draft_json(case, whole, "json/lines", records)


def _records(case: Case) -> list[Node]:
    """One node a line; a line that is no JSON is a scalar without fields."""
    document, records = case.document, []
    for line, start in zip(document.lines, document.starts, strict=True):
        body = line.strip()
        if not body:
            continue
        begin = start + line.index(body)
        end = begin + len(body)
        node = as_node(document.text, begin) if body[0] in "{[" else None
        if node is None or node.end != end:
            node = Node(begin, end, begin, "scalar")
        records.append(node)
    return records


FAMILY = Family(
    "json/lines",
    _find,
    _draft,
    looks_for="JSON values in 80 % of the lines, or one after the other, at least 4",
    whole_up_to=ALL_LINES,
)
