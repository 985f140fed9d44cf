"""Specifications and settings."""

from __future__ import annotations

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
            f"    Image:          images.example.org/sidecar-{n}:1.4.{n}",
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


def environment() -> Probe:
    r = rng("env")
    lines = [f"{word(r).upper()}_{word(r).upper()}_{n}={word(r)}" for n in range(160)]
    lines[77] = "DATABASE_URL=postgres://svc@pg-7.internal:6432/ledger?sslmode=disable"
    return Probe(
        "environment",
        "\n".join(lines),
        ("DATABASE_URL=postgres://svc@pg-7.internal:6432/ledger?sslmode=disable",),
        "printenv",
    )


PROBES = (
    openapi,
    yaml_paths,
    markdown_table,
    ini_settings,
    toml_workspace,
    kubectl_describe,
    environment,
)
