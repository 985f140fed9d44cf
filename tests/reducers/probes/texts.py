"""Source code, diffs, searches, listings, pages and prose."""

from __future__ import annotations

import base64
from collections.abc import Iterator

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
        path = f"app/{word(r)}/{word(r)}_{n}.py"
        lines += [
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


def git_status() -> Probe:
    r = rng("git_status")
    lines = [
        "On branch feature/ledger-split",
        "Your branch is ahead of 'origin/main' by 14 commits.",
        "",
        "Changes to be committed:",
    ]
    lines += [f"\tmodified:   src/{word(r)}/{word(r)}_{n}.py" for n in range(60)]
    lines += [
        "\tdeleted:    migrations/0042_drop_ledger.sql",
        "",
        "Unmerged paths:",
        "\tboth modified:   src/ledger/split.py",
        "",
        "Untracked files:",
    ]
    lines += [f"\ttmp/{word(r)}_{n}.log" for n in range(70)]
    facts = (
        "feature/ledger-split",
        "ahead of 'origin/main' by 14 commits",
        "migrations/0042_drop_ledger.sql",
        "both modified:   src/ledger/split.py",
    )
    return Probe("git_status", "\n".join(lines), facts, "git status")


def grep_definition() -> Probe:
    r = rng("grep_definition")
    lines = [
        f"pkg/{word(r)}/{word(r)}.go:{r.randint(5, 900)}:\treturn NewBreaker({word(r)}, {r.randint(1, 9)})"
        for n in range(260)
    ]
    lines[201] = "internal/breaker/breaker.go:37:func NewBreaker(name string, limit int) *Breaker {"
    lines[55] = "docs/adr/0031-breakers.md:12:NewBreaker must never be called before Freeze()."
    facts = (
        "internal/breaker/breaker.go:37:func NewBreaker(name string, limit int) *Breaker {",
        "docs/adr/0031-breakers.md:12:",
    )
    return Probe("grep_definition_go", "\n".join(lines), facts, "grep -rn NewBreaker .")


def rg_heading() -> Probe:
    r = rng("rg_heading")
    lines: list[str] = []
    for n in range(50):
        lines += (
            [f"web/{word(r)}/{word(r)}{n}.vue"]
            + [f'{k * 7 + 3}:    <t-button @click="save" :label="{word(r)}" />' for k in range(5)]
            + [""]
        )
    lines[140:140] = [
        "web/lib/button.ts",
        "21:export function defineButton(spec: ButtonSpec): Component {",
        "",
    ]
    return Probe(
        "rg_with_headings",
        "\n".join(lines),
        ("web/lib/button.ts", "21:export function defineButton(spec: ButtonSpec): Component {"),
        "rg -n button web",
    )


def tree() -> Probe:
    r = rng("tree")
    lines = ["."]
    for d in range(22):
        lines.append(f"├── {word(r)}{d}")
        lines += [f"│   ├── {word(r)}_{n}.rb" for n in range(11)]
    lines[130] = "│   ├── DO_NOT_DEPLOY.lock"
    lines += ["", "22 directories, 242 files"]
    return Probe(
        "tree", "\n".join(lines), ("DO_NOT_DEPLOY.lock", "22 directories, 242 files"), "tree"
    )


def html_page() -> Probe:
    r = rng("html")
    menu = "".join(
        f'<li><a class="m{n}" href="/{word(r)}">{word(r).title()} {word(r)}</a></li>\n'
        for n in range(150)
    )
    body = "".join(
        f"<p>Chapter {n} recounts how the {word(r)} was moved by the {word(r)} team over the winter.</p>\n"
        for n in range(30)
    )
    text = (
        f"<!doctype html><html><head><title>Advisory 2026-17</title><style>{'.a{b:c}' * 900}</style></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><h1>Advisory 2026-17</h1>{body}<h2>Affected versions</h2><p>All releases from 4.1.0 up to <b>4.3.7</b> leak the session key.</p>"
        f"<table><tr><th>Fixed in</th><td>4.3.8</td></tr></table>{body}</main></body></html>"
    )
    return Probe(
        "html_advisory",
        text,
        ("Affected versions", "4.3.7", "leak the session key", "4.3.8"),
        "curl -s https://sec.example.org/17",
        "web_fetch",
    )


def sitemap() -> Probe:
    r = rng("sitemap")
    urls = [
        f"  <url>\n    <loc>https://shop.example.org/{word(r)}/{n}</loc>\n    <lastmod>2026-05-01</lastmod>\n    <priority>0.5</priority>\n  </url>"
        for n in range(220)
    ]
    urls[97] = (
        "  <url>\n    <loc>https://shop.example.org/internal/price-override</loc>\n    <lastmod>1999-12-31</lastmod>\n    <priority>1.0</priority>\n  </url>"
    )
    text = '<?xml version="1.0"?>\n<urlset>\n' + "\n".join(urls) + "\n</urlset>"
    return Probe(
        "xml_sitemap",
        text,
        ("/internal/price-override", "1999-12-31"),
        "curl -s https://shop.example.org/sitemap.xml",
    )


def german_mail() -> Probe:
    filler = "Wir haben den Stand der Arbeiten gemeinsam durchgesehen und festgestellt, dass der Ablauf insgesamt stabil ist und keine besonderen Punkte offen sind."
    parts = [
        "Von: Jana Krüger <jana@example.de>",
        "An: team@example.de",
        "Betreff: Protokoll Lieferkette, 12. Mai 2026",
        "",
    ]
    for n in range(60):
        parts += [f"{filler} Das gilt auch für den Bereich {n + 1}.", ""]
    parts[70] = (
        "Beschluss: Der Lieferant Nordwerk wird zum 30. September 2026 gekündigt; Frau Okafor verhandelt bis dahin mit zwei Ersatzanbietern."
    )
    facts = (
        "Lieferant Nordwerk",
        "30. September 2026",
        "Frau Okafor",
        "Betreff: Protokoll Lieferkette",
    )
    return Probe("german_minutes", "\n".join(parts), facts, "cat protokoll.txt", "read")


def wrapped_report() -> Probe:
    r = rng("wrapped")
    lines: list[str] = []
    for n in range(90):
        lines += [
            f"In section {n} the reviewers went through the {word(r)} and the {word(r)} once more and",
            f"found that the wording of the {word(r)} needs no change for the time being.",
            "",
        ]
    lines[132:132] = [
        "The auditors concluded that control AC-7 has failed since 14 February 2026, because the",
        'rotation job runs as user "svc-old"; Tomasz Wilk must replace it before the 2 June audit.',
        "",
    ]
    facts = ("AC-7 has failed since 14 February 2026", "svc-old", "Tomasz Wilk")
    return Probe("wrapped_report", "\n".join(lines), facts, "cat audit.txt", "read")


def readme() -> Probe:
    r = rng("readme")
    lines = ["# Relay", "", "Relay moves files.", ""]
    for n in range(22):
        lines += [
            f"## {word(r).title()} {n}",
            "",
            f"The {word(r)} of a {word(r)} is kept in a {word(r)} file and read at start.",
            "",
        ]
        lines += [f"- {word(r)}: the {word(r)} of {word(r)}" for _ in range(6)] + [
            "",
            "```sh",
            f"relay {word(r)} --{word(r)}",
            "```",
            "",
        ]
    lines += [
        "## Limits",
        "",
        "Files above 5 GiB are refused with RELAY_E_TOO_LARGE.",
        "",
        "### Known gaps",
        "",
    ]
    return Probe(
        "readme",
        "\n".join(lines),
        ("## Limits", "RELAY_E_TOO_LARGE", "### Known gaps", "# Relay"),
        "cat README.md",
        "read",
    )


def pem_bundle() -> Probe:
    r = rng("pem")
    blobs = []
    for n in range(14):
        raw = base64.b64encode(bytes(r.randrange(256) for _ in range(900))).decode()
        blobs += [
            f"subject=CN = ca-{n}.example.org",
            "-----BEGIN CERTIFICATE-----",
            *[raw[i : i + 64] for i in range(0, len(raw), 64)],
            "-----END CERTIFICATE-----",
        ]
    blobs.append("verify error:num=10:certificate has expired (ca-9.example.org)")
    return Probe(
        "pem_bundle",
        "\n".join(blobs),
        ("certificate has expired (ca-9.example.org)", "subject=CN = ca-0.example.org"),
        "openssl s_client -showcerts",
        exit_code=1,
    )


def hexdump() -> Probe:
    r = rng("hexdump")
    lines = [
        f"{n * 16:08x}  {' '.join(hexes(r, 2) for _ in range(16))}  |{'.' * 16}|"
        for n in range(500)
    ]
    return Probe("hexdump", "\n".join(lines), (lines[0], lines[-1]), "hexdump -C image.bin")


def all_probes() -> Iterator[Probe]:
    for make in (
        go_source,
        java_source,
        rust_source,
        sql_schema,
        big_diff,
        log_stat,
        git_status,
        grep_definition,
        rg_heading,
        tree,
        html_page,
        sitemap,
        german_mail,
        wrapped_report,
        readme,
        pem_bundle,
        hexdump,
    ):
        yield make()
