"""What people say and what manuals explain: transcripts, notes, standards, runbooks."""

from __future__ import annotations

import textwrap

from tests.reducers.probes.documents import sentence
from tests.reducers.probes.probe import Probe, clock, rng, word

# Spoken of a program, and nothing that happened.
_TROUBLED = (
    "If the {0} fails, an error is thrown and the {1} is closed.",
    "You can ignore the warning about the {0}, it comes from the {1}.",
    "An invalid {0} is reported as an error once the {1} is read.",
)


def _talk(name: str, count: int) -> list[str]:
    r = rng(name)
    said = [sentence(r) for _ in range(count)]
    for at in range(0, count, 5):
        said[at] = r.choice(_TROUBLED).format(word(r), word(r))
    return said


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, 72, initial_indent=" " * indent, subsequent_indent=" " * indent)


def transcript() -> Probe:
    said = _talk("transcript", 150)
    said[61] = "Then it is final, we do not take the loan from Hallmark."
    said[97] = "Petra brings the signed lease by Thursday noon."
    lines = [
        f"[{clock(7 * n)}.000 --> {clock(7 * n + 6)}.500]  {each}" for n, each in enumerate(said)
    ]
    return Probe("transcript", "\n".join(lines), (said[61], said[97]), "whisper meeting.m4a")


def dated_notes() -> Probe:
    said = _talk("dated_notes", 120)
    said[33] = "The roof is now cared for by Frau Ostertag, +49 30 5556 71."
    said[88] = "Key to the shed lies with locker K-417."
    lines = [f"- 2027-{1 + n // 28:02}-{1 + n % 28:02} {each}" for n, each in enumerate(said)]
    facts = ("Frau Ostertag, +49 30 5556 71", "locker K-417")
    return Probe("dated_notes", "\n".join(["# NOTES", "", *lines]), facts, "", "memory_get")


def manual() -> Probe:
    """A manual page: its sections and options before what explains them."""
    r = rng("manual")
    lines = ["TILLCTL(8)                Till Manual                TILLCTL(8)", "", "NAME"]
    lines += ["       tillctl - open, count and close tills", "", "SYNOPSIS"]
    lines += ["       tillctl [--dry-run] <till> <command>", "", "DESCRIPTION"]
    for _ in range(14):
        text = " ".join(sentence(r) for _ in range(4))
        lines += [*_wrapped(text, 7), ""]
    lines.append("OPTIONS")
    names = ("--dry-run", "--force-close", "-f, --float=<sum>", "--witness <name>")
    for name in names:
        text = " ".join(sentence(r) for _ in range(5))
        lines += [f"       {name}", *_wrapped(text, 11), ""]
    lines += ["EXIT STATUS"]
    for _ in range(6):
        text = " ".join(sentence(r) for _ in range(4))
        lines += [*_wrapped(text, 7), ""]
    facts = ("NAME", "SYNOPSIS", "[--dry-run] <till> <command>", "OPTIONS", "EXIT STATUS", *names)
    return Probe("manual_page", "\n".join(lines), facts, "man tillctl")


def standard() -> Probe:
    """A standard of numbered sections, wrapped and indented, with what it assigns."""
    r = rng("standard")
    lines = ["                  The Till Protocol", ""]
    planted = {4: "Port 7411 is assigned to tills.", 9: "A till MUST NOT answer after 40 seconds."}
    for n in range(1, 13):
        lines += [f"{n}.  Part of {word(r)}", ""]
        for part in range(3):
            said = [sentence(r) for _ in range(4)]
            said[2:2] = [planted[n]] if n in planted and part == 1 else []
            lines += [*_wrapped(" ".join(said), 3), ""]
    heads = tuple(line for line in lines if line[:1].isdigit())
    return Probe("standard", "\n".join(lines), (*heads, "Port 7411", "MUST NOT"), "cat till.txt")


def runbook() -> Probe:
    """A page of long paragraphs: of each section what says most is shown."""
    r = rng("runbook")
    planted = {
        "Stop the tills": "Run `tillctl close --all --reason audit` and wait for **closed: 9/9**.",
        "Count again": "The sums may differ by at most 0.05 EUR.",
        "Go back": "Never start till-4, it holds the only copy of the journal.",
    }
    lines = ["# Runbook: count the tills", ""]
    for title in ("When to use", *planted, "Open again", "Background", "History"):
        lines += [f"## {title}", ""]
        for part in range(3):
            said = [sentence(r) for _ in range(6)]
            said[3:3] = [planted[title]] if title in planted and part == 1 else []
            lines += [" ".join(said), ""]
    facts = (*planted.values(), *(f"## {title}" for title in planted))
    return Probe("runbook_of_long_paragraphs", "\n".join(lines), facts, "cat docs/count.md", "read")


PROBES = (transcript, dated_notes, manual, standard, runbook)
