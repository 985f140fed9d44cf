"""Tables, logs and listings in which one entry is not like the rule says."""

from __future__ import annotations

from tests.reducers.probes.probe import WORDS, Probe, clock, hexes, rng, word


def wide() -> Probe:
    r = rng("wide table")
    names = [f"{word(r)}_{at}" for at in range(72)]
    rows = [[str(r.randint(0, 9)) for _ in names] for _ in range(140)]
    rows[77][41], rows[101][63] = "n/a", "884400"
    lines = [",".join(row) for row in (names, *rows)]
    facts = (names[41], names[63], lines[78], lines[102])
    return Probe("csv_of_72_columns", "\n".join(lines), facts, "cat wide.csv")


def long_rows() -> Probe:
    r = rng("long rows")
    names = ["id", *(f"{word(r)}{at}" for at in range(50))]
    rows = [[str(at), *(f"{word(r)} {word(r)}" for _ in names[1:])] for at in range(60)]
    for row in rows:
        row[25] = "settled"
    rows[33][25] = "disputed"
    text = "\n".join("\t".join(row) for row in (names, *rows))
    return Probe("tsv_of_long_rows", text, ("disputed",), "cat export.tsv")


def ragged() -> Probe:
    r = rng("ragged")
    lines = ["day,ward,beds", *(f"{n},{word(r)},{r.randint(10, 99)}" for n in range(300))]
    lines[211] += ",overflow"
    lines[140] = "139,kelp"
    return Probe("csv_of_uneven_rows", "\n".join(lines), (lines[211], lines[140]), "cat w.csv")


def snapshot() -> Probe:
    r = rng("snapshot")
    parts = [
        f"  <plugin>\n    <name>{word(r)}-{word(r)}</name>\n"
        f"    <version>{r.randint(1, 9)}.{r.randint(0, 30)}.{r.randint(0, 9)}</version>\n  </plugin>"
        for _ in range(90)
    ]
    parts[55] = (
        "  <plugin>\n    <name>olive-kelp</name>\n    <version>5.1.0-beta</version>\n  </plugin>"
    )
    text = "\n".join(("<plugins>", *parts, "</plugins>"))
    return Probe("xml_with_a_beta", text, ("<version>5.1.0-beta</version>",), "cat plugins.xml")


def lost_packets() -> Probe:
    r = rng("lost packets")
    lines = [
        f"2026-04-02 {clock(n)} DEBUG got frame no={n + 7000} bytes={r.randint(900, 1400)}"
        for n in range(280)
        if n not in (171, 172)
    ]
    return Probe("log_with_lost_frames", "\n".join(lines), ("no=7170", "no=7173"), "cat rx.log")


def counted_commits() -> Probe:
    r = rng("counted commits")
    lines: list[str] = []
    for n in range(50):
        lines += [f"commit {hexes(r, 40)}", "Author: Bo <bo@acme.example>"]
        lines += [f"Date:   Thu Apr 2 {clock(n)} 2026", "", f"    tidy the {word(r)}", ""]
        many = 2871 if n == 37 else r.randint(2, 30)
        path = "secrets/seal.go" if n == 37 else f"src/{word(r)}/{word(r)}.go"
        lines += [f" {path} | {many} ++--", f" 1 file changed, {many} insertions(+)", ""]
    return Probe("git_log_stat", "\n".join(lines), ("secrets/seal.go | 2871",), "git log --stat")


def new_script() -> Probe:
    r = rng("new script")
    lines = ["diff --git a/bin/seal b/bin/seal", "new file mode 100755", "index 0000000..1f2e3d4"]
    lines += ["--- /dev/null", "+++ b/bin/seal", "@@ -0,0 +1,280 @@"]
    lines += [f"+  plant {word(r)} {word(r)}" for _ in range(280)]
    lines[200] = "+  rm -rf /srv/ledger"
    facts = (*lines[:6], lines[200])
    return Probe("diff_of_a_new_file", "\n".join(lines), facts, "git diff --cached")


def working_copy() -> Probe:
    r = rng("working copy")
    lines: list[str] = []
    for n in range(3):
        lines += [f"Index: src/{WORDS[n]}.c", "=" * 67, f"--- src/{WORDS[n]}.c\t(revision 71)"]
        lines += [f"+++ src/{WORDS[n]}.c\t(working copy)", "@@ -1,90 +1,90 @@"]
        lines += [f"{'-+'[at % 2]}    {word(r)} = {word(r)};" for at in range(180)]
    facts = tuple(line for line in lines if line.startswith("Index: "))
    return Probe("svn_diff", "\n".join(lines), facts, "svn diff")


def long_list() -> Probe:
    r = rng("long list")
    lines: list[str] = []
    for n in range(3500):
        lines += [f"- bed: {n}", "  herb: kelp", f"  rows: {r.randint(1, 9)}"]
    lines[7001] = "  herb: hemlock"
    return Probe("yaml_of_3500_beds", "\n".join(lines), ("herb: hemlock",), "cat beds.yaml")


def branches() -> Probe:
    r = rng("branches")
    lines = [f"* {hexes(r, 9)} (HEAD -> main, origin/main) Prune the {word(r)}"]
    for n in range(90):
        id_, tag = hexes(r, 9), "(tag: v3.1.0) " if n == 55 else ""
        lines += [
            f"* | {id_} {tag}Water the {word(r)}",
            "| |",
            f"| * {hexes(r, 9)} Dig",
            "|/",
            "|\\",
        ]
    facts = (lines[0], lines[1], "(tag: v3.1.0)")
    return Probe("git_graph", "\n".join(lines), facts, "git log --graph --oneline --all")


def bare_table() -> Probe:
    r = rng("bare table")
    rows = [[str(n), word(r), str(r.randint(1, 5)), "CHF"] for n in range(4000, 4120)]
    rows[71][2], rows[93][3] = "2.5", "USD"
    lines = ["<table>", "<tr><th>no</th><th>herb</th><th>pots</th><th>paid in</th></tr>"]
    lines += [f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows]
    facts = (lines[1], lines[73], lines[95])
    return Probe(
        "table_of_html", "\n".join([*lines, "</table>"]), facts, "curl -s $URL", "web_fetch"
    )


PROBES = (
    wide,
    long_rows,
    ragged,
    snapshot,
    lost_packets,
    counted_commits,
    new_script,
    working_copy,
    long_list,
    branches,
    bare_table,
)
