"""Outputs whose ordinary lines vary a lot, also in words that elsewhere tell of trouble."""

from __future__ import annotations

from tests.reducers.probes.probe import WORDS, Probe, clock, rng

# What the parts of a program are called there.
NAMES = [*WORDS[:20], "retry", "timeout", "leak", "conflict"]


def device_log() -> Probe:
    r = rng("device_log")
    lines = ["--------- beginning of main"]
    lines += [
        f"04-09 {clock(n)}.{n % 1000:03} {r.randint(900, 4000):5} {r.randint(900, 4000):5} "
        f"{r.choice('VDIW')} {r.choice(['Window', 'Gnss', 'Radio'])}Service: "
        f"{r.choice(['store', 'merge', 'route', 'sign'])} {r.choice(NAMES)} for uid {n % 97}"
        for n in range(500)
    ]
    crash = "04-09 09:05:00.300  2711  2711 E Runtime: "
    lines[301:301] = [
        f"{crash}FATAL EXCEPTION: main",
        f"{crash}Process: org.example.till, PID: 2711",
        f"{crash}java.lang.IllegalStateException: journal is closed",
        f"{crash}\tat org.example.till.Journal.append(Journal.kt:88)",
    ]
    lines.insert(444, "04-09 09:07:20.110  1001  1044 I Activity: org.example.till:sync has died")
    facts = ("org.example.till, PID: 2711", "Journal.kt:88", "till:sync has died")
    return Probe("device_log", "\n".join(lines), facts, "adb logcat -d")


def database_log() -> Probe:
    r = rng("database_log")
    lines = [
        f"2026-04-09 {clock(n)}.{n % 1000:03} UTC [{r.randint(900, 1400)}] app@till LOG:  "
        f"duration: {r.randint(1, 99)}.{r.randint(100, 999)} ms  execute q: "
        f"SELECT * FROM {r.choice(NAMES)} WHERE {r.choice(NAMES)}_id = $1"
        for n in range(300)
    ]
    head = "2026-04-09 09:02:30.001 UTC [1177] app@till "
    lines[150:150] = [
        f"{head}ERROR:  deadlock detected",
        f"{head}DETAIL:  Process 1177 waits for ShareLock on transaction 88; blocked by 1201.",
        "\tProcess 1201 waits for ShareLock on transaction 86; blocked by 1177.",
        "\tProcess 1177: UPDATE drawer SET cents = cents - 5 WHERE id = 7",
        "\tProcess 1201: UPDATE drawer SET cents = cents + 5 WHERE id = 3",
    ]
    lines.insert(
        280, "2026-04-09 09:04:40.002 UTC [81] LOG:  checkpoints are too frequent (9 seconds apart)"
    )
    facts = ("deadlock detected", "cents + 5 WHERE id = 3", "checkpoints are too frequent (9")
    return Probe("database_log", "\n".join(lines), facts, "docker logs db")


def upright_rows() -> Probe:
    r = rng("upright_rows")
    lines: list[str] = []
    for n in range(1, 90):
        is_odd = n == 62
        lines += [
            f"*************************** {n}. row ***************************",
            f"           Id: {4000 + n}",
            "         User: till",
            f"         Host: 10.4.{r.randint(1, 250)}.{r.randint(1, 250)}:{r.randint(20000, 60000)}",
            f"      Command: {'Query' if is_odd else 'Sleep'}",
            f"         Time: {88123 if is_odd else r.randint(0, 200)}",
            f"        State: {'Waiting for table metadata lock' if is_odd else ''}",
            f"         Info: {'ALTER TABLE drawer ADD COLUMN memo TEXT' if is_odd else 'NULL'}",
        ]
    facts = ("62. row", "Id: 4062", "Time: 88123", "ADD COLUMN memo")
    return Probe("upright_rows", "\n".join(lines), facts, "mysql -e 'SHOW PROCESSLIST\\G'")


