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


PROBES = (findings_xml, orders_xml, many_parts, templated_letters)
