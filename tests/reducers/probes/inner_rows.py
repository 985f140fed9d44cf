"""Rows that hold rows: what is odd inside one, however many it has and however large it is."""

from __future__ import annotations

import json
from typing import Any

from tests.reducers.probes.probe import Probe, clock, hexes, rng, word


def lint_report() -> Probe:
    r = rng("lint_report")
    lines = ['<?xml version="1.0"?>', '<lint version="3">']
    for n in range(70):
        lines.append(f'  <module path="app/{word(r)}/{word(r)}_{n}.kt">')
        lines += [
            f'    <issue at="{r.randint(1, 700)}" level="info" rule="MagicNumber" text="Number {r.randint(3, 90)} has no name."/>'
            for _ in range(4)
        ]
        lines.append("  </module>")
    lines[6 * 41 + 5] = (
        '    <issue at="219" level="blocker" rule="TrustAll" text="This trust manager accepts all certificates."/>'
    )
    facts = ('level="blocker"', "TrustAll", "accepts all certificates")
    return Probe("lint_report", "\n".join([*lines, "</lint>"]), facts, "cat build/lint.xml")


def xml_stock() -> Probe:
    r = rng("xml_stock")
    lines = ["<stock>"]
    for n in range(110):
        parts = "".join(
            f'<part no="{r.randint(100, 999)}" left="{r.randint(1, 9)}"/>' for _ in "abc"
        )
        lines.append(f'<shelf id="{n}">{parts}</shelf>')
    lines[78] = lines[78].replace('<part no="', '<part no="R', 3).replace('left="', 'left="-', 2)
    facts = ('<part no="R', 'left="-')
    return Probe("xml_stock", "\n".join([*lines, "</stock>"]), facts, "cat stock.xml")


def xml_deep_children() -> Probe:
    """The 26th child of a row, and one three levels below it."""
    r = rng("xml_deep_children")
    lines = ["<routes>"]
    for n in range(60):
        stops = "".join(
            f"<stop><name>{word(r)}</name><wait>{r.randint(1, 4)}</wait></stop>" for _ in range(28)
        )
        lines.append(f'<route no="{n}"><kind>bus</kind>{stops}</route>')
    at = lines[23].rfind("<stop>", 0, lines[23].rfind("<stop>"))
    lines[23] = (
        f"{lines[23][:at]}<stop><name>closed bridge</name><wait>95</wait></stop>{lines[23][at:]}"
    )
    facts = ("closed bridge", "<wait>95</wait>")
    return Probe("xml_deep_children", "\n".join([*lines, "</routes>"]), facts, "cat routes.xml")


def machine_list() -> Probe:
    """Rows of more than a kilobyte, four of them odd in a few lines each."""
    r = rng("machine_list")
    machines: list[dict[str, Any]] = [
        {
            "meta": {"name": f"{word(r)}-{hexes(r, 4)}", "uid": hexes(r, 32), "zone": f"z{n % 3}"},
            "spec": {
                "image": "base-14.2",
                "disks": [
                    {"dev": "vda", "gib": 40, "kind": "ssd", "path": f"/pool/{hexes(r, 16)}"}
                ],
                "nets": [{"bridge": "br0", "mac": ":".join(hexes(r, 2) for _ in range(6))}],
            },
            "state": {
                "power": "on",
                "checks": [
                    {"kind": kind, "ok": True, "seen": f"2026-03-02T{clock(n)}Z"}
                    for kind in ("disk", "net", "agent")
                ],
            },
        }
        for n in range(64)
    ]
    machines[12]["state"]["checks"][1].update(
        ok=False, note="bridge br0 has no carrier since 03:12"
    )
    machines[29]["spec"]["nested"] = True
    machines[40]["state"] = {"power": "paused", "reason": "pool p7 is 99 % full"}
    machines[55]["spec"]["disks"][0]["gib"] = 4096
    facts = (
        "bridge br0 has no carrier since 03:12",
        '"nested": true',
        "pool p7 is 99 % full",
        '"gib": 4096',
        *(machines[at]["meta"]["name"] for at in (12, 29, 40, 55)),
    )
    return Probe(
        "machine_list",
        json.dumps({"items": machines}, indent=4),
        facts,
        "cluster get machines -o json",
    )


def enveloped_machines() -> Probe:
    """Rows that are envelopes of one machine each, which has the name one knows."""
    r = rng("enveloped machines")
    machines = [
        {
            "lease": f"l-{hexes(r, 12)}",
            "held": [
                {
                    "image": "base-14.2",
                    "machineId": f"m-{hexes(r, 14)}",
                    "started": f"2026-03-02T{clock(n)}Z",
                    "size": {"cores": 8, "gib": 32, "disks": ["vda", "vdb"], "net": "br0"},
                    "labels": [{"key": "team", "value": "ledger"}, {"key": "env", "value": "prod"}],
                    "power": {"code": 16, "says": "running", "since": f"2026-03-02T{clock(n)}Z"},
                    "about": " ".join(word(r) for _ in range(50)),
                }
            ],
        }
        for n in range(40)
    ]
    odd: Any = machines[23]["held"][0]
    odd["power"] = {"code": 80, "says": "halted", "since": f"2026-03-02T{clock(77)}Z"}
    text = json.dumps({"leases": machines}, indent=4)
    facts = ('"says": "halted"', odd["machineId"])
    return Probe("enveloped_machines", text, facts, "cloud machines --json")


PROBES = (lint_report, xml_stock, xml_deep_children, machine_list, enveloped_machines)
