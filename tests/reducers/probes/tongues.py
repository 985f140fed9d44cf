"""Logs and minutes in other languages."""

from __future__ import annotations

from tests.reducers.probes.probe import Probe, clock, rng, word


def chinese_log() -> Probe:
    r = rng("chinese_log")
    lines = [
        f"2026-05-06 {clock(n)} 信息 订单服务 处理订单 {r.randint(10000, 99999)} 完成，耗时 {r.randint(3, 40)} 毫秒"
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
        f"[{clock(n)}] 情報 バッチ{n % 7}: {r.randint(100, 999)}件を処理しました"
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
    lines = [f"{clock(n)} 정보 작업 {r.randint(1, 90)}번이 정상 완료되었습니다" for n in range(420)]
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
        f"06.05.2026 {clock(n)} Dienst {word(r)}: Auftrag {r.randint(100, 999)} erledigt"
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
        f"{clock(n)} [инфо] задача {r.randint(10, 99)} выполнена за {r.randint(1, 9)} с"
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
        f"{clock(n)} service {word(r)} : tâche {r.randint(10, 99)} terminée" for n in range(450)
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
        f"{clock(n)} servicio {word(r)}: tarea {r.randint(10, 99)} terminada" for n in range(450)
    ]
    lines[120] = "09:02:00 servicio olive: no se pudo abrir el puerto 8443, permiso denegado"
    return Probe(
        "spanish_log",
        "\n".join(lines),
        ("no se pudo abrir el puerto 8443",),
        "cat tareas.log",
        "read",
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


PROBES = (
    chinese_log,
    japanese_log,
    korean_log,
    german_log,
    russian_log,
    french_log,
    spanish_log,
    german_mail,
)
