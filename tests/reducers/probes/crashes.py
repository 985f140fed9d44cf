"""Stack traces and crashes."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, clock, hexes, rng, word


def python_traces() -> Probe:
    r = rng("python_traces")
    block = [
        "Traceback (most recent call last):",
        '  File "/srv/app/runner/loop.py", line 51, in run',
        "    self.step(job)",
        '  File "/srv/app/runner/step.py", line 18, in step',
        "    return client.get(job.url, timeout=3)",
        "requests.exceptions.ReadTimeout: timed out",
    ]
    lines: list[str] = []
    for n in range(70):
        lines += [f"{clock(n)} worker {n % 5} job {r.randint(1000, 9999)}", *block, ""]
    lines[280:280] = [
        "09:00:41 worker 2 job 4242",
        "Traceback (most recent call last):",
        '  File "/srv/app/runner/loop.py", line 51, in run',
        "    self.step(job)",
        '  File "/srv/app/runner/pay.py", line 204, in charge',
        "    ledger.debit(account, cents)",
        "worker.pay.LedgerFrozen: account 31-7 is frozen since 2026-01-09",
        "",
    ]
    facts = (
        "worker.pay.LedgerFrozen: account 31-7 is frozen",
        'pay.py", line 204',
        "requests.exceptions.ReadTimeout",
    )
    return Probe("python_traces_repeated", "\n".join(lines), facts, "cat worker.err", "read")


def node_crash() -> Probe:
    r = rng("node_crash")
    lines = [f"[{clock(n)}] GET /{word(r)} 200 {r.randint(2, 30)}ms" for n in range(260)]
    lines += [
        "/srv/web/lib/cache.js:88",
        "    return entry.value.clone()",
        "                       ^",
        "",
        "TypeError: Cannot read properties of undefined (reading 'clone')",
        "    at Cache.take (/srv/web/lib/cache.js:88:24)",
        "    at async handler (/srv/web/routes/page.js:31:17)",
        "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
        "",
        "Node.js v22.3.0",
    ]
    facts = (
        "Cannot read properties of undefined (reading 'clone')",
        "cache.js:88:24",
        "page.js:31:17",
    )
    return Probe("node_crash_after_log", "\n".join(lines), facts, "node server.js", exit_code=1)


def go_panic() -> Probe:
    lines = [
        "fatal error: all goroutines are asleep - deadlock!",
        "",
        "goroutine 1 [chan receive]:",
        "main.main()",
        "\t/src/cmd/relay/main.go:42 +0x1a5",
        "",
    ]
    for n in range(70):
        lines += [
            f"goroutine {n + 18} [select, 4 minutes]:",
            "github.com/acme/relay/pump.(*Pump).loop(0xc0001)",
            "\t/src/pump/pump.go:77 +0x99",
            "created by github.com/acme/relay/pump.New",
            "\t/src/pump/pump.go:31 +0x5c",
            "",
        ]
    lines[200:200] = [
        "goroutine 9001 [semacquire, 4 minutes]:",
        "github.com/acme/relay/lease.(*Table).Lock(0xc0042)",
        "\t/src/lease/table.go:118 +0x2f",
        "",
    ]
    facts = (
        "all goroutines are asleep - deadlock!",
        "/src/cmd/relay/main.go:42",
        "lease/table.go:118",
    )
    return Probe("go_deadlock", "\n".join(lines), facts, "./relay", exit_code=2)


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


PROBES = (python_traces, node_crash, go_panic, asan)
