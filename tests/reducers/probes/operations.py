"""Outputs of tools that operate machines: clusters, clouds, certificates, installers."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import WORDS, Probe, hexes, rng, word


def json_stream() -> Probe:
    r = rng("json stream")
    hosts = [{"name": f"{word(r)}-{n}", "cpu": r.randint(1, 8), "zone": "eu-1"} for n in range(130)]
    hosts[40]["cpu"] = 96
    hosts[77]["zone"] = "us-gov-1"
    text = "\n".join(json.dumps(host, indent=2) for host in hosts)
    return Probe("json_stream", text, ('"cpu": 96', '"zone": "us-gov-1"'), "jq '.[]' hosts.json")


def certificates() -> Probe:
    r = rng("certificates")
    lines: list[str] = []
    for n in range(6):
        weak = n == 3
        lines += ["Certificate:", "    Data:", "        Serial Number:"]
        lines += ["            " + ":".join(hexes(r, 2) for _ in range(16))]
        lines += [f"        Signature Algorithm: {'md5' if weak else 'sha256'}WithRSAEncryption"]
        lines += ["        Validity", "            Not Before: Jan  1 00:00:00 2026 GMT"]
        lines += [
            f"            Not After : {'Dec  3 00:00:00 2026' if weak else 'Jan  1 00:00:00 2028'}"
        ]
        lines += [f"        Subject: CN={'old-vpn' if weak else word(r)}.example.net"]
        lines += [f"                Public-Key: ({1024 if weak else 2048} bit)"]
        lines += ["                Modulus:"]
        lines += [
            f"                    {':'.join(hexes(r, 2) for _ in range(15))}:" for _ in range(17)
        ]
        lines += ["                Exponent: 65537 (0x10001)", "    Signature Value:"]
        lines += [f"        {':'.join(hexes(r, 2) for _ in range(18))}:" for _ in range(15)]
    facts = ("CN=old-vpn.example.net", "md5WithRSAEncryption", "(1024 bit)", "Dec  3 00:00:00 2026")
    return Probe("certificates", "\n".join(lines), facts, "openssl x509 -text -in bundle.pem")


def boxed_records() -> Probe:
    r = rng("boxed records")
    lines = ["-" * 66, "|" + "DescribeInstances".center(64) + "|"]
    for n in range(40):
        lines += ["+" + "-" * 64 + "+", "||" + "Instances".center(62) + "||"]
        fields = {
            "InstanceId": f"i-{hexes(r, 17)}",
            "InstanceType": "t3.medium",
            "State": "running",
        }
        fields["Name"] = f"{word(r)}-{n}"
        if n == 17:
            fields |= {"State": "stopped", "Name": "billing-primary"}
        if n == 23:
            fields["InstanceType"] = "p4d.24xlarge"
        lines += [f"||  {name:22}|  {value:35}||" for name, value in fields.items()]
    facts = ("p4d.24xlarge", "stopped", "billing-primary")
    command = "aws ec2 describe-instances --output table"
    return Probe("boxed_records", "\n".join([*lines, "-" * 66]), facts, command)


def chart_changes() -> Probe:
    r = rng("chart changes")
    lines: list[str] = []
    for n in range(30):
        name = f"{word(r)}-{n}"
        lines += [f"default, {name}, ConfigMap (v1) has changed:", "  # Source: app/config.yaml"]
        lines += ["  kind: ConfigMap", "  metadata:", f"    name: {name}", "  data:"]
        lines += [f"    {word(r).upper()}: {word(r)}" for _ in range(4)]
        lines += [f"-   IMAGE_TAG: v1.{n}.0", f"+   IMAGE_TAG: v1.{n}.1"]
        if n == 14:
            lines += ["default, api, Deployment (apps) has changed:", "  spec:"]
            lines += [
                "-   replicas: 6",
                "+   replicas: 1",
                "-     memory: 2Gi",
                "+     memory: 128Mi",
            ]
    lines += ["default, old-gateway, Service (v1) has been removed:", "- kind: Service"]
    facts = ("+   replicas: 1", "memory: 128Mi", "old-gateway, Service (v1) has been removed")
    return Probe("chart_changes", "\n".join(lines), facts, "helm diff upgrade app ./app")


def open_port() -> Probe:
    r = rng("open port")
    lines = ["services:"]
    for n in range(35):
        lines += [f"  {word(r)}{n}:", f"    image: images.acme.dev/{word(r)}:{n}.2", "    ports:"]
        lines += [f'      - "127.0.0.1:{8000 + n}:{8000 + n}"']
        if n == 12:
            lines += ["  db:", "    image: postgres:9.6", "    privileged: true"]
            lines += ["    ports:", '      - "0.0.0.0:5432:5432"']
    facts = ("postgres:9.6", "privileged: true", "0.0.0.0:5432:5432")
    return Probe("open_port", "\n".join(lines), facts, "cat docker-compose.yml")


def quoted_notes() -> Probe:
    r = rng("quoted notes")
    lines = ["ticket,opened,priority,summary,notes"]
    for n in range(170):
        note = f'"{word(r)} {word(r)}\n{word(r)} ""{word(r)}""\n{word(r)}"'
        note = '"refund 412.50\npromised by Ada"' if n == 104 else note
        priority = "blocker" if n == 61 else "low"
        lines.append(f"T-{1000 + n},2026-11-{n % 28 + 1:02},{priority},{word(r)},{note}")
    facts = ("T-1061", "blocker", "refund 412.50")
    return Probe("quoted_notes", "\n".join(lines), facts, "cat tickets.csv")


def poetry() -> Probe:
    r = rng("poetry")
    lines = [
        "Resolving dependencies... (41.2s)",
        "",
        "Package operations: 88 installs, 1 removal",
        "",
    ]
    lines += [f"  - Installing {word(r)}-{word(r)} ({n}.{n % 5})" for n in range(88)]
    lines += ["  - Updating urllib3 (1.26.18 -> 2.2.1)", "  - Removing ecdsa (0.18.0)"]
    lines += ["  - Installing psycopg2 (2.9.9): Failed", "", "  ChefBuildError", ""]
    lines += ["  Error: pg_config executable not found.", ""]
    lines += [f"    {word(r)} {r.choice(WORDS)} {n}" for n in range(70)]
    facts = (
        "urllib3 (1.26.18 -> 2.2.1)",
        "Removing ecdsa",
        "pg_config executable not found",
        "88 in",
    )
    return Probe("poetry", "\n".join(lines), facts, "poetry install", exit_code=1)


def host_scan() -> Probe:
    r = rng("host scan")
    lines = ["Starting Nmap 7.94 ( https://nmap.org )"]
    for n in range(60):
        lines += [f"Nmap scan report for 10.0.{n // 20}.{n}", f"Host is up (0.00{n % 9}s latency)."]
        lines += ["22/tcp  open  ssh     OpenSSH 9.6", f"443/tcp open  https   {word(r)} 1.25.3"]
        if n == 33:
            lines += ["6379/tcp open  redis   Redis key-value store 5.0.7 (no auth)"]
        lines += [""]
    facts = ("6379/tcp open  redis", "report for 10.0.1.33")
    return Probe("host_scan", "\n".join(lines), facts, "nmap -sV 10.0.0.0/24")


def talk() -> Probe:
    r = rng("talk")
    lines = [
        f"[30.11.26, 09:{n // 60:02}:{n % 60:02}] {r.choice(('Jana', 'Omar', 'Li'))}: "
        + " ".join(word(r) for _ in range(7))
        for n in range(170)
    ]
    lines[88] = "[30.11.26, 09:01:28] Omar: Türcode ist ab Montag 4417, bitte nicht weitergeben"
    lines[130] = "[30.11.26, 09:02:10] Li: wer übernimmt die Bereitschaft am 24.12.?"
    return Probe("talk", "\n".join(lines), ("4417", "Bereitschaft am 24.12."), "cat chat.txt")


def exunit() -> Probe:
    r = rng("exunit")
    lines = ["." * 80, "", "  1) test charge/2 refuses expired cards (Acme.BillingTest)"]
    lines += ["     test/acme/billing_test.exs:57", "     Assertion with == failed"]
    lines += ["     left:  {:ok, %Charge{id: 7}}", "     right: {:error, :expired}"]
    lines += ["     stacktrace:", "       test/acme/billing_test.exs:61: (test)", ""]
    for _ in range(40):
        lines += [
            f'warning: variable "{word(r)}" is unused',
            f"  lib/{word(r)}.ex:{r.randint(1, 99)}: A",
        ]
    lines += ["Finished in 4.1 seconds", "312 tests, 1 failure, 2 excluded"]
    facts = (
        "refuses expired cards",
        "billing_test.exs:57",
        "%Charge{id: 7}",
        "312 tests, 1 failure",
    )
    return Probe("exunit", "\n".join(lines), facts, "mix test", exit_code=2)


PROBES = (
    json_stream,
    certificates,
    boxed_records,
    chart_changes,
    open_port,
    quoted_notes,
    poetry,
    host_scan,
    talk,
    exunit,
)
