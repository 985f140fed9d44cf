"""What operating systems and databases print."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, rng, word


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


PROBES = (strace, explain, expanded, coverage, events, audit, profile)
