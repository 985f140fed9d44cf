"""Pages of running text with a few sentences that bind: bans, terms, amounts, decisions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from tests.reducers.probes.probe import Probe, rng, word


class Tongue(NamedTuple):
    """What pages in a language are made of: parts that go together in any choice, and facts."""

    parts: tuple[str, ...]
    facts: tuple[str, ...]
    between: str = " "
    end: str = "."
    syllables: str = "ba do fi gu ka lo mi nu pe ra so ti vu wa ze"


# Alternatives are set apart by bars; a sentence takes one of each part. "~" stands for a
# word made up anew, as every page has words that stand there once.
TONGUES = {
    "en": Tongue(
        (
            "The ~ reader|Each section of ~|This ~ licence|A later ~|The covered ~|Every copy of ~|The author of ~",
            "describes|mentions|lists|explains|refers to|gives|names",
            "the source form of the ~|the ~ above|the modified ~ and its ~|a further ~|the terms of the ~|the ~ texts of section 4",
            "as a part of the ~|in the usual ~ way|for the sake of ~ and ~|together with its ~|where ~ is useful",
        ),
        (
            "Either side may leave with 30 days' notice in writing.",
            "Samples must never be shipped outside Norway.",
            "Damages are capped at EUR 1,250,000.",
            "We settled on the wooden bridge.",
        ),
    ),
    "de": Tongue(
        (
            "Das Programm ~|Die Option --~|Diese Seite zu ~|Der Befehl ~|Jede Ausgabe von ~|Das Verzeichnis ~",
            "beschreibt|zeigt|liest|sucht|sortiert|enthält",
            "die Namen der ~|alle Zeilen von ~ 3|den Stand der ~ und der ~|die übrigen ~|das Format von `top` und ~",
            "in der Reihenfolge der ~|wie im Abschnitt ~ und ~|für den Benutzer ~|ohne weitere ~",
        ),
        (
            "Fotos der Anlage dürfen nicht veröffentlicht werden.",
            "Der Vertrag läuft sieben Jahre.",
            "Der Vorstand hat sich für die kleinere Turbine entschieden.",
            "Die Miete von 3.150 Euro ist bis zum 4. März 2028 zu zahlen.",
        ),
    ),
    "fr": Tongue(
        (
            "Le programme ~|L'option --~|Cette page de ~|La commande ~|Chaque fichier ~|Le répertoire ~",
            "décrit|affiche|lit|cherche|trie|contient",
            "les noms des ~|toutes les lignes de ~ 3|l'état des ~ et des ~|les autres ~|le format de `df` et de ~",
            "dans l'ordre des ~|comme la section ~ et ~|pour l'utilisateur ~|sans autre ~",
        ),
        (
            "Les plans du pont ne doivent pas être copiés.",
            "Le bail dure sept ans.",
            "Nous avons décidé de garder la petite turbine.",
            "Le loyer de 3 150 euros est dû avant le 4 mars 2028.",
        ),
    ),
    "es": Tongue(
        (
            "El programa ~|La opción --~|Esta página de ~|La orden ~|Cada archivo ~|El directorio ~",
            "describe|muestra|lee|busca|ordena|contiene",
            "los nombres de los ~|todas las líneas de ~ 3|el estado de los ~ y los ~|los demás ~|el formato de `df` y ~",
            "en el orden de ~|como la sección ~ y ~|para el usuario ~|sin otro ~",
        ),
        (
            "Está prohibido copiar los planos del puente.",
            "El contrato dura siete años.",
            "Hemos decidido conservar la turbina pequeña.",
            "El alquiler de 3.150 euros vence el 4 de marzo de 2028.",
        ),
    ),
    "pl": Tongue(
        (
            "Program ~|Opcja --~|Ta strona ~|Polecenie ~|Każdy plik ~|Katalog ~",
            "opisuje|pokazuje|czyta|znajduje|sortuje|zawiera",
            "nazwy ~|wszystkie wiersze ~ 3|stan ~ oraz ~|pozostałe ~|format `df` i ~",
            "w kolejności ~|jak rozdział ~ i ~|dla użytkownika ~|bez innych ~",
        ),
        (
            "Nie wolno kopiować planów mostu.",
            "Umowa trwa siedem lat.",
            "Zarząd zdecydował się na mniejszą turbinę.",
            "Czynsz 3150 złotych jest płatny do 4 marca 2028 roku.",
        ),
    ),
    "ja": Tongue(
        (
            "~というプログラムは|~の節は|~の章は|オプション~は|~の一覧は",
            "~の設定を|~の名前と~を|~の書式を|~の一覧3を|~の状態を",
            "~の順に|~の例のように|~に応じて|~の形で",
            "表示する|説明する|並べる|読み込む|調べる",
        ),
        (
            "橋の図面を複製してはならない。",
            "契約の期間は七年とする。",
            "小さいタービンを選ぶことに決めた。",
            "代金31,500円は2028年3月4日までに支払う。",
        ),
        between="",
        end="。",
        syllables="バ ド フィ グ カ ロ ミ ヌ ペ ラ ソ ティ ヴ ワ ゼ",
    ),
    "ko": Tongue(
        (
            "~ 프로그램은|~ 절은|~ 장은|~ 옵션은|~ 목록은",
            "~의 설정을|~의 이름과 ~을|~의 형식을|~의 목록 3을|~의 상태를",
            "~ 순서로|~ 예와 같이|~에 따라|~ 꼴로",
            "보여 준다|설명한다|늘어놓는다|읽어 들인다|살펴본다",
        ),
        (
            "다리의 도면을 복사하는 것은 금지한다.",
            "계약은 7년으로 한다.",
            "작은 터빈을 쓰기로 결정했다.",
            "대금 315만 원은 2028년 3월 4일까지 지급한다.",
        ),
        syllables="바 도 피 구 카 로 미 누 페 라 소 티 부 와 제",
    ),
}


def page(tongue: Tongue, r: random.Random, paragraphs: int) -> str:
    """Paragraphs of plain sentences, with each fact in the middle of one of them."""
    choices = [part.split("|") for part in tongue.parts]

    syllables = tongue.syllables.split()

    def plain() -> str:
        said = tongue.between.join(r.choice(part) for part in choices) + tongue.end
        return re.sub("~", lambda _: "".join(r.choices(syllables, k=4)), said)

    texts = [[plain() for _ in range(r.randint(3, 6))] for _ in range(paragraphs)]
    for at, fact in zip(
        r.sample(range(3, paragraphs - 3), len(tongue.facts)), tongue.facts, strict=True
    ):
        texts[at].insert(2, fact)
    return "\n\n".join(tongue.between.join(sentences) for sentences in texts) + "\n"


def maker(language: str) -> Callable[[], Probe]:
    def make() -> Probe:
        name = f"statements_{language}"
        tongue = TONGUES[language]
        return Probe(name, page(tongue, rng(name), 70), tongue.facts, "cat page.txt", "read")

    return make


def release_page() -> Probe:
    """A page of releases; one breaks something, and its paragraph is followed by a link."""
    r = rng("release_page")
    lines = ["<!doctype html>", "<html><head><title>Depot API releases</title></head><body><nav>"]
    lines += [f'<a href="/guide/{word(r)}/{n}">{word(r)}</a>' for n in range(50)]
    lines.append("</nav><main><h1>Releases</h1>")
    for n in range(70, 0, -1):
        lines.append(f"<h2>6.{n}</h2><p>The {word(r)} of {word(r)} loads {word(r)} sooner.</p>")
        lines.append(f"<ul><li>{word(r)} in {word(r)}</li><li>{word(r)} after {word(r)}</li></ul>")
        if n == 31:
            lines.append("<p>Tokens without an audience are no longer accepted.</p>")
            lines.append('<p>How to move: <a href="/guide/audience-31">see here</a></p>')
    lines.append("</main></body></html>")
    facts = ("Tokens without an audience are no longer accepted.", "/guide/audience-31")
    return Probe("release_page", "\n".join(lines), facts, "https://depot.example/log", "web_fetch")


def long_paragraphs() -> Probe:
    """A page whose paragraphs are long; what binds stands in the middle of one."""
    r = rng("long_paragraphs")
    tongue, parts = TONGUES["en"], []
    plain = page(tongue._replace(facts=()), r, 60).strip().split("\n\n")
    for n in range(0, 60, 4):
        texts = plain[n : n + 4]
        if n == 28:
            texts.insert(2, "From 7 May 2031 on, calls of more than 64 MiB are refused.")
        parts.append(f"<h3>Part {n // 4}</h3>\n<p>{' '.join(texts)}</p>")
    body = "\n".join(parts)
    text = f"<html><head><title>Terms</title></head><body>{body}</body></html>"
    facts = ("From 7 May 2031 on, calls of more than 64 MiB are refused.",)
    return Probe("long_paragraphs", text, facts, "https://depot.example/terms", "web_fetch")


PROBES = (*map(maker, TONGUES), release_page, long_paragraphs)
