"""Source code in many languages, read from a named file and bare."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.reducers.probes.dialects import CSHARP, SOURCES, Source
from tests.reducers.probes.probe import Probe, rng, word

_COUNT, _ODD_AT, _STATED_EVERY = 48, 31, 5
# A name with its number, before what it takes.
_NAME = re.compile(r"\w+\d+(?:Async)?(?=\(| ::)")


def _functions(source: Source) -> list[str]:
    r, found = rng(source.file), []
    for n in range(_COUNT):
        name = word(r)
        found.append(source.function.format(word=name, Word=name.title(), n=n))
    return found


def _name(function: str) -> str:
    """What a function is called; what stands before it are comments."""
    return next(match.group() for line in function.split("\n") if (match := _NAME.search(line)))


def _probe(source: Source, name: str, command: str = "", *, is_cut: bool = False) -> Probe:
    functions = _functions(source)
    text = "\n".join(
        [
            source.head,
            *functions[:_ODD_AT],
            source.odd,
            *functions[_ODD_AT:],
            *([] if is_cut else [source.end]),
        ]
    )
    names = map(_name, functions[::_STATED_EVERY])
    ending = source.file.rsplit(".", 1)[-1]
    return Probe(f"{name}_{ending}", text, (*source.facts, *names), command, "read")


def _named(source: Source) -> Callable[[], Probe]:
    return lambda: _probe(source, "source", f"cat {source.file}")


def _bare(source: Source) -> Callable[[], Probe]:
    return lambda: _probe(source, "bare")


def cut_csharp() -> Probe:
    return _probe(CSHARP, "cut", "head -n 460 Vault.cs", is_cut=True)


def refused_edit() -> Probe:
    """A tool's answer to an edit: why it was refused, above the lines as they would be."""
    r = rng("refused edit")
    listed = []
    for n in range(40):
        name = word(r)
        listed += [f"    def {name}_{n}(self, at: int) -> Key:", f"        found = self.store[{n}]"]
        listed += ["        if not found:", "            raise MissingKeyError(at)"]
        listed += [f"        return found.{name}", ""]
    numbered = [f"{at}:{line}" for at, line in enumerate(listed, 812)]
    told = ["The edit was not applied.", "", "PROBLEMS:", "- F821 undefined name 'slots'", ""]
    facts = ("The edit was not applied.", "F821 undefined name 'slots'")
    return Probe("refused_edit", "\n".join([*told, *numbered]), facts, "edit vault.py", "edit")


def bare_script() -> Probe:
    """A script without an ending, told by its first line."""
    r = rng("bare script")
    lines = [
        "#!/usr/bin/env bash",
        "#",
        *(f"#   --{word(r)}  {word(r)}s the {word(r)}" for _ in range(30)),
    ]
    lines += ["set -euo pipefail", 'STORE="${STORE:-/srv/keys}"']
    for n in range(30):
        name = f"{word(r)}_{n}"
        lines += ["", f"{name}() {{", f'  local found="$STORE/{word(r)}"']
        lines += [
            '  if [[ ! -e "$found" ]]; then',
            f'    echo "no {word(r)}" >&2',
            "    return 1",
            "  fi",
        ]
        lines += [f'  install -m 600 "$found" "{word(r)}"', "}"]
    lines += ["", "burn_slot() {", '  rm -rf "$STORE/$1"', "}", "", 'burn_slot "$@"']
    facts = ("burn_slot() {", 'STORE="${STORE:-/srv/keys}"')
    return Probe("bare_script", "\n".join(lines), facts, "cat bin/vault", "read")


def long_preface() -> Probe:
    """A module that begins with pages of documentation, and is cut off at its end."""
    r = rng("long preface")
    lines = ['"""Keys, and where they are kept.', ""]
    lines += [f"The {word(r)} is {word(r)} where the {word(r)} was." for _ in range(90)]
    lines += ['"""', "", "import struct", "from acme.store import Store", ""]
    for n in range(40):
        lines += [
            f"def {word(r)}_{n}(store: Store, at: int) -> bytes:",
            f'    """Find the {word(r)}."""',
        ]
        lines += ["    found = store.read(at)", "    if not found:", "        raise KeyError(at)"]
        lines += [f"    return found[{n}:]", ""]
    lines += ["class Vault:", "    def burn(self, slot: int, *, tries: int = 5) -> None:"]
    lines += ['        """Burn what is kept', "        in a slot, and"]
    facts = ("class Vault:", "def burn(self, slot: int, *, tries: int = 5) -> None:")
    facts += ("from acme.store import Store",)
    return Probe("long_preface", "\n".join(lines), facts)


def c_header() -> Probe:
    """A header with more remarks than code."""
    r = rng("c header")
    lines = [
        "#ifndef VAULT_H",
        "#define VAULT_H",
        "",
        "#include <stddef.h>",
        '#include "store.h"',
        "",
    ]
    for n in range(40):
        lines += [
            "/*",
            *(f" * The {word(r)} of the {word(r)}, as {word(r)} says." for _ in range(4)),
            " */",
        ]
        lines += [f"int vault_{word(r)}_{n}(struct vault *vault, size_t at);", ""]
    lines += ["typedef void (*vault_burnt)(struct vault *vault, int slot);", "", "#endif"]
    facts = ("typedef void (*vault_burnt)(struct vault *vault, int slot);", '#include "store.h"')
    return Probe("c_header", "\n".join(lines), facts)


PROBES = (
    *map(_named, SOURCES),
    *map(_bare, SOURCES),
    cut_csharp,
    refused_edit,
    bare_script,
    long_preface,
    c_header,
)
