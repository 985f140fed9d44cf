"""Specifications, settings, tables and trees."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.reducers.probes.probe import Probe, hexes, rng, word


def openapi() -> Probe:
    r = rng("openapi")
    lines = ["openapi: 3.0.3", "info:", "  title: Orchard API", "  version: 4.2.1", "paths:"]
    for n in range(46):
        name = f"{word(r)}s"
        path = f"/v2/{name}/{{{name}Id}}" if n % 2 else f"/v2/{name}{n}"
        lines.append(f"  {path}:")
        for method in ("get", "post")[: 1 + n % 2]:
            lines += [
                f"    {method}:",
                f"      operationId: {method}{name.title()}{n}",
                f"      summary: {method.title()} one of the {name}",
                "      security:",
                "        - bearerAuth: []",
                "      responses:",
                "        '200':",
                "          description: OK",
            ]
        if n == 31:
            lines += [
                "    delete:",
                "      operationId: purgeLedgerArchive",
                "      summary: Remove an archive for good",
                "      security: []",
                "      deprecated: true",
                "      responses:",
                "        '202':",
                "          description: Accepted, takes up to 36 hours",
            ]
    lines += ["components:", "  schemas:"]
    for n in range(18):
        lines += [f"    {word(r).title()}{n}:", "      type: object", "      properties:"]
        lines += [f"        {word(r)}:", "          type: string"]
    facts = ("title: Orchard API", "purgeLedgerArchive", "deprecated: true", "security: []")
    return Probe("openapi_yaml", "\n".join(lines), facts, "cat api/openapi.yaml", "read")


def yaml_paths() -> Probe:
    r = rng("yaml_paths")
    lines = ["version: 2", "root: /srv/app", "include:"]
    lines += [f"  - src/{word(r)}/{word(r)}_{n}.py" for n in range(220)]
    lines.insert(120, "  - vendor/legacy/crypto_shim.c")
    lines += ["exclude:"] + [f"  - build/{word(r)}/{n}" for n in range(90)]
    lines += ["owners:", "  default: '@platform'", "  vendor/legacy: '@mlin'"]
    facts = ("vendor/legacy/crypto_shim.c", "vendor/legacy: '@mlin'", "include:", "exclude:")
    return Probe("yaml_list_of_paths", "\n".join(lines), facts, "cat manifest.yml", "read")


def markdown_table() -> Probe:
    r = rng("markdown_table")
    lines = ["# Capacity review", "", "Numbers as of week 14.", "", "## Hosts", ""]
    lines += ["| host | region | cpu | memory | owner | note |", "|---|---|---:|---:|---|---|"]
    for n in range(160):
        row = f"| node-{n:03} | eu-{1 + n % 3} | {r.randint(20, 60)}% | {r.randint(30, 70)}% |"
        lines.append(f"{row} team-{n % 7} | |")
    lines[100] = "| node-092 | ap-9 | 99% | 97% | team-3 | swap exhausted, drain before Friday |"
    lines += [
        "",
        "## Decision",
        "",
        "We drain node-092 and order 4 more hosts (budget 18,400 EUR).",
        "",
    ]
    facts = ("node-092", "swap exhausted, drain before Friday", "## Decision", "18,400 EUR")
    return Probe("markdown_table", "\n".join(lines), facts, "cat review.md", "read")


def ini_settings() -> Probe:
    r = rng("ini")
    lines = ["; service settings"]
    for n in range(60):
        lines += [f"[{word(r)}.{n}]", f"host = db{n}.internal", "port = 5432", "ssl = on"]
        lines += [f"pool = {r.randint(5, 15)}", "timeout_ms = 3000", ""]
    at = lines.index("host = db37.internal")
    lines[at + 2] = "ssl = off"
    lines[at + 4] = "timeout_ms = 900000"
    facts = ("host = db37.internal", "ssl = off", "timeout_ms = 900000")
    return Probe("ini_settings", "\n".join(lines), facts, "cat pools.ini", "read")


def toml_workspace() -> Probe:
    r = rng("toml")
    lines = ["[workspace]", 'members = ["core", "cli"]', 'resolver = "2"', ""]
    for n in range(110):
        lines += [
            "[[package]]",
            f'name = "{word(r)}-{word(r)}-{n}"',
            f'version = "1.{r.randint(0, 30)}.0"',
        ]
        lines += [
            'source = "registry+https://index.example.org"',
            f'checksum = "{hexes(r, 40)}"',
            "",
        ]
    lines[331:331] = [
        "[[package]]",
        'name = "left-pad-fork"',
        'version = "0.0.1-rc9"',
        'source = "git+https://forge.example.net/eve/left-pad?rev=bad1dea"',
        "",
    ]
    facts = ("left-pad-fork", "0.0.1-rc9", "git+https://forge.example.net/eve/left-pad?rev=bad1dea")
    return Probe("lock_file", "\n".join(lines), facts, "cat Deps.lock", "read")


def kubectl_describe() -> Probe:
    lines = [
        "Name:             ledger-api-7c9f",
        "Namespace:        prod",
        "Node:             node-17/10.0.4.17",
        "Status:           Pending",
        "Labels:           app=ledger-api",
    ]
    for n in range(24):
        lines += [
            f"  sidecar-{n}:",
            f"    Image:          registry.example.org/sidecar-{n}:1.4.{n}",
            "    State:          Running",
            "    Ready:          True",
            "    Restart Count:  0",
            "    Limits:",
            "      cpu:     500m",
            "      memory:  256Mi",
        ]
    at = lines.index("  sidecar-13:")
    lines[at + 2 : at + 5] = [
        "    State:          Waiting",
        "      Reason:       CreateContainerConfigError",
        "    Ready:          False",
        "    Restart Count:  41",
    ]
    lines += [
        "Events:",
        "  Type     Reason     Age    From     Message",
        "  ----     ------     ----   ----     -------",
        '  Warning  Failed     2m     kubelet  Error: secret "ledger-dsn-v2" not found',
    ]
    facts = (
        "CreateContainerConfigError",
        "Restart Count:  41",
        'secret "ledger-dsn-v2" not found',
        "Status:           Pending",
    )
    return Probe(
        "kubectl_describe", "\n".join(lines), facts, "kubectl describe pod ledger-api-7c9f"
    )


def nested_json() -> Probe:
    r = rng("nested_json")
    nodes = [
        {
            "id": f"n{n}",
            "kind": "host",
            "tags": [word(r), word(r)],
            "metrics": {"load": round(r.random(), 2), "disk": r.randint(30, 60)},
        }
        for n in range(240)
    ]
    nodes[77]["metrics"] = {"load": 41.7, "disk": 100}
    nodes[77]["alarm"] = {"since": "2026-02-03T04:05:06Z", "text": "inode table full on /var"}
    body = {
        "cluster": "orion",
        "generation": 90071992547409931,
        "data": {"nodes": nodes, "next": None},
        "warnings": [],
    }
    facts = ('"n77"', "41.7", "inode table full on /var", "90071992547409931")
    return Probe(
        "json_nested_rows", json.dumps(body), facts, "curl -s https://inv.example.org/nodes"
    )


def graphql_errors() -> Probe:
    r = rng("graphql")
    edges = [
        {
            "node": {
                "id": f"U{n}",
                "login": f"{word(r)}{n}",
                "active": True,
                "orders": r.randint(1, 9),
            }
        }
        for n in range(180)
    ]
    edges[133]["node"]["active"] = False
    body = {
        "data": {
            "users": {"edges": edges, "pageInfo": {"hasNextPage": True, "endCursor": "c2Vjb25k"}}
        },
        "errors": [
            {
                "message": "Field 'taxId' is restricted",
                "path": ["users", "edges", 133],
                "extensions": {"code": "FORBIDDEN_FIELD"},
            }
        ],
    }
    facts = ("Field 'taxId' is restricted", "FORBIDDEN_FIELD", "c2Vjb25k", '"U133"')
    return Probe(
        "json_graphql_errors",
        json.dumps(body, indent=2),
        facts,
        "curl -s https://api.example.org/graphql",
    )


def cut_json() -> Probe:
    r = rng("cut_json")
    rows = [
        {"sku": f"SKU-{n:05}", "stock": r.randint(10, 90), "warehouse": f"W{n % 4}", "state": "ok"}
        for n in range(700)
    ]
    rows[211].update(stock=-17, state="quarantined")
    text = json.dumps(rows)[:38_000] + "\n\n[… 18211 more characters truncated…]"
    return Probe(
        "json_cut_by_the_host",
        text,
        ("SKU-00211", "-17", "quarantined"),
        "curl -s https://shop.example.org/stock",
    )


def tsv() -> Probe:
    r = rng("tsv")
    lines = ["sample\tlane\treads\tq30\tstatus"]
    lines += [
        f"S{n:04}\t{n % 8 + 1}\t{r.randint(9_000_000, 11_000_000)}\t{r.uniform(91, 95):.1f}\tpass"
        for n in range(900)
    ]
    lines[556] = "S0555\t4\t1204\t12.3\tcontaminated"
    return Probe(
        "tsv_runs",
        "\n".join(lines),
        ("S0555\t4\t1204\t12.3\tcontaminated", "sample\tlane\treads"),
        "cat runs.tsv",
        "read",
    )


def csv_quoted() -> Probe:
    r = rng("csv_quoted")
    lines = ["id;name;city;balance;comment"]
    for n in range(400):
        lines.append(f'{n};"{word(r).title()}, {word(r).title()}";Köln;{r.randint(100, 900)},00;""')
    lines[287] = '286;"Ünal, Ömer";Köln;-48210,75;"Mahnstufe 3; gerichtlich"'
    return Probe(
        "csv_semicolon_german",
        "\n".join(lines),
        ("-48210,75", "Mahnstufe 3; gerichtlich"),
        "cat konten.csv",
        "read",
    )


def docker_ps() -> Probe:
    r = rng("docker_ps")
    entry = '"/entrypoint.sh"'
    lines = [f"{'CONTAINER ID':15}{'IMAGE':28}{'COMMAND':24}{'STATUS':28}NAMES"]
    for n in range(90):
        lines.append(
            f"{hexes(r, 12):15}{f'app/{word(r)}:1.{n}':28}{entry:24}{'Up 3 days':28}{word(r)}_{n}"
        )
    lines[63] = (
        f"{hexes(r, 12):15}{'app/invoice:0.9':28}{entry:24}{'Restarting (137) 4 sec ago':28}invoice_worker"
    )
    return Probe(
        "docker_ps",
        "\n".join(lines),
        ("Restarting (137) 4 sec ago", "invoice_worker", "CONTAINER ID"),
        "docker ps",
    )


def all_probes() -> Iterator[Probe]:
    for make in (
        openapi,
        yaml_paths,
        markdown_table,
        ini_settings,
        toml_workspace,
        kubectl_describe,
        nested_json,
        graphql_errors,
        cut_json,
        tsv,
        csv_quoted,
        docker_ps,
    ):
        yield make()
