"""Rows whose odd part lies deep: in a list, far into a text, in a row of values without names."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, rng, word


def findings_xml() -> Probe:
    """Files with several findings each; one finding of all is of another kind."""
    r = rng("findings xml")
    lines = ['<?xml version="1.0"?>', '<report tool="mender" version="3.2">']
    for n in range(64):
        lines.append(f'  <file name="src/{word(r)}/{word(r)}_{n}.kt">')
        for k in range(4):
            odd = (n, k) == (38, 2)
            kind = 'level="blocker" rule="PlainSecret"' if odd else 'level="note" rule="LongLine"'
            lines.append(
                f'    <finding at="{r.randint(9, 700)}" {kind} text="{word(r)} {word(r)}"/>'
            )
        lines.append("  </file>")
    lines.append("</report>")
    facts = ('level="blocker" rule="PlainSecret"',)
    return Probe("findings_xml", "\n".join(lines), facts, "cat findings.xml", "read")


def orders_xml() -> Probe:
    """Orders of several lines; one line takes back what was sold."""
    r = rng("orders xml")
    rows = [
        "<order no='{}'>{}</order>".format(
            n,
            "".join(
                f"<line><sku>{word(r)}</sku><count>{-70 if (n, k) == (51, 1) else r.randint(1, 6)}"
                "</count></line>"
                for k in range(3)
            ),
        )
        for n in range(90)
    ]
    text = "\n".join(["<orders>", *rows, "</orders>"])
    return Probe("orders_xml", text, ("<count>-70</count>",), "curl -s http://till/orders")


def many_parts() -> Probe:
    """More values in lists than are looked at; one of them differs."""
    rows = [
        {"lot": n, "parts": [{"state": "kept", "weight": 2} for _ in range(9)]} for n in range(2500)
    ]
    rows[2113]["parts"][6]["state"] = "spilt"  # type: ignore[index]
    text = json.dumps(rows)
    return Probe("many_parts", text, ('"state": "spilt"',), "depot lots --json")


def templated_letters() -> Probe:
    """Letters of one template, of which one says something else far into it."""
    r = rng("letters")
    usual = " ".join(word(r) for _ in range(70))
    other = f"{usual[:360]} and is void from today on {usual[360:]}"
    rows = [{"to": f"guest {n}", "text": other if n == 47 else usual} for n in range(110)]
    text = json.dumps(rows, indent=1)
    return Probe("templated_letters", text, ('"to": "guest 47"',), "mailer queue --json")


def rows_without_names() -> Probe:
    """An answer of a database: names of columns once, and rows that are arrays."""
    r = rng("rows without names")
    rows = [[n, word(r), r.randint(20, 90), True, f"2027-04-{1 + n % 28:02}"] for n in range(260)]
    rows[71][3] = False
    rows[148][2] = -48_000
    rows[203][1] = None  # type: ignore[call-overload]
    text = json.dumps({"columns": ["id", "crop", "yield", "sound", "day"], "rows": rows})
    facts = ('"columns": ["id", "crop", "yield", "sound", "day"]', "false", "-48000", "null")
    return Probe("rows_without_names", text, facts, "curl -s http://barn/query")


def streams() -> Probe:
    """Log lines as pairs of a moment and a text, one of another kind."""
    r = rng("streams")
    values = [
        [f"17{n:08}000000000", f'at={word(r)}.go:{n} msg="{word(r)} {word(r)}"'] for n in range(220)
    ]
    values[140][1] = "quota lowered for barn-7 from 5000 to 50"
    text = json.dumps(
        {"status": "success", "result": [{"stream": {"app": "barn"}, "values": values}]}
    )
    return Probe("streams", text, ("quota lowered for barn-7 from 5000 to 50",), "logcli query")


def large_rows() -> Probe:
    """Rows of a page each: of the odd ones what is odd, and what they are called."""
    r = rng("large rows")
    rows = []
    for n in range(64):
        row = {
            "meta": {"name": f"{word(r)}-{n}", "hall": "east", "marks": {"crop": word(r)}},
            "plan": {
                "bed": r.choice(["a", "b"]),
                "tools": [{"name": "rake", "image": "depot/rake:2", "limits": {"load": "40kg"}}],
                "notes": " ".join(word(r) for _ in range(90)),
            },
            "state": {"phase": "Growing", "seen": f"2027-05-{1 + n % 28:02}"},
        }
        rows.append(row)
    rows[17]["plan"]["shared"] = True
    rows[29]["state"] = {"phase": "Waiting", "why": [{"kind": "Water", "text": "0 of 6 taps run"}]}
    rows[55]["plan"]["tools"][0]["image"] = "depot/rake:latest"
    facts = [rows[at]["meta"]["name"] for at in (17, 29)]
    facts += ['"shared": true', '"Waiting"', "0 of 6 taps run", "depot/rake:latest"]
    return Probe(
        "large_rows", json.dumps({"items": rows}, indent=2), tuple(facts), "depot beds -o json"
    )


PROBES = (
    large_rows,
    rows_without_names,
    streams,
    findings_xml,
    orders_xml,
    many_parts,
    templated_letters,
)
