"""Test runs that fail."""

from __future__ import annotations

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


PROBES = (jest, unittest, cargo_test, rspec, maven, many_failures)
