"""JSON, separated values and tables."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, hexes, rng, word


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


def gpx_like_json() -> Probe:
    r = rng("inspect")
    body = [
        {
            "Id": hexes(r, 64),
            "State": {"Status": "running", "OOMKilled": False, "ExitCode": 0},
            "Config": {"Env": [f"{word(r).upper()}={n}" for n in range(120)], "Image": "app:9"},
            "Mounts": [
                {"Type": "bind", "Source": f"/srv/{word(r)}{n}", "RW": n != 41} for n in range(60)
            ],
            "HostConfig": {"Memory": 134217728, "Privileged": True},
        }
    ]
    return Probe(
        "docker_inspect",
        json.dumps(body, indent=4),
        ('"Privileged": true', '"Memory": 134217728', '"Status": "running"'),
        "docker inspect app",
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
    lines += [
        f'{n};"{word(r).title()}, {word(r).title()}";Köln;{r.randint(100, 900)},00;""'
        for n in range(400)
    ]
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
    lines += [
        f"{hexes(r, 12):15}{f'app/{word(r)}:1.{n}':28}{entry:24}{'Up 3 days':28}{word(r)}_{n}"
        for n in range(90)
    ]
    lines[63] = (
        f"{hexes(r, 12):15}{'app/invoice:0.9':28}{entry:24}{'Restarting (137) 4 sec ago':28}invoice_worker"
    )
    return Probe(
        "docker_ps",
        "\n".join(lines),
        ("Restarting (137) 4 sec ago", "invoice_worker", "CONTAINER ID"),
        "docker ps",
    )


def prometheus() -> Probe:
    r = rng("prometheus")
    lines = ["# HELP http_requests_total Requests.", "# TYPE http_requests_total counter"]
    lines += [
        f'http_requests_total{{path="/{word(r)}{n}",code="200"}} {r.randint(900, 1100)}'
        for n in range(300)
    ]
    lines.insert(222, 'http_requests_total{path="/pay",code="503"} 48211')
    lines += ["# TYPE queue_depth gauge", "queue_depth 7"]
    return Probe(
        "prometheus_metrics",
        "\n".join(lines),
        ('path="/pay",code="503"} 48211', "queue_depth 7"),
        "curl -s localhost:9100/metrics",
    )


PROBES = (
    nested_json,
    graphql_errors,
    cut_json,
    gpx_like_json,
    tsv,
    csv_quoted,
    docker_ps,
    prometheus,
)
