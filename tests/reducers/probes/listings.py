"""Searches and lists of files."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, rng, word


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


def dependency_tree() -> Probe:
    r = rng("tree_deps")
    lines = ["shop@1.0.0 /srv/shop"]
    for n in range(70):
        lines += [
            f"├─┬ {word(r)}-{n}@2.{n}.0",
            f"│ ├── {word(r)}@1.{n}.3",
            f"│ └── {word(r)}@4.0.{n}",
        ]
    lines[98] = "│ └── UNMET DEPENDENCY left-join@^9.1.0"
    return Probe(
        "npm_ls",
        "\n".join(lines),
        ("UNMET DEPENDENCY left-join@^9.1.0", "shop@1.0.0 /srv/shop"),
        "npm ls",
        exit_code=1,
    )


def diff_stat() -> Probe:
    r = rng("diff_stat")
    lines = [
        f" src/{word(r)}/{word(r)}_{n}.ts | {r.randint(2, 8):4} {'+' * 3}{'-' * 2}"
        for n in range(150)
    ]
    lines[93] = " db/migrations/0099_drop_customers.sql |  812 " + "-" * 40
    lines += [" 150 files changed, 690 insertions(+), 1411 deletions(-)"]
    return Probe(
        "git_diff_stat",
        "\n".join(lines),
        ("0099_drop_customers.sql", "150 files changed, 690 insertions(+)"),
        "git diff --stat main",
    )


PROBES = (git_status, grep_definition, rg_heading, tree, dependency_tree, diff_stat)
