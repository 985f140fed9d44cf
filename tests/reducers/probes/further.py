"""Outputs of further tools, and of no tool one knows."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import WORDS, Probe, hexes, rng, word


def metrics() -> Probe:
    r = rng("metrics")
    lines = [f"{word(r)}.{word(r)}: {r.randint(1, 99)}" for _ in range(150)]
    lines[80] = "ledger.lag_seconds: 98213"
    return Probe("flat_metrics", "\n".join(lines), (lines[80],), "curl -s localhost/metrics")


def infrastructure() -> Probe:
    r = rng("infrastructure")
    lines: list[str] = []
    for n in range(50):
        lines += [f'resource "aws_{word(r)}" "{word(r)}_{n}" {{', f'  name = "{word(r)}"']
        lines += [f"  size = {n}", "}", ""]
    lines += ['resource "aws_security_group_rule" "open" {', '  cidr_blocks = ["0.0.0.0/0"]', "}"]
    facts = ("aws_security_group_rule", "0.0.0.0/0")
    return Probe("terraform_source", "\n".join(lines), facts, "cat main.tf")


def flags() -> Probe:
    r = rng("flags")
    features: dict[str, object] = {f"{word(r)}{n}": True for n in range(60)}
    features["betaExport"] = False
    limits = {f"{word(r)}{n}": n * 10 for n in range(60)}
    text = json.dumps({"port": 8443, "features": features, "limits": limits}, indent=2)
    return Probe("json_flags", text, ('"betaExport": false', '"port": 8443'), "cat config.json")


def incident() -> Probe:
    r = rng("incident")
    talk = " ".join(f"The {word(r)} was {word(r)} again." for _ in range(30))
    lines = ["# Incident report", "", "## Summary", "", talk, "", "## Timeline", ""]
    lines += ["| time | event |", "|---|---|"]
    lines += [f"| 10:{n:02} | {word(r)} checked {word(r)} |" for n in range(60)]
    lines += ["", "## Root cause", "", "A firmware update (rev 7.3.1) dropped write barriers."]
    lines += ["", "## Actions", "", "- [ ] Roll back on all 38 hosts (owner: Bo)"]
    facts = ("## Root cause", "rev 7.3.1", "all 38 hosts (owner: Bo)")
    return Probe("incident_report", "\n".join(lines), facts, "cat report.md")


def sockets() -> Probe:
    r = rng("sockets")
    lines = [
        "Proto Recv-Q Send-Q Local Address         Foreign Address       State       PID/Program"
    ]
    lines += [
        f"tcp        0      0 10.0.0.5:{r.randint(30000, 60000)}        10.0.1.{n}:5432"
        f"         ESTABLISHED {r.randint(100, 900)}/ledger"
        for n in range(120)
    ]
    lines[70] = (
        "tcp        0  98304 10.0.0.5:41111        198.51.100.7:4444     CLOSE_WAIT  6666/nc"
    )
    return Probe("netstat", "\n".join(lines), ("198.51.100.7:4444", "6666/nc"), "netstat -tnp")


def captions() -> Probe:
    r = rng("captions")
    lines = ["WEBVTT", ""]
    for n in range(100):
        lines += [f"00:{n // 60:02}:{n % 60:02}.000 --> 00:{n // 60:02}:{n % 60:02}.900"]
        lines += [f"so the {word(r)} goes next to the {word(r)}", ""]
    lines[2 + 3 * 60 + 1] = "we decided to drop support for Oracle 19c"
    return Probe("captions", "\n".join(lines), (lines[183],), "cat talk.vtt")


def push() -> Probe:
    lines = [f"remote: Counting objects: {n}% ({n}/100)" for n in range(100)]
    lines += ["To example.com:acme/ledger.git", " ! [rejected]  main -> main (non-fast-forward)"]
    lines += ["error: failed to push some refs to 'example.com:acme/ledger.git'"]
    facts = (lines[-2], lines[-1])
    return Probe("git_push", "\n".join(lines), facts, "git push", exit_code=1)


def folders() -> Probe:
    r = rng("folders")
    lines = ["diff -r a/x.conf b/x.conf", "12c12", "< timeout 30", "---", "> timeout 5"]
    lines += [f"Only in a/{word(r)}: {word(r)}{n}.txt" for n in range(100)]
    lines[70] = "Only in b/keys: master.pem"
    facts = ("> timeout 5", "Only in b/keys: master.pem")
    return Probe("diff_of_folders", "\n".join(lines), facts, "diff -r a b", exit_code=1)


def dependencies() -> Probe:
    r = rng("dependencies")
    lines = ["[INFO] com.acme:ledger:jar:3.2.1"]
    lines += [
        f"[INFO] {'|  ' * (n % 3)}+- org.{word(r)}:{word(r)}-{n}:jar:{n % 5}.{n % 9}:compile"
        for n in range(150)
    ]
    lines[90] = "[INFO] |  +- org.apache.logging.log4j:log4j-core:jar:2.14.0:compile"
    facts = ("com.acme:ledger:jar:3.2.1", "log4j-core:jar:2.14.0")
    return Probe("maven_tree", "\n".join(lines), facts, "mvn dependency:tree")


def audit() -> Probe:
    r = rng("audit")
    lines = ["# npm audit report", ""]
    for n in range(30):
        lines += [f"{word(r)}-{n}  <{n % 5 + 1}.0.0", "Severity: moderate"]
        lines += [f"denial of service - https://example.com/GHSA-{hexes(r, 4)}", ""]
    lines[70:72] = ["shell-quoting  <=1.7.2", "Severity: critical"]
    lines += ["31 vulnerabilities (29 moderate, 1 high, 1 critical)"]
    facts = (*lines[70:72], lines[-1])
    return Probe("npm_audit", "\n".join(lines), facts, "npm audit", exit_code=1)


def session() -> Probe:
    r = rng("session")
    lines = ["============ test session starts ============", "collected 700 items", ""]
    lines += [f"tests/test_{name}.py {'.' * 60} [{n * 4}%]" for n, name in enumerate(WORDS)]
    lines += ["FAILED tests/test_edge.py::test_edge - assert 3 == 4"]
    lines += ["============ 1 failed, 700 passed in 9.10s ============"]
    lines += ["Filesystem      Size  Used Avail Use% Mounted on"]
    lines += [
        f"/dev/sd{c}1       100G   {r.randint(10, 60)}G   40G  41% /mnt/{c}" for c in "bcdefghi"
    ]
    lines += ["/dev/sda1       100G  100G     0 100% /"]
    lines += [f"2026-03-17 11:{n // 60:02}:{n % 60:02} INFO request {n} served" for n in range(120)]
    lines += ["2026-03-17 11:02:01 ERROR no space left on /"]
    facts = ("tests/test_edge.py::test_edge - assert 3 == 4", "1 failed, 700 passed", "100% /")
    return Probe("no_command_is_known", "\n".join(lines), (*facts, "no space left on /"))


def strict_csv() -> Probe:
    lines = ["id,name,comment,amount"]
    lines += [f'{n},"{WORDS[n % 25]}","fine, thanks",{n % 90 + 10}.50' for n in range(200)]
    lines[120] = '119,"olive","first line\nsecond line, with comma",-9999.00'
    facts = ("-9999.00", "second line, with comma", lines[0])
    return Probe("csv_with_line_ends", "\n".join(lines), facts, "cat data.csv")


PROBES = (
    metrics, infrastructure, flags, incident, sockets, captions, push, folders, dependencies,
    audit, session, strict_csv,
)  # fmt: skip
