"""Source code and its history."""

from __future__ import annotations

import random

from tests.reducers.probes.probe import Probe, hexes, rng, word


def go_source() -> Probe:
    r = rng("go_source")
    lines = [
        "package lease",
        "",
        "import (",
        '\t"context"',
        '\t"github.com/acme/relay/clock"',
        ")",
        "",
    ]
    for n in range(40):
        lines += [
            f"// {word(r).title()}{n} {word(r)}s the {word(r)}.",
            f"func {word(r).title()}{n}(ctx context.Context, id string) error {{",
        ]
        lines += [
            f"\tif v, err := load{k}(ctx, id); err != nil {{\n\t\treturn err\n\t}} else {{\n\t\t_ = v\n\t}}"
            for k in range(4)
        ] + ["\treturn nil", "}", ""]
    lines += [
        "type Table struct {",
        "\tmu sync.Mutex",
        "}",
        "",
        "func (t *Table) Renew(ctx context.Context, key string, ttl time.Duration) (Token, error) {",
        "\treturn Token{}, nil",
        "}",
    ]
    facts = (
        "func (t *Table) Renew(ctx context.Context, key string, ttl time.Duration) (Token, error)",
        "type Table struct",
        '"github.com/acme/relay/clock"',
        "package lease",
    )
    return Probe("go_source", "\n".join(lines), facts, "cat lease/table.go", "read")


def java_source() -> Probe:
    r = rng("java_source")
    lines = [
        "package org.acme.pay;",
        "",
        "import java.util.List;",
        "import org.acme.money.Money;",
        "",
        "public final class Settlement implements AutoCloseable {",
    ]
    for n in range(45):
        lines += [
            f"    public Money {word(r)}{n}(List<Money> parts, int scale) {{",
            "        Money sum = Money.ZERO;",
            "        for (Money part : parts) {",
            "            sum = sum.plus(part);",
            "        }",
            "        return sum.scaled(scale);",
            "    }",
            "",
        ]
    lines += [
        "    @Override",
        "    public void close() throws SettlementOpenException {",
        "        flush();",
        "    }",
        "",
        "    private enum Phase { OPEN, NETTED, SETTLED }",
        "}",
    ]
    facts = (
        "public final class Settlement implements AutoCloseable",
        "public void close() throws SettlementOpenException",
        "import org.acme.money.Money;",
        "private enum Phase",
    )
    return Probe("java_source", "\n".join(lines), facts, "cat Settlement.java", "read")


def rust_source() -> Probe:
    r = rng("rust_source")
    lines = [
        "use std::collections::BTreeMap;",
        "",
        "pub struct Journal {",
        "    entries: BTreeMap<u64, Entry>,",
        "}",
        "",
        "impl Journal {",
    ]
    for n in range(45):
        lines += [
            f"    pub fn {word(r)}_{n}(&mut self, at: u64) -> Result<(), JournalError> {{",
            "        let entry = self.entries.get(&at).ok_or(JournalError::Gap)?;",
            "        if entry.sealed {",
            "            return Err(JournalError::Sealed);",
            "        }",
            "        Ok(())",
            "    }",
            "",
        ]
    lines += [
        "}",
        "",
        "pub trait Replay {",
        "    fn replay(&self, from: u64) -> Box<dyn Iterator<Item = Entry> + '_>;",
        "}",
    ]
    facts = (
        "pub struct Journal",
        "pub trait Replay",
        "fn replay(&self, from: u64)",
        "use std::collections::BTreeMap;",
    )
    return Probe("rust_source", "\n".join(lines), facts, "cat src/journal.rs", "read")


def sql_schema() -> Probe:
    r = rng("sql")
    lines = []
    for n in range(60):
        name = f"{word(r)}_{n}"
        lines += [
            f"CREATE TABLE public.{name} (",
            "    id bigint NOT NULL,",
            f"    {word(r)} text,",
            "    created_at timestamptz DEFAULT now()",
            ");",
            f"CREATE INDEX {name}_idx ON public.{name} (id);",
            "",
        ]
    lines += [
        "CREATE UNIQUE INDEX payouts_once ON public.payouts (tenant_id, batch_id) WHERE state <> 'void';",
        "CREATE TRIGGER payouts_guard BEFORE UPDATE ON public.payouts FOR EACH ROW EXECUTE FUNCTION refuse_backdating();",
    ]
    return Probe(
        "sql_schema",
        "\n".join(lines),
        ("payouts_once", "refuse_backdating()", "CREATE TABLE public."),
        "cat schema.sql",
        "read",
    )


def renamed_import(r: random.Random, n: int) -> list[str]:
    path = f"app/{word(r)}/{word(r)}_{n}.py"
    return [
        f"diff --git a/{path} b/{path}",
        f"index {hexes(r, 9)}..{hexes(r, 9)} 100644",
        f"--- a/{path}",
        f"+++ b/{path}",
        f"@@ -{n + 4},7 +{n + 4},7 @@ def {word(r)}():",
        " import os",
        " import sys",
        "-from app.settings import load",
        "+from app.config import load",
        " ",
        " def main():",
        "     pass",
    ]


def big_diff() -> Probe:
    r = rng("big_diff")
    lines = [
        "commit 5ca1ab1e0ddba11",
        "Author: Noor Haddad <noor@example.org>",
        "Date:   Mon May 4 10:11:12 2026 +0200",
        "",
        "    Rename the settings module (CORE-9121)",
        "",
    ]
    for n in range(34):
        lines += renamed_import(r, n)
    path = "app/net/tls.py"
    lines += [
        f"diff --git a/{path} b/{path}",
        f"--- a/{path}",
        f"+++ b/{path}",
        "@@ -40,5 +40,5 @@ def connect(host):",
        "     context = ssl.create_default_context()",
        "-    context.check_hostname = True",
        "+    context.check_hostname = False",
        "     return context.wrap(host)",
        " ",
        " ",
    ]
    facts = (
        "5ca1ab1e0ddba11",
        "CORE-9121",
        "app/net/tls.py",
        "-    context.check_hostname = True",
        "+    context.check_hostname = False",
    )
    return Probe("git_show_rename", "\n".join(lines), facts, "git show")


def log_stat() -> Probe:
    r = rng("log_stat")
    lines = [f"{hexes(r, 9)} {word(r)}: {word(r)} the {word(r)} {word(r)}" for n in range(240)]
    lines[140] = "c0ffee417 hotfix: disable TLS verification in the payout client"
    return Probe(
        "git_log_oneline",
        "\n".join(lines),
        ("c0ffee417", "disable TLS verification in the payout client"),
        "git log --oneline",
    )


def blame() -> Probe:
    r = rng("blame")
    lines = [
        f"9f{hexes(r, 6) if n % 40 == 0 else 'aa11bb'} (Ines Costa   2025-11-0{n % 9 + 1} 10:00:00 +0100 {n + 1:4})     value_{n} = compute({n})"
        for n in range(260)
    ]
    lines[171] = (
        "0badf00d (Evan Wright  2026-04-01 03:14:15 +0000  172)     verify = False  # temporary"
    )
    return Probe(
        "git_blame",
        "\n".join(lines),
        ("0badf00d", "Evan Wright", "verify = False  # temporary"),
        "git blame app.py",
    )


PROBES = (go_source, java_source, rust_source, sql_schema, big_diff, log_stat, blame)
