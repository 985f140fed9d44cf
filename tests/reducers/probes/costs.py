"""Where time and room went: plans of queries, profiles, summaries of loads."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, clock, hexes, rng, word

_SORTED = """\
 Limit  (cost=881203.11..881203.36 rows=100) (actual time=48120.4..48121.0 rows=100 loops=1)
   Buffers: shared hit=124 read=28
   ->  Sort  (cost=881203.11..883001.90 rows=719516) (actual time=48120.3..48120.7 rows=100)
         Sort Key: (sum(l.weight)) DESC
         Sort Method: external merge  Disk: 61208kB
         Buffers: shared hit=1240 read=280"""
_JOINED = """\
->  Hash Join  (cost={n}1.43..{n}99.10 rows={n}12) (actual time={n}.2..{n}31.9 rows={n}3 loops=1)
      Hash Cond: ({table}.id = l.{table}_id)
      Buffers: shared hit={n}93 read={n}21
      ->  Index Scan using {table}_pkey  (cost=0.43..8.45 rows=1) (actual time=0.01..0.02 rows=1)
            Index Cond: (id = {n})"""
_SCANNED = """\
->  Seq Scan on lots l  (cost=0.00..612008 rows=3310) (actual time=0.4..46310.7 rows=2991 loops=1)
      Filter: ((state = 'open'::text) AND (weighed_at > '2026-10-01'::date))
      Rows Removed by Filter: 18402117
      Buffers: shared hit=2790 read=630"""
_TOOK = """\
 Planning Time: 4.118 ms
 JIT:
   Functions: 41
   Timing: Generation 3.912 ms, Inlining 0.000 ms, Optimization 2.044 ms
 Execution Time: 48133.902 ms"""


def _indented(text: str, depth: int) -> str:
    return "\n".join(f"{' ' * depth}{line}" for line in text.split("\n"))


def costly_plan() -> Probe:
    """A plan in which one scan throws nearly all rows away and a sort goes to disk."""
    r = rng("costly plan")
    parts = [_SORTED]
    for n in range(1, 8):
        joined = _JOINED.format(n=n, table=f"{word(r)}_{hexes(r, 2)}")
        parts.append(_indented(joined, 3 + 6 * n))
    text = "\n".join([*parts, _indented(_SCANNED, 51), _TOOK])
    told = ("Rows Removed by Filter: 18402117", "Disk: 61208kB", "Execution Time: 48133.902 ms")
    facts = (*told, "Seq Scan on lots l", "Filter: ((state = 'open'::text)")
    return Probe("costly_plan", text, facts, "psql -f slow.sql shops")


_PROFILED = """\
Mon Nov 30 09:12:44 2026    run.prof

         918244 function calls (901120 primitive calls) in 7.204 seconds

   Ordered by: internal time
   List reduced from 1400 to 260 due to restriction <260>

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
    14220    5.881    0.000    6.402    0.000 /srv/till/weigh.py:214(tare_of)
     9120    0.041    0.000    6.440    0.001 /srv/till/weigh.py:88(weigh)"""


def call_profile() -> Probe:
    """A profile by time, most of whose rows took none."""
    r = rng("call profile")
    lines = _PROFILED.split("\n")
    for n in range(258):
        spent = f"{0.03 / (n + 3):8.3f}"
        where = f"{word(r)}/{word(r)}.py:{r.randint(1, 900)}({word(r)})"
        calls = f"{r.randint(20, 900)}/{r.randint(1, 9)}" if n % 9 == 4 else r.randint(1, 9000)
        lines.append(f"{calls:>9} {spent}    0.000 {spent}    0.000 {where}")
    facts = (*(lines[at] for at in (7, 8, 9)), "918244 function calls", "in 7.204 seconds")
    return Probe("call_profile", "\n".join(lines), facts, "python -m pstats run.prof")


def load_summary() -> Probe:
    """Progress, then figures as JSON; the one that missed what was asked of it is shown."""
    r = rng("load summary")
    lines = [f"at {clock(n)}: 60 of 60 walkers, {n * 88} crates weighed" for n in range(70)]
    figures: dict[str, object] = {}
    names = [f"{word(r)}_{hexes(r, 2)}" for _ in range(9)]
    for name in (*names[:4], "weigh_duration", *names[4:]):
        figures[name] = {"unit": "ms", "avg": r.randint(9, 99), "p95": r.randint(200, 300)}
    figures["weigh_duration"] = {
        "unit": "ms",
        "avg": 212,
        "p95": 318,
        "asked": {"p95<250": {"ok": False}},
    }
    lines += [
        *json.dumps({"figures": figures}, indent=2).split("\n"),
        "error: missed what was asked",
    ]
    facts = ("weigh_duration", '"p95": 318', "p95<250", "missed what was asked")
    return Probe("load_summary", "\n".join(lines), facts, "weigh-load run --json", exit_code=99)


PROBES = (costly_plan, call_profile, load_summary)
