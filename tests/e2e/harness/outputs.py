"""Prints tool output of one kind and size, the same on every run.

Run as `python outputs.py KIND [--kb N]`; other arguments are ignored, so that
it can stand for any command. Each kind holds a few lines that matter among
many that do not, as real output does.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from itertools import count

_FILES = ("billing", "cart", "catalog", "checkout", "ledger", "search", "session", "stock")
_VERBS = ("adds", "rejects", "rounds", "merges", "expires", "retries", "sorts", "locks")
_PEOPLE = ("Amara", "Bo", "Chidi", "Dana", "Emre", "Farah", "Goran", "Hana")


def render(kind: str, size: int) -> str:
    """Text of a kind, about *size* bytes long, ending with a whole line."""
    return _KINDS[kind](random.Random(f"{kind} {size}"), size)


def _until(size: int, lines: Iterator[str]) -> list[str]:
    """Lines up to a size in bytes."""
    taken: list[str] = []
    length = 0
    for line in lines:
        if length >= size:
            break
        taken.append(line)
        length += len(line.encode()) + 1
    return taken


def _tests(rng: random.Random, size: int) -> str:
    def names() -> Iterator[str]:
        for at in count():
            file = rng.choice(_FILES)
            yield f"tests/test_{file}.py::test_{rng.choice(_VERBS)}_{file}_{at}"

    passed = [f"{name} PASSED" for name in _until(size - 1200, names())]
    failed = "tests/test_ledger.py::test_rounds_half_even_on_refund"
    passed.insert(len(passed) * 2 // 3, f"{failed} FAILED")
    lines = [
        "============================= test session starts ==============================",
        f"collected {len(passed)} items",
        "",
        *passed,
        "",
        "=================================== FAILURES ===================================",
        "________________________ test_rounds_half_even_on_refund ________________________",
        "",
        "    def test_rounds_half_even_on_refund():",
        '        refund = Ledger("EUR").refund(Decimal("10.125"))',
        '>       assert refund.amount == Decimal("10.12")',
        "E       AssertionError: assert Decimal('10.13') == Decimal('10.12')",
        "",
        "tests/test_ledger.py:88: AssertionError",
        "=========================== short test summary info ============================",
        f"FAILED {failed} - AssertionError: assert Decimal('10.13') == Decimal('10.12')",
        f"================== 1 failed, {len(passed) - 1} passed in 42.17s ===================",
    ]
    return "\n".join(lines) + "\n"


def _log(rng: random.Random, size: int) -> str:
    def lines() -> Iterator[str]:
        for at in count():
            stamp = (
                f"2026-03-14T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}.{at % 1000:03}Z"
            )
            if at % 397 == 211:
                yield f"{stamp} ERROR pool exhausted: 20 of 20 connections busy, waited 5000 ms"
            elif at % 89 == 44:
                yield f"{stamp} WARN  slow query on orders took {rng.randint(900, 4000)} ms"
            else:
                path = f"/v1/{rng.choice(_FILES)}/{rng.randint(1, 9999)}"
                yield f"{stamp} INFO  GET {path} 200 {rng.randint(2, 80)} ms"

    return "\n".join(_until(size, lines())) + "\n"


def _order(rng: random.Random, number: int) -> dict[str, object]:
    order: dict[str, object] = {
        "id": f"ord_{number:06}",
        "customer": rng.choice(_PEOPLE),
        "status": "paid",
        "total": round(rng.uniform(5, 400), 2),
        "lines": rng.randint(1, 6),
    }
    if number % 171 == 93:
        order |= {"status": "disputed", "reason": "charged twice"}
    return order


def _json(rng: random.Random, size: int) -> str:
    orders = _until(size - 60, (json.dumps(_order(rng, at)) for at in count(1)))
    body = ",\n  ".join(orders)
    return f'{{"count": {len(orders)}, "next": null, "orders": [\n  {body}\n]}}\n'


def _grep(rng: random.Random, size: int) -> str:
    def lines() -> Iterator[str]:
        for at in count():
            file = f"src/{_FILES[at // 40 % len(_FILES)]}/{rng.choice(_VERBS)}.py"
            line, timeout = rng.randint(1, 900), rng.randint(1, 60)
            yield f"{file}:{line}:    retry(timeout={timeout}, attempts=3)"

    return "\n".join(_until(size, lines())) + "\n"


def _diff(rng: random.Random, size: int) -> str:
    def lines() -> Iterator[str]:
        for at in count():
            name = f"src/{rng.choice(_FILES)}/step_{at}.py"
            yield f"diff --git a/{name} b/{name}"
            yield f"index {rng.getrandbits(28):07x}..{rng.getrandbits(28):07x} 100644"
            yield f"--- a/{name}"
            yield f"+++ b/{name}"
            start = rng.randint(1, 300)
            yield f"@@ -{start},6 +{start},7 @@ def run(self) -> None:"
            yield "         with self.lock:"
            yield f"-            self.timeout = {at}"
            yield f"+            self.timeout = {at + 1}"
            yield "+            self.log.debug('timeout set')"
            yield from (
                "             self.apply()",
                "         return None",
                "",
                "     def stop(self):",
            )

    return "\n".join(_until(size, lines())) + "\n"


def _build(rng: random.Random, size: int) -> str:
    def lines() -> Iterator[str]:
        for at in count(1):
            unit = f"{rng.choice(_FILES)}_{at}"
            yield f"cc -O2 -Wall -Iinclude -c src/{unit}.c -o build/{unit}.o"
            if at % 120 == 77:
                line = rng.randint(10, 400)
                yield f"src/{unit}.c:{line}:9: warning: unused variable 'rc' [-Wunused-variable]"

    built = _until(size - 300, lines())
    return (
        "\n".join(built)
        + "\nsrc/stock_final.c:57:14: error: too few arguments to function 'reserve'\n"
        + "make: *** [Makefile:31: build/stock_final.o] Error 1\n"
    )


def _table(rng: random.Random, size: int) -> str:
    def rows() -> Iterator[str]:
        for at in count(1):
            state = "stuck" if at % 143 == 60 else "done"
            yield f" {at:6} | {rng.choice(_FILES):10} | {state:6} | {rng.randint(1, 99999):8}"

    body = _until(size - 120, rows())
    head = "     id | queue      | state  |     ms\n--------+------------+--------+----------\n"
    return head + "\n".join(body) + f"\n({len(body)} rows)\n"


def _csv(rng: random.Random, size: int) -> str:
    def rows() -> Iterator[str]:
        for at in count(1):
            order = _order(rng, at)
            yield ",".join(str(order[key]) for key in ("id", "customer", "status", "total"))

    return "\n".join(["id,customer,status,total", *_until(size - 30, rows())]) + "\n"


_KINDS: dict[str, Callable[[random.Random, int], str]] = {
    "tests": _tests,
    "log": _log,
    "json": _json,
    "grep": _grep,
    "diff": _diff,
    "build": _build,
    "table": _table,
    "csv": _csv,
}


def main() -> None:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description="Print tool output of one kind.")
    parser.add_argument("kind", choices=sorted(_KINDS))
    parser.add_argument("--kb", type=int, default=20, help="size in kilobytes of 1,000")
    asked, _ = parser.parse_known_args()
    sys.stdout.write(render(asked.kind, asked.kb * 1000))


if __name__ == "__main__":
    main()
