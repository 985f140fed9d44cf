"""Test runs, builds, linters and installers."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reducers.probes.probe import Probe, rng, word


def jest() -> Probe:
    r = rng("jest")
    lines = [
        f"PASS src/{word(r)}/{word(r)}{n}.test.tsx ({r.randint(1, 9)}.{n % 10} s)"
        for n in range(140)
    ]
    lines[88:88] = [
        "FAIL src/cart/totals.test.ts",
        "  ● cart totals › applies VAT after the voucher",
        "",
        "    expect(received).toBe(expected) // Object.is equality",
        "",
        "    Expected: 11900",
        "    Received: 12138",
        "",
        "      41 |   const cart = build({ voucher: 'TEN' })",
        "    > 42 |   expect(total(cart)).toBe(11900)",
        "         |                       ^",
        "      43 | })",
        "",
        "      at Object.<anonymous> (src/cart/totals.test.ts:42:23)",
    ]
    lines += [
        "",
        "Test Suites: 1 failed, 140 passed, 141 total",
        "Tests:       1 failed, 1822 passed, 1823 total",
        "Time:        48.2 s",
    ]
    facts = (
        "cart totals › applies VAT after the voucher",
        "Expected: 11900",
        "Received: 12138",
        "totals.test.ts:42:23",
        "1 failed, 1822 passed",
    )
    return Probe("jest_failure", "\n".join(lines), facts, "npx jest", exit_code=1)


def unittest() -> Probe:
    r = rng("unittest")
    lines = [
        f"test_{word(r)}_{n} (tests.test_{word(r)}.{word(r).title()}Tests.test_{word(r)}_{n}) ... ok"
        for n in range(260)
    ]
    lines[131] = (
        "test_negative_interval (tests.test_clock.ClockTests.test_negative_interval) ... ERROR"
    )
    lines += [
        "",
        "=" * 70,
        "ERROR: test_negative_interval (tests.test_clock.ClockTests.test_negative_interval)",
        "-" * 70,
        "Traceback (most recent call last):",
        '  File "/srv/app/tests/test_clock.py", line 77, in test_negative_interval',
        "    clock.advance(-5)",
        '  File "/srv/app/clock/core.py", line 31, in advance',
        "    raise IntervalError(seconds)",
        "clock.core.IntervalError: cannot advance by -5",
        "",
        "-" * 70,
        "Ran 260 tests in 3.114s",
        "",
        "FAILED (errors=1)",
    ]
    facts = (
        "test_negative_interval",
        "clock.core.IntervalError: cannot advance by -5",
        'clock/core.py", line 31',
        "Ran 260 tests",
        "FAILED (errors=1)",
    )
    return Probe("unittest_error", "\n".join(lines), facts, "python -m unittest -v", exit_code=1)


def cargo_test() -> Probe:
    r = rng("cargo_test")
    lines = ["   Compiling store v0.4.0", "running 190 tests"]
    lines += [f"test {word(r)}::{word(r)}::case_{n} ... ok" for n in range(190)]
    lines[97] = "test codec::varint::rejects_overlong ... FAILED"
    lines += [
        "",
        "failures:",
        "",
        "---- codec::varint::rejects_overlong stdout ----",
        "thread 'codec::varint::rejects_overlong' panicked at src/codec/varint.rs:88:9:",
        "assertion `left == right` failed",
        "  left: Ok(128)",
        " right: Err(Overlong)",
        "",
        "failures:",
        "    codec::varint::rejects_overlong",
        "",
        "test result: FAILED. 189 passed; 1 failed; 0 ignored; finished in 0.31s",
    ]
    facts = (
        "codec::varint::rejects_overlong",
        "src/codec/varint.rs:88:9",
        "right: Err(Overlong)",
        "189 passed; 1 failed",
    )
    return Probe("cargo_test_failure", "\n".join(lines), facts, "cargo test", exit_code=101)


def rspec() -> Probe:
    r = rng("rspec")
    lines = [f"  {word(r)} {word(r)} is {word(r)}" for n in range(150)]
    lines += [
        "",
        "Failures:",
        "",
        "  1) Refund#issue refuses twice",
        "     Failure/Error: expect(refund.issue).to eq(:refused)",
        "",
        "       expected: :refused",
        "            got: :issued",
        "     # ./spec/models/refund_spec.rb:58:in `block (3 levels)'",
        "",
        "Finished in 12.4 seconds",
        "151 examples, 1 failure",
        "",
        "rspec ./spec/models/refund_spec.rb:55 # Refund#issue refuses twice",
    ]
    facts = (
        "Refund#issue refuses twice",
        "expected: :refused",
        "refund_spec.rb:58",
        "151 examples, 1 failure",
    )
    return Probe("rspec_failure", "\n".join(lines), facts, "bundle exec rspec", exit_code=1)


def maven() -> Probe:
    r = rng("maven")
    lines = ["[INFO] Scanning for projects..."]
    for n in range(120):
        lines += [
            f"[INFO] Running org.acme.{word(r)}.{word(r).title()}{n}Test",
            f"[INFO] Tests run: {n % 9 + 1}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.{n} s",
        ]
    lines[120:120] = [
        "[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1.2 s <<< FAILURE! - in org.acme.fx.RoundingTest",
        "[ERROR] org.acme.fx.RoundingTest.halfEven  Time elapsed: 0.04 s  <<< FAILURE!",
        "java.lang.AssertionError: expected:<2.34> but was:<2.35>",
        "\tat org.acme.fx.RoundingTest.halfEven(RoundingTest.java:66)",
        "\tat java.base/jdk.internal.reflect.Method.invoke(Method.java:580)",
    ]
    lines += [
        "[ERROR] Tests run: 611, Failures: 1, Errors: 0, Skipped: 3",
        "[INFO] BUILD FAILURE",
        "[INFO] Total time:  02:11 min",
    ]
    facts = (
        "RoundingTest.halfEven",
        "expected:<2.34> but was:<2.35>",
        "RoundingTest.java:66",
        "Tests run: 611, Failures: 1",
        "BUILD FAILURE",
    )
    return Probe("maven_failure", "\n".join(lines), facts, "mvn -B verify", exit_code=1)


def many_failures() -> Probe:
    r = rng("many_failures")
    names = [f"tests/test_{word(r)}.py::test_{word(r)}_{word(r)}_{n}" for n in range(28)]
    lines = ["." * 60 + f" [ {n}%]" for n in range(0, 100, 3)] + [
        "=========== short test summary info ==========="
    ]
    lines += [f"FAILED {name} - assert {n} == {n + 1}" for n, name in enumerate(names)]
    lines += ["28 failed, 1902 passed, 4 skipped in 88.10s (0:01:28)"]
    facts = (*names[::5], "28 failed, 1902 passed")
    return Probe("pytest_many_failures", "\n".join(lines), facts, "pytest -q", exit_code=1)


def mypy() -> Probe:
    r = rng("mypy")
    lines = [
        f"app/{word(r)}/{word(r)}.py:{r.randint(3, 400)}: error: Missing return type annotation  [no-untyped-def]"
        for n in range(130)
    ]
    lines[71] = (
        'app/pay/settle.py:219: error: Argument 1 to "post" has incompatible type "Decimal | None"; expected "Decimal"  [arg-type]'
    )
    lines += ["Found 130 errors in 88 files (checked 240 source files)"]
    facts = (
        "app/pay/settle.py:219",
        '"Decimal | None"; expected "Decimal"',
        "Found 130 errors in 88 files",
        "[no-untyped-def]",
    )
    return Probe("mypy_one_other", "\n".join(lines), facts, "mypy app", exit_code=1)


def javac_gradle() -> Probe:
    r = rng("gradle")
    lines = [f"> Task :{word(r)}:{word(r)}{n} UP-TO-DATE" for n in range(130)]
    lines[84:84] = [
        "> Task :billing:compileJava FAILED",
        "/w/billing/src/main/java/acme/Invoice.java:141: error: incompatible types: long cannot be converted to Money",
        "        return cents;",
        "               ^",
        "1 error",
        "",
    ]
    lines += [
        "",
        "FAILURE: Build failed with an exception.",
        "",
        "* What went wrong:",
        "Execution failed for task ':billing:compileJava'.",
        "> Compilation failed; see the compiler error output for details.",
        "",
        "BUILD FAILED in 41s",
        "131 actionable tasks: 1 executed, 130 up-to-date",
    ]
    facts = (
        "Invoice.java:141",
        "long cannot be converted to Money",
        ":billing:compileJava",
        "BUILD FAILED in 41s",
    )
    return Probe("gradle_compile_error", "\n".join(lines), facts, "./gradlew build", exit_code=1)


def cmake_link() -> Probe:
    r = rng("cmake")
    lines = [
        f"[{n // 3:3}%] Building CXX object src/CMakeFiles/core.dir/{word(r)}_{n}.cpp.o"
        for n in range(280)
    ]
    lines[200:200] = [
        "src/net/tls.cpp:77:12: warning: 'EVP_MD_CTX_create' is deprecated [-Wdeprecated-declarations]",
        "   77 |   ctx = EVP_MD_CTX_create();",
        "      |         ^",
    ]
    lines += [
        "/usr/bin/ld: src/libcore.a(session.cpp.o): in function `Session::resume()':",
        "session.cpp:(.text+0x41c): undefined reference to `TicketStore::take(std::string const&)'",
        "collect2: error: ld returned 1 exit status",
        "make[2]: *** [src/CMakeFiles/served.dir/build.make:97: src/served] Error 1",
        "make: *** [Makefile:136: all] Error 2",
    ]
    facts = (
        "undefined reference to `TicketStore::take(std::string const&)'",
        "Session::resume()",
        "make[2]: *** ",
        "src/net/tls.cpp:77:12",
    )
    return Probe("cmake_link_error", "\n".join(lines), facts, "cmake --build build", exit_code=2)


def ansible() -> Probe:
    r = rng("ansible")
    lines = []
    for n in range(40):
        lines += (
            [f"TASK [{word(r)} : {word(r)} {n}] " + "*" * 40]
            + [f"ok: [web{h}]" for h in range(6)]
            + [""]
        )
    at = lines.index("ok: [web4]", 150)
    lines[at] = (
        'fatal: [web4]: FAILED! => {"changed": false, "msg": "No space left on device: /var/lib/apt"}'
    )
    lines += ["PLAY RECAP " + "*" * 60] + [
        f"web{h}  : ok=40  changed=0  unreachable=0  failed={int(h == 4)}" for h in range(6)
    ]
    facts = ("fatal: [web4]", "No space left on device: /var/lib/apt", "failed=1", "PLAY RECAP")
    return Probe(
        "ansible_failure", "\n".join(lines), facts, "ansible-playbook site.yml", exit_code=2
    )


def pip_conflict() -> Probe:
    r = rng("pip")
    lines = [
        f"Requirement already satisfied: {word(r)}-{n} in ./lib/site-packages (2.{n})"
        for n in range(170)
    ]
    lines += [
        "ERROR: Cannot install app and beacon==3.1 because these package versions have conflicting dependencies.",
        "",
        "The conflict is caused by:",
        "    app 1.0 depends on harbor<4 and >=3.2",
        "    beacon 3.1 depends on harbor>=4.1",
        "",
        "ERROR: ResolutionImpossible: for help visit https://pip.example.org/conflicts",
    ]
    facts = ("harbor<4 and >=3.2", "beacon 3.1 depends on harbor>=4.1", "ResolutionImpossible")
    return Probe(
        "pip_conflict", "\n".join(lines), facts, "pip install -r requirements.txt", exit_code=1
    )


def shellcheck() -> Probe:
    r = rng("shellcheck")
    lines = []
    for n in range(60):
        lines += [
            f"In deploy/{word(r)}.sh line {n + 3}:",
            f"  rm -f ${word(r)}",
            "        ^-- SC2086 (info): Double quote to prevent globbing and word splitting.",
            "",
        ]
    lines[160:160] = [
        "In deploy/rollback.sh line 19:",
        '  rm -rf "$PREFIX"/',
        '         ^-------^ SC2115 (warning): Use "${var:?}" to ensure this never expands to / .',
        "",
    ]
    facts = ("In deploy/rollback.sh line 19:", "SC2115", "never expands to /")
    return Probe("shellcheck", "\n".join(lines), facts, "shellcheck deploy/*.sh", exit_code=1)


def all_probes() -> Iterator[Probe]:
    for make in (
        jest,
        unittest,
        cargo_test,
        rspec,
        maven,
        many_failures,
        mypy,
        javac_gradle,
        cmake_link,
        ansible,
        pip_conflict,
        shellcheck,
    ):
        yield make()