def aborted_run() -> Probe:
    lines = ["[==========] Running 300 tests."]
    for n in range(140):
        name = f"Drawer.{WORDS[n % 25].title()}{n}"
        lines += [f"[ RUN      ] {name}", f"[       OK ] {name} ({n % 7} ms)"]
    lines += [
        "[ RUN      ] Drawer.WrapsAtMidnight",
        "==991==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000050",
        "READ of size 4 at 0x602000000050 thread T0",
        "    #0 0x55f1 in Drawer::peek() const /w/src/drawer.cpp:91:12",
        *(f"    #{n} 0x7f{n:04} in std::__frame{n}() /usr/lib/libstd.so:{n}" for n in range(1, 30)),
    ]
    facts = ("[ RUN      ] Drawer.WrapsAtMidnight", "drawer.cpp:91:12", "heap-use-after-free")
    return Probe("aborted_run", "\n".join(lines), facts, "./drawer_test", exit_code=1)


def skipped_test() -> Probe:
    lines = ["1..300", *(f"ok {n} {WORDS[n % 25]} keeps {WORDS[n % 23]}" for n in range(1, 301))]
    lines[88] = "ok 88 restores from tape # skip no tape drive"
    lines[202:203] = [
        "not ok 202 backup refuses to overwrite a newer archive",
        "# (in test file test/backup.bats, line 92)",
        '#   `[ "$status" -eq 3 ]\' failed',
    ]
    facts = ("# skip no tape drive", "not ok 202", "backup.bats, line 92")
    return Probe("skipped_test", "\n".join(lines), facts, "bats test", exit_code=1)


def bundle() -> Probe:
    r = rng("bundle")
    lines = [
        f"  ✓ compiled ./src/{r.choice(NAMES)}/{r.choice(NAMES)}.tsx {r.randint(900, 90000)} bytes"
        for _ in range(220)
    ]
    lines += [
        "ERROR in ./src/till/pay.tsx 12:0-44",
        "Module not found: Error: Can't resolve '@till/vault' in '/w/src/till'",
        "webpack 5.96.1 compiled with 1 error in 18412 ms",
    ]
    facts = ("pay.tsx 12:0-44", "@till/vault", "18412 ms")
    return Probe("bundle", "\n".join(lines), facts, exit_code=1)


def synthesis() -> Probe:
    r = rng("synthesis")
    lines = [
        f"INFO: [Synth 8-638] synthesizing module '{r.choice(NAMES)}_{r.choice(NAMES)}' "
        f"[/w/rtl/{r.choice(NAMES)}.sv:{r.randint(1, 400)}]"
        for _ in range(260)
    ]
    lines.insert(90, "CRITICAL WARNING: [Timing 38-282] The design failed to meet its timing")
    lines.insert(140, "WARNING: [Synth 8-327] inferring latch for 'state_reg' [/w/rtl/arb.sv:92]")
    facts = ("[Timing 38-282]", "'state_reg'", "arb.sv:92")
    return Probe("synthesis", "\n".join(lines), facts, "vivado -mode batch")


def traces_with_ids() -> Probe:
    r = rng("traces_with_ids")
    lines: list[str] = []
    for n in range(42):
        key = f"{r.getrandbits(32):08x}"
        lines += [
            f"2026-04-09 {clock(n * 20)} ERROR [http-{n % 8}] o.e.Api - request {key} failed",
            f"org.example.ApiException: request {key} failed",
            f"\tat org.example.api.{r.choice(WORDS).title()}.run(Run.java:{r.randint(10, 99)})",
            "\tat org.springframework.web.servlet.DispatcherServlet.doDispatch(D.java:1089)",
            f"Caused by: java.sql.SQLException: pool is empty after {r.randint(30000, 30999)} ms",
            "\tat org.example.till.Dao.find(Dao.java:88)",
            "\t... 41 common frames omitted",
        ]
    lines[140:140] = [
        "2026-04-09 09:07:01 ERROR [http-3] o.e.Api - request failed",
        "java.lang.IllegalArgumentException: tenant t-audit has no shard",
        "\tat org.example.shard.Router.pick(Router.java:57)",
    ]
    facts = ("Dao.java:88", "tenant t-audit has no shard", "Router.java:57", "pool is empty")
    return Probe("traces_with_ids", "\n".join(lines), facts, "docker logs api")


