"""Logs and the like in English."""

from __future__ import annotations

import json

from tests.reducers.probes.probe import Probe, clock, hexes, rng, word


def nginx() -> Probe:
    r = rng("nginx")
    lines = [
        f'10.1.{n % 9}.{n % 200} - - [04/Apr/2026:{clock(n)} +0000] "GET /{word(r)}/{r.randint(1, 999)} HTTP/1.1" 200 {r.randint(400, 900)} "-" "curl/8.6"'
        for n in range(600)
    ]
    lines[417] = (
        '10.1.3.77 - - [04/Apr/2026:09:06:57 +0000] "POST /admin/export HTTP/1.1" 500 182 "-" "python-requests/2.1"'
    )
    lines[418] = (
        '198.51.100.9 - - [04/Apr/2026:09:06:58 +0000] "GET /../../etc/passwd HTTP/1.1" 403 0 "-" "zgrab/0.x"'
    )
    return Probe(
        "nginx_access",
        "\n".join(lines),
        ("/admin/export", "198.51.100.9", '" 500 182'),
        "tail -600 access.log",
    )


def app_log() -> Probe:
    r = rng("app_log")
    lines = [
        f"2026-05-06 {clock(n)},{n % 1000:03} DEBUG [pool-{n % 8}] c.a.{word(r)}.Job - processed batch {n} rows={r.randint(90, 110)}"
        for n in range(900)
    ]
    lines[655:656] = [
        "2026-05-06 09:10:55,655 ERROR [pool-3] c.a.quota.Guard - tenant 7741 over quota: used=10493 limit=10000",
        "2026-05-06 09:10:55,656 WARN  [pool-3] c.a.quota.Guard - writes of tenant 7741 rejected for 900s",
    ]
    return Probe(
        "app_log_debug",
        "\n".join(lines),
        ("tenant 7741 over quota: used=10493 limit=10000", "rejected for 900s"),
        "cat app.log",
        "read",
    )


def json_log() -> Probe:
    r = rng("json_log")
    rows = [
        {
            "t": f"2026-05-06T{clock(n)}Z",
            "lvl": 30,
            "name": "edge",
            "msg": "fetched",
            "ms": r.randint(5, 40),
            "id": hexes(r, 8),
        }
        for n in range(500)
    ]
    rows[366].update(lvl=50, msg="upstream closed early", ms=15023, code="UND_ERR_SOCKET")
    return Probe(
        "pino_log",
        "\n".join(map(json.dumps, rows)),
        ("UND_ERR_SOCKET", "upstream closed early", "15023"),
        "cat edge.ndjson",
        "read",
    )


def dmesg() -> Probe:
    rng("dmesg")
    lines = [
        f"[{n * 1.7:12.6f}] usb 1-{n % 4}: new high-speed USB device number {n % 90} using xhci_hcd"
        for n in range(420)
    ]
    lines[177] = (
        "[  300.900000] Out of memory: Killed process 4181 (postgres) total-vm:9812312kB, anon-rss:7301112kB"
    )
    lines[310] = "[  527.000000] nvme nvme0: I/O 812 QID 3 timeout, reset controller"
    return Probe(
        "dmesg_oom",
        "\n".join(lines),
        ("Killed process 4181 (postgres)", "I/O 812 QID 3 timeout"),
        "dmesg",
    )


def train_log() -> Probe:
    r = rng("train")
    lines = [
        f"epoch 1 step {n} loss {3.0 - n * 0.003 + r.random() * 0.02:.4f} lr 3.0e-04 grad {r.uniform(0.5, 1.5):.3f}"
        for n in range(600)
    ]
    lines[402] = "epoch 1 step 402 loss nan lr 3.0e-04 grad inf"
    lines += ["checkpoint saved to runs/09/ckpt-600.pt", "best val_loss 1.1837 at step 390"]
    return Probe(
        "training_log_nan",
        "\n".join(lines),
        ("step 402 loss nan", "best val_loss 1.1837 at step 390"),
        "python train.py",
    )


def ping() -> Probe:
    r = rng("ping")
    lines = ["PING gw.example.org (203.0.113.4): 56 data bytes"]
    lines += [
        f"64 bytes from 203.0.113.4: icmp_seq={n} ttl=56 time={r.uniform(9, 12):.3f} ms"
        for n in range(300)
    ]
    lines[140:143] = [
        "Request timeout for icmp_seq 139",
        "64 bytes from 203.0.113.4: icmp_seq=140 ttl=56 time=1822.104 ms",
    ]
    lines += [
        "",
        "--- gw.example.org ping statistics ---",
        "301 packets transmitted, 299 packets received, 0.7% packet loss",
    ]
    return Probe(
        "ping",
        "\n".join(lines),
        ("Request timeout for icmp_seq 139", "1822.104 ms", "0.7% packet loss"),
        "ping gw.example.org",
    )


def progress() -> Probe:
    lines = []
    for layer in range(9):
        states = [f"layer {layer}: {'#' * (n // 4):25} {n:3}%" for n in range(0, 101, 2)]
        lines.append("\r".join(states))
    lines.insert(5, "\x1b[31mwrite error: layer 4 digest mismatch, got sha256:77aa01\x1b[0m")
    return Probe(
        "progress_repaints",
        "\n".join(lines),
        ("layer 4 digest mismatch, got sha256:77aa01", "layer 8: ######################### 100%"),
        "pull image",
        exit_code=1,
    )


def compose_logs() -> Probe:
    r = rng("compose")
    names = ("web-1     ", "worker-1  ", "redis-1   ")
    lines = [
        f"{names[n % 3]} | {n % 60:02} tick {r.randint(1, 99)} handled by {word(r)}"
        for n in range(450)
    ]
    lines[298] = "worker-1   | Traceback (most recent call last):"
    lines[299] = 'worker-1   |   File "/app/jobs/export.py", line 61, in run'
    lines[300] = "worker-1   | jobs.errors.BucketGone: bucket 'exports-eu' was deleted"
    return Probe(
        "compose_logs",
        "\n".join(lines),
        ("jobs.errors.BucketGone: bucket 'exports-eu' was deleted", "export.py"),
        "docker compose logs",
    )


def actions_log() -> Probe:
    r = rng("actions")
    lines = [
        f"build\tInstall\t2026-05-06T09:{n // 60:02}:{n % 60:02}.0000000Z Fetched {word(r)}@{n}.0"
        for n in range(400)
    ]
    lines += [
        "build\tTest\t2026-05-06T09:07:01.0000000Z ##[error]src/auth.ts(31,9): Type 'null' is not assignable to type 'Claims'.",
        "build\tTest\t2026-05-06T09:07:02.0000000Z ##[error]Process completed with exit code 2.",
    ]
    lines += [
        f"build\tPost\t2026-05-06T09:08:{n % 60:02}.0000000Z Cleaning up {word(r)}"
        for n in range(120)
    ]
    facts = ("src/auth.ts(31,9)", "Type 'null' is not assignable to type 'Claims'", "exit code 2")
    return Probe("actions_log", "\n".join(lines), facts, "gh run view 91 --log", exit_code=1)


PROBES = (nginx, app_log, json_log, dmesg, train_log, ping, progress, compose_logs, actions_log)
