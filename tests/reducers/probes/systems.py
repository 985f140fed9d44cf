"""What operating systems, databases and clusters print."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.reducers.probes.probe import Probe, hexes, rng, word


def strace() -> Probe:
    r = rng("strace")
    lines = [
        f'[pid {4000 + n % 5}] read({n % 30}, "\\0\\1{word(r)}"..., 4096) = {r.randint(100, 4096)}'
        for n in range(500)
    ]
    lines[377] = (
        '[pid 4003] openat(AT_FDCWD, "/etc/relay/key.pem", O_RDONLY) = -1 EACCES (Permission denied)'
    )
    return Probe(
        "strace",
        "\n".join(lines),
        ('"/etc/relay/key.pem"', "-1 EACCES (Permission denied)"),
        "strace -f ./relay",
    )


def explain() -> Probe:
    lines = [
        "Limit  (cost=8812.11..8812.14 rows=10 width=96) (actual time=9214.551..9214.560 rows=10 loops=1)"
    ]
    for n in range(60):
        pad = " " * (n % 12)
        lines += [
            f"{pad}->  Index Scan using t{n}_pkey on t{n}  (cost=0.42..8.44 rows=1 width=32) (actual time=0.01{n % 9}..0.02 rows=1 loops={n + 1})",
            f"{pad}      Index Cond: (id = {n})",
            f"{pad}      Buffers: shared hit={n + 3}",
        ]
    lines[91:91] = [
        "  ->  Seq Scan on ledger_entries  (cost=0.00..91823.00 rows=4100000 width=48) (actual time=0.020..8711.337 rows=4099871 loops=1)",
        "        Filter: (state <> 'void'::text)",
        "        Rows Removed by Filter: 1129",
    ]
    lines += ["Planning Time: 3.118 ms", "Execution Time: 9215.882 ms"]
    facts = (
        "Seq Scan on ledger_entries",
        "actual time=0.020..8711.337",
        "Execution Time: 9215.882 ms",
    )
    return Probe("explain_analyze", "\n".join(lines), facts, "psql -c 'explain analyze ...'")


def expanded() -> Probe:
    r = rng("expanded")
    lines: list[str] = []
    for n in range(90):
        lines += [
            f"-[ RECORD {n + 1} ]----------------------",
            f"id         | {n + 100}",
            f"name       | {word(r)}",
            "status     | active",
            f"balance    | {r.randint(10, 99)}.00",
            "note       | ",
        ]
    at = lines.index("id         | 161")
    lines[at + 2 : at + 5] = [
        "status     | frozen",
        "balance    | -7750.25",
        "note       | court order 12/26",
    ]
    return Probe(
        "psql_expanded", "\n".join(lines), ("frozen", "-7750.25", "court order 12/26"), "psql -x"
    )


def coverage() -> Probe:
    r = rng("coverage")
    lines = ["Name                                Stmts   Miss  Cover   Missing", "-" * 66]
    lines += [
        f"app/{word(r)}/{word(r)}_{n}.py{'':8}{r.randint(30, 90):8}{0:7}   100%" for n in range(110)
    ]
    lines[70] = f"app/pay/refund.py{'':19}{212:6}{201:7}     5%   14-320"
    lines += ["-" * 66, "TOTAL                                6412    201    97%"]
    return Probe(
        "coverage_report",
        "\n".join(lines),
        ("app/pay/refund.py", "5%   14-320", "TOTAL"),
        "coverage report -m",
    )


def compose_logs() -> Probe:
    r = rng("compose")
    names = ("web-1     ", "worker-1  ", "redis-1   ")
    lines = [
        f"{names[n % 3]} | {n % 60:02} tick {r.randint(1, 99)} handled by {word(r)}"
        for n in range(450)
    ]
    lines[298] = "worker-1   | Traceback (most recent call last):"
    lines[299] = 'worker-1   |   File "/app/jobs/export.py", line 61, in run'
    lines[300] = "worker-1   | jobs.errors.BucketGone: bucket 'exports-eu' was deleted"
    return Probe(
        "compose_logs",
        "\n".join(lines),
        ("jobs.errors.BucketGone: bucket 'exports-eu' was deleted", "export.py"),
        "docker compose logs",
    )


def actions_log() -> Probe:
    r = rng("actions")
    lines = [
        f"build\tInstall\t2026-05-06T09:{n // 60:02}:{n % 60:02}.0000000Z Fetched {word(r)}@{n}.0"
        for n in range(400)
    ]
    lines += [
        "build\tTest\t2026-05-06T09:07:01.0000000Z ##[error]src/auth.ts(31,9): Type 'null' is not assignable to type 'Claims'.",
        "build\tTest\t2026-05-06T09:07:02.0000000Z ##[error]Process completed with exit code 2.",
    ]
    lines += [
        f"build\tPost\t2026-05-06T09:08:{n % 60:02}.0000000Z Cleaning up {word(r)}"
        for n in range(120)
    ]
    facts = ("src/auth.ts(31,9)", "Type 'null' is not assignable to type 'Claims'", "exit code 2")
    return Probe("actions_log", "\n".join(lines), facts, "gh run view 91 --log", exit_code=1)


def asan() -> Probe:
    r = rng("asan")
    lines = [
        f"#{n} 0x{hexes(r, 12)} in {word(r)}_{n} /src/{word(r)}.c:{r.randint(5, 400)}:{n % 30}"
        for n in range(120)
    ]
    lines[0:0] = [
        "=" * 65,
        "==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x60300000eff4 at pc 0x55d1",
        "READ of size 4 at 0x60300000eff4 thread T0",
    ]
    lines += [
        "SUMMARY: AddressSanitizer: heap-use-after-free /src/ring/pop.c:88:14 in ring_pop",
        "==4242==ABORTING",
    ]
    facts = (
        "heap-use-after-free on address 0x60300000eff4",
        "SUMMARY: AddressSanitizer",
        "/src/ring/pop.c:88:14 in ring_pop",
    )
    return Probe("asan_report", "\n".join(lines), facts, "./fuzz corpus", exit_code=1)


def events() -> Probe:
    r = rng("events")
    lines = ["LAST SEEN   TYPE      REASON      OBJECT                   MESSAGE"]
    lines += [
        f"{n % 59}m         Normal    Pulled      pod/{word(r)}-{n:03}          Container image already present on machine"
        for n in range(170)
    ]
    lines[112] = (
        '12m         Warning   FailedMount pod/ledger-0             MountVolume.SetUp failed for volume "pvc-77": rpc deadline exceeded'
    )
    return Probe(
        "kubectl_events",
        "\n".join(lines),
        ("FailedMount", "pod/ledger-0", 'volume "pvc-77": rpc deadline exceeded'),
        "kubectl get events",
    )


def dependency_tree() -> Probe:
    r = rng("tree_deps")
    lines = ["shop@1.0.0 /srv/shop"]
    for n in range(70):
        lines += [
            f"├─┬ {word(r)}-{n}@2.{n}.0",
            f"│ ├── {word(r)}@1.{n}.3",
            f"│ └── {word(r)}@4.0.{n}",
        ]
    lines[98] = "│ └── UNMET DEPENDENCY left-join@^9.1.0"
    return Probe(
        "npm_ls",
        "\n".join(lines),
        ("UNMET DEPENDENCY left-join@^9.1.0", "shop@1.0.0 /srv/shop"),
        "npm ls",
        exit_code=1,
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


def audit() -> Probe:
    r = rng("audit")
    lines = [
        "Report Summary",
        "",
        "┌──────────────┬──────────────┬──────────┬─────────┬─────────┐",
        "│ Library      │ Vulnerability│ Severity │ Found   │ Fixed   │",
        "├──────────────┼──────────────┼──────────┼─────────┼─────────┤",
    ]
    lines += [
        f"│ {word(r):12} │ CVE-2025-{1000 + n} │ LOW      │ 1.{n % 9}.0   │         │"
        for n in range(90)
    ]
    lines[60] = "│ openssl      │ CVE-2026-0417│ CRITICAL │ 3.0.2   │ 3.0.19  │"
    lines += [
        "└──────────────┴──────────────┴──────────┴─────────┴─────────┘",
        "Total: 90 (LOW: 89, CRITICAL: 1)",
    ]
    return Probe(
        "trivy_table",
        "\n".join(lines),
        ("CVE-2026-0417", "CRITICAL", "3.0.19", "Total: 90"),
        "trivy image app",
        exit_code=1,
    )


def profile() -> Probe:
    r = rng("profile")
    lines = [
        "         8123312 function calls in 41.221 seconds",
        "",
        "   Ordered by: cumulative time",
        "",
        "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)",
    ]
    lines += [
        f"{r.randint(1000, 9000):9}    0.0{n % 9}0    0.000    0.1{n % 9}0    0.000 /srv/app/{word(r)}.py:{n + 3}({word(r)})"
        for n in range(120)
    ]
    lines[9] = "       12   39.871    3.323   39.902    3.325 /srv/app/dedupe.py:88(quadratic_scan)"
    return Probe(
        "cprofile",
        "\n".join(lines),
        ("quadratic_scan", "39.902", "41.221 seconds"),
        "python -m cProfile run.py",
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


def changelog() -> Probe:
    r = rng("changelog")
    lines = ["Changelog", "=========", ""]
    for n in range(60, 0, -1):
        lines += (
            [f"2.{n}.0 (2026-0{n % 9 + 1}-11)", "-" * 19, ""]
            + [f"* {word(r).title()} the {word(r)} of the {word(r)}." for _ in range(4)]
            + [""]
        )
    at = lines.index("2.23.0 (2026-06-11)")
    lines[at + 3] = "* BREAKING: `open()` no longer follows symlinks (GH-4711)."
    return Probe(
        "changelog_rst",
        "\n".join(lines),
        ("BREAKING: `open()` no longer follows symlinks (GH-4711).", "2.60.0"),
        "cat CHANGES.rst",
        "read",
    )


def blame() -> Probe:
    r = rng("blame")
    lines = [
        f"9f{hexes(r, 6) if n % 40 == 0 else 'aa11bb'} (Ines Costa   2025-11-0{n % 9 + 1} 10:00:00 +0100 {n + 1:4})     value_{n} = compute({n})"
        for n in range(260)
    ]
    lines[171] = (
        "0badf00d (Evan Wright  2026-04-01 03:14:15 +0000  172)     verify = False  # temporary"
    )
    return Probe(
        "git_blame",
        "\n".join(lines),
        ("0badf00d", "Evan Wright", "verify = False  # temporary"),
        "git blame app.py",
    )


def diff_stat() -> Probe:
    r = rng("diff_stat")
    lines = [
        f" src/{word(r)}/{word(r)}_{n}.ts | {r.randint(2, 8):4} {'+' * 3}{'-' * 2}"
        for n in range(150)
    ]
    lines[93] = " db/migrations/0099_drop_customers.sql |  812 " + "-" * 40
    lines += [" 150 files changed, 690 insertions(+), 1411 deletions(-)"]
    return Probe(
        "git_diff_stat",
        "\n".join(lines),
        ("0099_drop_customers.sql", "150 files changed, 690 insertions(+)"),
        "git diff --stat main",
    )


def all_probes() -> Iterator[Probe]:
    for make in (
        strace,
        explain,
        expanded,
        coverage,
        compose_logs,
        actions_log,
        asan,
        events,
        dependency_tree,
        environment,
        audit,
        profile,
        gpx_like_json,
        changelog,
        blame,
        diff_stat,
    ):
        yield make()
