"""Logs, traces, network tools and progress, in several languages."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.reducers.probes.probe import Probe, hexes, rng, word


def _clock(n: int) -> str:
    return f"{9 + n // 3600:02}:{n // 60 % 60:02}:{n % 60:02}"


def nginx() -> Probe:
    r = rng("nginx")
    lines = [
        f'10.1.{n % 9}.{n % 200} - - [04/Apr/2026:{_clock(n)} +0000] "GET /{word(r)}/{r.randint(1, 999)} HTTP/1.1" 200 {r.randint(400, 900)} "-" "curl/8.6"'
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
        f"2026-05-06 {_clock(n)},{n % 1000:03} DEBUG [pool-{n % 8}] c.a.{word(r)}.Job - processed batch {n} rows={r.randint(90, 110)}"
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


def chinese_log() -> Probe:
    r = rng("chinese_log")
    lines = [
        f"2026-05-06 {_clock(n)} 信息 订单服务 处理订单 {r.randint(10000, 99999)} 完成，耗时 {r.randint(3, 40)} 毫秒"
        for n in range(400)
    ]
    lines[263] = "2026-05-06 09:04:23 错误 支付服务 扣款失败：账户 8817 余额不足，需要 450.00 元"
    return Probe(
        "chinese_log",
        "\n".join(lines),
        ("扣款失败：账户 8817 余额不足", "450.00 元"),
        "cat order.log",
        "read",
    )


def japanese_log() -> Probe:
    r = rng("japanese_log")
    lines = [
        f"[{_clock(n)}] 情報 バッチ{n % 7}: {r.randint(100, 999)}件を処理しました"
        for n in range(350)
    ]
    lines[191] = "[09:03:11] エラー バッチ4: 証明書の有効期限が切れています (host=mx3.example.jp)"
    return Probe(
        "japanese_log",
        "\n".join(lines),
        ("証明書の有効期限が切れています", "mx3.example.jp"),
        "cat batch.log",
        "read",
    )


def korean_log() -> Probe:
    r = rng("korean_log")
    lines = [
        f"{_clock(n)} 정보 작업 {r.randint(1, 90)}번이 정상 완료되었습니다" for n in range(420)
    ]
    lines[300] = "09:05:00 오류 작업 57번: 디스크 쓰기에 실패했습니다 (/data/vol3)"
    return Probe(
        "korean_log",
        "\n".join(lines),
        ("디스크 쓰기에 실패했습니다", "/data/vol3"),
        "cat job.log",
        "read",
    )


def german_log() -> Probe:
    r = rng("german_log")
    lines = [
        f"06.05.2026 {_clock(n)} Dienst {word(r)}: Auftrag {r.randint(100, 999)} erledigt"
        for n in range(500)
    ]
    lines[333] = (
        "06.05.2026 09:05:33 Dienst laurel: Verbindungsfehler zu 10.9.8.7, Auftrag 4711 fehlgeschlagen"
    )
    return Probe(
        "german_log",
        "\n".join(lines),
        ("Verbindungsfehler zu 10.9.8.7", "Auftrag 4711"),
        "cat dienst.log",
        "read",
    )


def russian_log() -> Probe:
    r = rng("russian_log")
    lines = [
        f"{_clock(n)} [инфо] задача {r.randint(10, 99)} выполнена за {r.randint(1, 9)} с"
        for n in range(450)
    ]
    lines[222] = "09:03:42 [сбой] задача 58: не удалось подключиться к базе orders-ru2"
    return Probe(
        "russian_log",
        "\n".join(lines),
        ("не удалось подключиться к базе orders-ru2",),
        "cat tasks.log",
        "read",
    )


def french_log() -> Probe:
    r = rng("french_log")
    lines = [
        f"{_clock(n)} service {word(r)} : tâche {r.randint(10, 99)} terminée" for n in range(450)
    ]
    lines[320] = "09:05:20 service thyme : échec de la sauvegarde, espace insuffisant sur nas-04"
    return Probe(
        "french_log",
        "\n".join(lines),
        ("échec de la sauvegarde", "nas-04"),
        "cat taches.log",
        "read",
    )


def spanish_log() -> Probe:
    r = rng("spanish_log")
    lines = [
        f"{_clock(n)} servicio {word(r)}: tarea {r.randint(10, 99)} terminada" for n in range(450)
    ]
    lines[120] = "09:02:00 servicio olive: no se pudo abrir el puerto 8443, permiso denegado"
    return Probe(
        "spanish_log",
        "\n".join(lines),
        ("no se pudo abrir el puerto 8443",),
        "cat tareas.log",
        "read",
    )


def json_log() -> Probe:
    r = rng("json_log")
    rows = [
        {
            "t": f"2026-05-06T{_clock(n)}Z",
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


def python_traces() -> Probe:
    r = rng("python_traces")
    block = [
        "Traceback (most recent call last):",
        '  File "/srv/app/worker/loop.py", line 51, in run',
        "    self.step(job)",
        '  File "/srv/app/worker/step.py", line 18, in step',
        "    return client.get(job.url, timeout=3)",
        "requests.exceptions.ReadTimeout: timed out",
    ]
    lines: list[str] = []
    for n in range(70):
        lines += [f"{_clock(n)} worker {n % 5} job {r.randint(1000, 9999)}", *block, ""]
    lines[280:280] = [
        "09:00:41 worker 2 job 4242",
        "Traceback (most recent call last):",
        '  File "/srv/app/worker/loop.py", line 51, in run',
        "    self.step(job)",
        '  File "/srv/app/worker/pay.py", line 204, in charge',
        "    ledger.debit(account, cents)",
        "worker.pay.LedgerFrozen: account 31-7 is frozen since 2026-01-09",
        "",
    ]
    facts = (
        "worker.pay.LedgerFrozen: account 31-7 is frozen",
        'pay.py", line 204',
        "requests.exceptions.ReadTimeout",
    )
    return Probe("python_traces_repeated", "\n".join(lines), facts, "cat worker.err", "read")


def node_crash() -> Probe:
    r = rng("node_crash")
    lines = [f"[{_clock(n)}] GET /{word(r)} 200 {r.randint(2, 30)}ms" for n in range(260)]
    lines += [
        "/srv/web/lib/cache.js:88",
        "    return entry.value.clone()",
        "                       ^",
        "",
        "TypeError: Cannot read properties of undefined (reading 'clone')",
        "    at Cache.take (/srv/web/lib/cache.js:88:24)",
        "    at async handler (/srv/web/routes/page.js:31:17)",
        "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
        "",
        "Node.js v22.3.0",
    ]
    facts = (
        "Cannot read properties of undefined (reading 'clone')",
        "cache.js:88:24",
        "page.js:31:17",
    )
    return Probe("node_crash_after_log", "\n".join(lines), facts, "node server.js", exit_code=1)


def go_panic() -> Probe:
    lines = [
        "fatal error: all goroutines are asleep - deadlock!",
        "",
        "goroutine 1 [chan receive]:",
        "main.main()",
        "\t/src/cmd/relay/main.go:42 +0x1a5",
        "",
    ]
    for n in range(70):
        lines += [
            f"goroutine {n + 18} [select, 4 minutes]:",
            "github.com/acme/relay/pump.(*Pump).loop(0xc0001)",
            "\t/src/pump/pump.go:77 +0x99",
            "created by github.com/acme/relay/pump.New",
            "\t/src/pump/pump.go:31 +0x5c",
            "",
        ]
    lines[200:200] = [
        "goroutine 9001 [semacquire, 4 minutes]:",
        "github.com/acme/relay/lease.(*Table).Lock(0xc0042)",
        "\t/src/lease/table.go:118 +0x2f",
        "",
    ]
    facts = (
        "all goroutines are asleep - deadlock!",
        "/src/cmd/relay/main.go:42",
        "lease/table.go:118",
    )
    return Probe("go_deadlock", "\n".join(lines), facts, "./relay", exit_code=2)


def dmesg() -> Probe:
    r = rng("dmesg")
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


def prometheus() -> Probe:
    r = rng("prometheus")
    lines = ["# HELP http_requests_total Requests.", "# TYPE http_requests_total counter"]
    lines += [
        f'http_requests_total{{path="/{word(r)}{n}",code="200"}} {r.randint(900, 1100)}'
        for n in range(300)
    ]
    lines.insert(222, 'http_requests_total{path="/pay",code="503"} 48211')
    lines += ["# TYPE queue_depth gauge", "queue_depth 7"]
    return Probe(
        "prometheus_metrics",
        "\n".join(lines),
        ('path="/pay",code="503"} 48211', "queue_depth 7"),
        "curl -s localhost:9100/metrics",
    )


def all_probes() -> Iterator[Probe]:
    for make in (
        nginx,
        app_log,
        chinese_log,
        japanese_log,
        korean_log,
        german_log,
        russian_log,
        french_log,
        spanish_log,
        json_log,
        python_traces,
        node_crash,
        go_panic,
        dmesg,
        train_log,
        ping,
        progress,
        prometheus,
    ):
        yield make()
