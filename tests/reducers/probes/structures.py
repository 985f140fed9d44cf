"""Data of strict build: arrays of objects, settings, specifications, dumps, listings of code."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, hexes, rng, word

# Words of everyday vocabularies; two of them also say that something went wrong.
_LABELS = ["retry", "abort", "harvest", "ship", "sort", "weigh", "pack", "label", "store", "count"]


def tagged_items() -> Probe:
    """Rows among whose labels are words of trouble; three rows are odd in a column of values."""
    r = rng("tagged items")
    items = [
        {
            "id": n + 1,
            "ref": f"LOT-{r.randint(10000, 99999)}",
            "crates": -3 if n == 212 else r.randint(1, 6),
            "cost": {"cents": r.randint(900, 9000), "currency": "NOK" if n == 61 else "CHF"},
            "hall": None if n == 149 else r.choice(["north", "south"]),
            "labels": [word(r), r.choice(_LABELS)],
        }
        for n in range(280)
    ]
    text = json.dumps({"page": 2, "items": items})
    facts = ('"currency": "NOK"', '"hall": null', '"crates": -3', items[0]["ref"], items[-1]["ref"])
    return Probe("tagged_items", text, facts, "curl -s http://depot/v2/lots")


def failed_jobs() -> Probe:
    """Rows of which some say that they failed: an example of them, and the odd ones."""
    r = rng("failed jobs")
    rows = [
        {"job": f"{word(r)}-{n}", "state": "done", "tries": 1, "ms": r.randint(200, 900)}
        for n in range(220)
    ]
    for n in range(20, 220, 20):
        rows[n] |= {"state": "failed", "tries": 3}
    rows[97]["ms"] = 86_400_000
    rows[133]["state"] = "frozen"
    facts = ('"state": "failed"', '"ms": 86400000', '"state": "frozen"')
    return Probe("failed_jobs", json.dumps(rows, indent=1), facts, "depot jobs --json")


def deep_settings() -> Probe:
    """Objects of one deep build under names of their own; one differs in every value."""
    r = rng("deep settings")
    settings = {}
    for n in range(58):
        part = {
            "on": True,
            "limit_ms": r.choice([250, 750]),
            "peers": [f"p{k}.depot" for k in range(4)],
        }
        settings[f"{word(r)}_{n}"] = {word(r): {word(r): part}}
    odd = {"on": False, "limit_ms": 0, "peers": []}
    settings["gatekeeper"] = {"doors": {"iron": odd}}
    keys = [*settings]
    keys.insert(33, keys.pop())
    text = json.dumps({key: settings[key] for key in keys}, indent=2)
    facts = ('"gatekeeper"', '"on": false', '"limit_ms": 0', '"peers": []')
    return Probe("deep_settings", text, facts, "cat depot.json", "read")


def service_map() -> Probe:
    """An object of like objects; one of them has another image and no replicas."""
    r = rng("service map")
    services = {
        f"{word(r)}-{n}": {
            "image": f"depot/{word(r)}:2.4.1",
            "replicas": r.randint(2, 4),
            "env": {"LEVEL": "info", "ZONE": r.choice(["a", "b"])},
            "ports": [8000 + n],
        }
        for n in range(70)
    }
    services["scales-44"] = {
        "image": "depot/scales:1.9.0-rc1",
        "replicas": 0,
        "env": {"LEVEL": "trace", "ZONE": "a"},
        "ports": [8044],
    }
    order = sorted(services, key=lambda name: hash_of(name))
    text = json.dumps({"services": {name: services[name] for name in order}}, indent=2)
    facts = ('"scales-44"', "depot/scales:1.9.0-rc1", '"replicas": 0', '"LEVEL": "trace"')
    return Probe("service_map", text, facts, "cat stack.json", "read")


def hash_of(name: str) -> str:
    """An order that has nothing to do with names."""
    return hexes(rng(name), 8)


def openapi_head() -> Probe:
    """A specification: what it is and who may use it stands before its paths."""
    r = rng("openapi head")
    lines = [
        "openapi: 3.0.3",
        "info: {title: Depot, version: 7.1.0}",
        "security:",
        "  - session: []",
        "servers:",
        "  - url: https://api.depot.example/v7",
        "paths:",
    ]
    for n in range(56):
        name = word(r)
        lines += [
            f"  /{name}/{word(r)}_{n}:",
            "    get:",
            f"      operationId: get_{name}_{n}",
            f"      summary: Show the {name}",
            "      parameters:",
            "        - {name: id, in: path, required: true, schema: {type: string}}",
            "      responses:",
            "        '200': {description: Fine}",
        ]
        if n == 37:
            lines += ["  /gate/force:", "    post:", "      operationId: forceGate"]
            lines += ["      deprecated: true", "      security: []"]
    facts = ("info: {title: Depot, version: 7.1.0}", "- session: []", "openapi: 3.0.3")
    facts += ("forceGate", "deprecated: true", "https://api.depot.example/v7")
    return Probe("openapi_head", "\n".join(lines), facts, "cat openapi.yaml", "read")


def chart_values() -> Probe:
    """Settings whose first lines hold the few scalars of the whole."""
    r = rng("chart values")
    lines = ["release: depot-2026-11", "region: eu-north", "frozen: true", "workers:"]
    for n in range(60):
        lines += [
            f"  {word(r)}-{n}:",
            f"    image: depot/{word(r)}:4.2.{n % 3}",
            "    resources:",
            "      cpu: 250m",
            "      memory: 256Mi",
            "    probes:",
            "      path: /ready",
        ]
        if n == 41:
            lines[-4] = "      cpu: 16000m"
    facts = ("release: depot-2026-11", "region: eu-north", "frozen: true", "cpu: 16000m")
    return Probe("chart_values", "\n".join(lines), facts, "cat values.yaml", "read")


def coverage_records() -> Probe:
    """Records of coverage; of one file no line was reached."""
    r = rng("coverage records")
    lines = []
    for n in range(64):
        hit = 0 if n == 39 else 9
        lines += ["TN:", f"SF:lib/{word(r)}/{word(r)}_{n}.ts"]
        lines += [f"FN:{at},{word(r)}" for at in (2, 5)]
        lines += [f"DA:{at},{r.randint(1, 9) if hit else 0}" for at in range(1, 10)]
        lines += ["LF:9", f"LH:{hit}", "BRF:0", "BRH:0", "end_of_record"]
    lines[39 * 18 + 1] = "SF:lib/gate/force.ts"
    facts = ("SF:lib/gate/force.ts", "LH:0")
    return Probe("coverage_records", "\n".join(lines), facts, "cat coverage/lcov.info")


def disassembly() -> Probe:
    """A listing of machine code: names of functions, and an instruction of its own."""
    r = rng("disassembly")
    lines = ["", "depotd:     file format elf64-x86-64", "", "", "Disassembly of section .text:"]
    at = 0x2040
    for n in range(24):
        name = "open_the_gate" if n == 15 else f"{word(r)}_{n}"
        lines += ["", f"{at:016x} <{name}>:"]
        for _ in range(14):
            code = " ".join(hexes(r, 2) for _ in range(3))
            told = r.choice(["mov    %rax,%rbx", "add    $0x8,%rsp", "lea    0x10(%rdi),%rax"])
            lines.append(f"    {at:x}:\t{code:20} \t{told}")
            at += 3
    lines[300] = f"    {0x2999:x}:\tcc                   \tint3   # patched by hand"
    names = tuple(line[17:] for line in lines if line.endswith(">:"))
    facts = (
        "<open_the_gate>:",
        "int3   # patched by hand",
        "file format elf64-x86-64",
        *names[::4],
    )
    return Probe("disassembly", "\n".join(lines), facts, "objdump -d depotd")


def layers() -> Probe:
    """What became of each of many layers, and why the pull ended: no settings."""
    r = rng("layers")
    lines = [
        "9: Pulling from depot/scales",
        *(f"{hexes(r, 12)}: {'Pull complete' if n % 3 else 'Already exists'}" for n in range(240)),
        "denied by quota: this address pulled 100 images in 6 hours",
    ]
    facts = ("this address pulled 100 images in 6 hours", "Pulling from depot/scales")
    return Probe("layers", "\n".join(lines), facts, "docker pull depot/scales:9", exit_code=1)


def call_transcript() -> Probe:
    """Who said what in a call: no settings either."""
    r = rng("call transcript")
    lines = [
        f"{r.choice(['Ana', 'Bo', 'Cem'])}: {word(r).title()} and {word(r)} look fine to me, "
        f"let's see how the {word(r)} does next week."
        for _ in range(240)
    ]
    lines[97] = "Cem: Then we go with the rail freight, not the trucks."
    lines[171] = "Ana: Please don't ship anything to Oslo until the customs form is back."
    facts = (lines[97], lines[171])
    return Probe("call_transcript", "\n".join(lines), facts, "cat call.txt", "read")


PROBES = (
    tagged_items,
    failed_jobs,
    deep_settings,
    service_map,
    openapi_head,
    chart_values,
    coverage_records,
    disassembly,
    layers,
    call_transcript,
)
