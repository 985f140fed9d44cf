"""What tools show of a program that runs: its threads, where its time goes, its page."""

from __future__ import annotations

from tests.reducers.probes.documents import sentence
from tests.reducers.probes.probe import WORDS, Probe, clock, hexes, rng, word


def _thread(name: str, n: int, state: str, *frames: str) -> list[str]:
    head = f'"{name}" #{n} daemon prio=5 os_prio=0 cpu={n}.21ms tid=0x{n:016x} nid=0x{n:x} waiting'
    return [head, f"   java.lang.Thread.State: {state}", *(f"\t{frame}" for frame in frames), ""]


_SERVICES = ("Compiler", "Sweeper", "Refinement", "Listener", "Notification", "Cleaner", "Attach")


def blocked_threads() -> Probe:
    """Many threads wait for a lock, and one holds it; those of the machine do nothing."""
    lines = ["Full thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode, sharing):", ""]
    for n, name in enumerate(_SERVICES * 2):
        lines += _thread(f"{name} {'of the machine ' * (n % 5)}#{n}", n, "RUNNABLE")
    holds = "- locked <0x00000007c1f0aa18> (a till.Drawer)"
    waits = "- waiting to lock <0x00000007c1f0aa18> (a till.Drawer)"
    below = (
        "at till.Count.run(C.java:17)",
        "at java.lang.Thread.run(java.base@21/Thread.java:1583)",
    )
    busy = ("at till.Drawer.sum(D.java:88)", holds, *below)
    lines += _thread("counter-0", 20, "TIMED_WAITING (sleeping)", *busy)
    for n in range(1, 30):
        frames = ("at till.Drawer.add(D.java:41)", waits, *below)
        lines += _thread(f"counter-{n}", 20 + n, "BLOCKED (on object monitor)", *frames)
    facts = ("BLOCKED (on object monitor)", waits, holds, "at till.Drawer.sum(D.java:88)")
    return Probe("blocked_threads", "\n".join(lines), facts, "jstack 4711")


def profile() -> Probe:
    """The table of a profiler stands behind what the program printed itself."""
    r = rng("profile")
    lines = [
        f"  --{word(r)}-{word(r)}  {' '.join(word(r) for _ in range(n % 9))}" for n in range(40)
    ]
    lines += ["         81240 function calls (80112 primitive calls) in 2.391 seconds", ""]
    heads = "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)"
    lines += ["   Ordered by: internal time", "", heads]
    for n in range(260):
        spent = 2.0 / (n + 1)
        where = (
            f"{word(r)}.py:{r.randint(9, 900)}({word(r)}_{hexes(r, 3)})",
            f"{{built-in method {word(r)}}}",
            f"<frozen {word(r)}.{word(r)}>:{n}(<{word(r)}>)",
        )[r.randrange(3)]
        lines.append(
            f"{r.randint(1, 4000):9} {spent:8.3f} {0:8.3f} {spent * 1.2:8.3f} {0:8.3f} {where}"
        )
    facts = ("81240 function calls", "Ordered by: internal time", heads)
    return Probe("profile_table", "\n".join(lines), facts, "python -m cProfile -s time count.py")


def page_snapshot() -> Probe:
    """A page as a browser tool gives it: many like items, and a form at its end."""
    r = rng("page_snapshot")
    lines = ['- document "Depot":', "  - list:"]
    for n in range(70):
        lines += [
            "    - listitem:",
            f'      - link "{word(r)} {word(r)} {n}" [ref=e{10 + 3 * n}]',
            f'      - text: "{r.randint(100, 99999) / 100:.2f} CHF"',
        ]
    lines += ["  - main:", '    - textbox "Voucher" [ref=e700]']
    lines += ['    - button "Redeem" [disabled] [ref=e701]', '    - text: "The voucher is spent"']
    facts = (
        'document "Depot"',
        '"Voucher" [ref=e700]',
        "[disabled]",
        "The voucher is spent",
        lines[3],
    )
    return Probe("page_snapshot_of_items", "\n".join(lines), facts, "", "browser")


def help_text() -> Probe:
    """Help of a program with more options than a view can explain: each is named all the same."""
    r = rng("help_text")
    names = [f"{WORDS[n % len(WORDS)]}-{word(r)}-{n}" for n in range(110)]
    lines = ["Usage:  tillctl open [OPTIONS] TILL", "", "Options:"]
    for name in names:
        said = " ".join(word(r) for _ in range(3))
        lines += [
            f"      --{name} string".ljust(41) + f"Set the {said}",
            " " * 41 + f"of {word(r)}",
        ]
    lines[91:91] = ["      --wipe".ljust(41) + "Never use this while a till is open"]
    facts = ("Usage:  tillctl open", "Never use this while", *(f"--{name}" for name in names[::9]))
    return Probe("help_of_many_options", "\n".join(lines), facts, "tillctl open --help")


def lone_component() -> Probe:
    """Components that log all the time say this and that; one says a thing once."""
    r = rng("lone_component")
    names = ("d.till.Drawer", "d.stock.Shelf", "org.db.Pool", "d.till.Receipt")
    lines = [
        f"2027-03-04T{clock(n)}.{n % 900:03}Z  INFO 7 --- [worker-{n % 8}] {r.choice(names):<24} : "
        f"{sentence(r)}"
        for n in range(220)
    ]
    lines[161] = lines[161].split("] ")[0] + f"] {'d.stock.Mode':<24} : Shelves take no goods in"
    facts = ("d.stock.Mode             : Shelves take no goods in",)
    return Probe("lone_component", "\n".join(lines), facts, "kubectl logs depot-0")


def product_page() -> Probe:
    """A page of a shop: what it can be asked to do stands in its form, and not in its licence."""
    r = rng("product_page")
    items = "".join(f"<li>{sentence(r)}</li>" for _ in range(40))
    form = (
        '<form action="/basket/add" method="post"><input type="hidden" name="sku" value="T-77">'
        '<select name="size"><option>12 l</option></select><button>Order</button></form>'
    )
    rights = "Copyright 2027 by the depot. It comes without any warranty; you must not resell it."
    text = (
        "<!doctype html><html><head><title>Tub T-77</title></head><body><h1>Tub T-77</h1>"
        f"<p>38.50 CHF</p>{form}<ul>{items}</ul><p>{rights} {rights}</p></body></html>"
    )
    facts = ("Tub T-77", "38.50 CHF", "/basket/add", 'value="T-77"')
    return Probe("product_page", text, facts, "https://depot.example/t77", "web_fetch")


PROBES = (blocked_threads, profile, page_snapshot, help_text, lone_component, product_page)