def goroutines() -> Probe:
    r = rng("goroutines")
    lines = ["panic: assignment to entry in nil map", "", "goroutine 77 [running]:"]
    lines += ["till/book.(*Book).Add(0x0)", "\t/w/book/book.go:118 +0x4f"]
    lines += ["till/api.(*Server).buy(0xc0001)", "\t/w/api/buy.go:61 +0x1c", ""]
    for n in range(60):
        name = r.choice(WORDS)
        lines += [
            f"goroutine {100 + n} [{r.choice(['select', 'IO wait'])}, {r.randint(1, 90)} minutes]:",
            f"till/{name}.(*{name.title()}).loop(0xc000{n:04x})",
            f"\t/w/{name}/loop.go:{r.randint(10, 400)} +0x{n:x}",
            "",
        ]
    lines += ["goroutine 9 [sync.Mutex.Lock, 181 minutes]:", "till/drawer.(*Drawer).Post(0xc0)"]
    lines += ["\t/w/drawer/drawer.go:204 +0x99", "", "exit status 2"]
    facts = ("nil map", "buy.go:61", "sync.Mutex.Lock, 181 minutes", "drawer.go:204")
    return Probe("goroutines", "\n".join(lines), facts, "./till", exit_code=2)


def failures_of_one_cause() -> Probe:
    r = rng("failures_of_one_cause")
    lines, failed = ["F" * 60, "", "Failures:", ""], []
    for n in range(1, 61):
        place = f"./spec/{r.choice(WORDS)}_spec.rb:{r.randint(10, 300)}"
        lines.append(f"  {n}) Till::{r.choice(WORDS).title()} keeps {r.choice(WORDS)}")
        if n == 38:
            place = "./spec/drawer_spec.rb:204"
            lines += ["     Failure/Error: expect { post(-1) }.to raise_error(ArgumentError)", ""]
            lines += ["       expected ArgumentError but nothing was raised"]
        else:
            lines += ["     Failure/Error: visit '/login'", ""]
            lines += ["     Selenium::WebDriver::Error::SessionNotCreatedError:"]
            lines += ["       session not created: this driver only supports browser 131"]
            lines += ["     # ./spec/support/login.rb:12:in `login'"]
        lines += [f"     # {place}:in `block (2 levels)'", ""]
        failed.append(f"rspec {place}")
    lines += ["300 examples, 60 failures", "", "Failed examples:", "", *failed]
    facts = ("only supports browser 131", "drawer_spec.rb:204:in", "60 failures", failed[-1])
    return Probe("failures_of_one_cause", "\n".join(lines), facts, "rspec", exit_code=1)


def long_lines() -> Probe:
    r = rng("long_lines")

    def payload(*said: str) -> str:
        pairs = [f'"{r.choice(WORDS)}_{n}":"{r.getrandbits(32):08x}"' for n in range(60)]
        return ",".join([*pairs[:30], *said, *pairs[30:]])

    lines = [f"2026-04-09 {clock(n)} DEBUG payload={{{payload()}}}" for n in range(40)]
    reason = '"reason":"the bank said there is no such account"'
    lines[22] = f"2026-04-09 {clock(22)} ERROR payload={{{payload(reason)}}}"
    facts = ("the bank said there is no such account", f"{clock(22)} ERROR")
    return Probe("long_lines", "\n".join(lines), facts, "docker logs till")


def quiet_hours() -> Probe:
    lines = [f"2026-04-09 {clock(n * 10)} INFO tick {n}" for n in range(150)]
    lines += [f"2026-04-09 {clock(n * 10 + 10_900)} INFO tick {n}" for n in range(150, 300)]
    facts = (f"{clock(1490)} INFO tick 149", f"{clock(12_400)} INFO tick 150")
    return Probe("quiet_hours", "\n".join(lines), facts, "cat tick.log")


def metrics() -> Probe:
    r = rng("metrics")
    lines: list[str] = []
    for name in WORDS:
        lines += [
            f"# HELP till_{name}_total Number of {name}.",
            f"# TYPE till_{name}_total counter",
        ]
        lines += [
            f'till_{name}_total{{instance="10.0.0.{n}",code="200"}} {r.randint(10, 9999)}'
            for n in range(1, 9)
        ]
    lines[123] = 'till_kelp_total{instance="10.0.0.2",code="401"} 48112'
    return Probe("metrics", "\n".join(lines), ('code="401"} 48112',), "curl -s :9090/metrics")


PROBES = (
    quiet_hours,
    metrics,
    long_lines,
    failures_of_one_cause,
    traces_with_ids,
    goroutines,
    device_log,
    database_log,
    upright_rows,
    aborted_run,
    skipped_test,
    bundle,
    synthesis,
)
