"""Contracts, manuals and guides: a few sentences among many that matter, in several languages."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable

from tests.reducers.probes.probe import Probe, rng

_SUBJECTS = (
    "The gardener",
    "A visitor",
    "Each member of the society",
    "The keeper of the greenhouse",
    "Whoever borrows a tool",
    "The committee for seeds",
    "Any guest of a member",
    "The person on duty",
)
_ACTS = (
    "looks after the beds along the southern wall",
    "keeps the paths free of leaves and branches",
    "writes into the book what was sown and where",
    "returns what was borrowed to the shed",
    "waters the seedlings in the morning, before it is warm",
    "opens the windows of the greenhouse when the sun is out",
    "sorts the pots by size and material",
    "shares what the common beds yield with the others",
)
_REASONS = (
    "as has been the custom since the garden was laid out",
    "because the roots would otherwise suffer from the wet",
    "which may also be done by somebody they name",
    "unless the weather makes it useless",
    "so that those who come later find everything in its place",
    "and tells the next person on the list about it",
    "in the way the handbook of the society describes",
    "provided that the tools needed for it are at hand",
)
_MATTERS = {
    "en": (
        "The lease ends when one side gives six weeks' notice in writing.",
        "Photographs of the well must never be passed on to third parties.",
        "The deposit of CHF 14,250 falls due on 3 March 2028.",
        "It was agreed to leave the north wall as it is.",
        "Nobody is to touch the valves before Miriam has signed the form.",
        "The yield fell from 920 to 310 baskets a year.",
    ),
    "de": (
        "Die Pacht kann mit einer Frist von sechs Wochen gekündigt werden.",
        "Fotos vom Brunnen dürfen nicht an Dritte weitergegeben werden.",
        "Die Kaution von 14.250 Franken wird am 3. März 2028 fällig.",
        "Man einigte sich darauf, die Nordmauer zu belassen.",
    ),
    "ja": (
        "井戸の写真を第三者に渡してはいけない。",
        "保証金14,250フランは2028年3月3日に支払う。",
        "北側の壁はそのまま残すことで合意した。",
    ),
    "pl": (
        "Umowa wygasa z sześciotygodniowym okresem wypowiedzenia.",
        "Nie wolno przekazywać zdjęć studni osobom trzecim.",
        "Kaucja 14 250 franków jest płatna 3 marca 2028 roku.",
    ),
}
_FOREIGN = {
    "de": (
        "Der Gärtner kümmert sich um die Beete an der südlichen Mauer, wie es seit jeher üblich ist.",
        "Wer ein Werkzeug ausleiht, bringt es zurück in den Schuppen und sagt den anderen Bescheid.",
        "Die Setzlinge werden am Morgen gegossen, bevor es warm wird, sofern das Wetter es erlaubt.",
        "Mit dem Schalter `-k` und der Angabe <Pfad> wird die Liste der Beete neu gelesen; siehe auch `beete`:",
        "Jedes Mitglied trägt in das Buch ein, was gesät wurde, und nennt dabei den Platz und die Sorte.",
    ),
    "ja": (
        "庭師は南側の壁に沿った花壇の手入れをし、毎朝その様子を帳面に書き留める。",
        "道具を借りた人は、使い終わったら小屋の元の場所に戻し、次の人に知らせる。",
        "苗には、暖かくなる前の朝のうちに水をやり、天気を見ながら量を加減する。",
        "オプション `-k` と <パス> を指定すると、花壇の一覧がもう一度読み込まれる。",
    ),
    "pl": (
        "Ogrodnik dba o grządki wzdłuż południowego muru, jak to jest w zwyczaju od dawna.",
        "Kto pożycza narzędzie, odnosi je do szopy i mówi o tym następnej osobie z listy.",
        "Sadzonki podlewa się rano, zanim zrobi się ciepło, o ile pogoda na to pozwala.",
        "Opcja `-k` z podanym <katalogiem> powoduje ponowne wczytanie listy grządek; patrz `grzadki`:",
    ),
}


def sentence(r: random.Random) -> str:
    return f"{r.choice(_SUBJECTS)} {r.choice(_ACTS)}, {r.choice(_REASONS)}."


def _paragraphs(r: random.Random, language: str, count: int) -> list[list[str]]:
    if language == "en":
        return [[sentence(r) for _ in range(r.randint(2, 5))] for _ in range(count)]
    usual = _FOREIGN[language]
    return [[r.choice(usual) for _ in range(r.randint(2, 4))] for _ in range(count)]


def _planted(name: str, language: str, count: int) -> list[str]:
    """Paragraphs, some of which hold a sentence that matters, in the middle of others."""
    r = rng(name)
    paragraphs = _paragraphs(r, language, count)
    for at, told in zip(
        r.sample(range(4, count - 4), len(_MATTERS[language])), _MATTERS[language], strict=True
    ):
        paragraphs[at].insert(1, told)
    joint = "" if language == "ja" else " "
    return [joint.join(each) for each in paragraphs]


def _document(language: str) -> Callable[[], Probe]:
    name = f"rules_{language}"
    return lambda: Probe(
        name, "\n\n".join(_planted(name, language, 60)), _MATTERS[language], "cat rules.txt", "read"
    )


def wrapped_rules() -> Probe:
    """The same, wrapped as in a mail: what matters may stand on two lines."""
    paragraphs = [textwrap.fill(each, 72) for each in _planted("wrapped rules", "en", 60)]
    facts = ("CHF 14,250", "six weeks'", "Miriam", "310 baskets")
    return Probe("wrapped_rules", "\n\n".join(paragraphs), facts, "cat rules.eml", "read")


def spaced_rules() -> Probe:
    """A title in capitals, and two spaces behind full stops: no table."""
    paragraphs = [each.replace(". ", ".  ") for each in _planted("spaced rules", "en", 60)]
    head = ["RULES OF THE COMMON GARDEN", "Version 3, 2027"]
    return Probe(
        "spaced_rules", "\n\n".join([*head, *paragraphs]), _MATTERS["en"], "cat RULES", "read"
    )


def steps_report() -> Probe:
    """A report of many steps; what it comes to stands under its last heading."""
    r = rng("steps report")
    lines = ["# Inspection of the garden", ""]
    for n in range(44):
        lines += [
            f"## Step {n + 1}: {r.choice(_ACTS)[:24]}",
            "",
            sentence(r),
            "",
            sentence(r),
            "",
        ]
    lines += [
        "## Outcome",
        "",
        "4 of 37 taps drip; the beds must not be sown before GARDEN-812 is done.",
    ]
    facts = ("4 of 37 taps drip", "GARDEN-812", "## Outcome")
    return Probe("steps_report", "\n".join(lines), facts, "", "sessions_spawn")


def guide_with_warning() -> Probe:
    """A guide of like sections, one of which warns of what cannot be undone."""
    r = rng("guide with warning")
    lines = ["# Handbook", ""]
    for n in range(56):
        lines += [f"## {r.choice(_SUBJECTS)} {n}", "", sentence(r), ""]
        if n == 33:
            lines += ["> [!CAUTION]", "> `beds.level()` removes the plants of all members.", ""]
    facts = ("removes the plants of all members",)
    return Probe("guide_with_warning", "\n".join(lines), facts, "cat docs/handbook.md", "read")


PROBES = (*map(_document, _MATTERS), wrapped_rules, spaced_rules, steps_report, guide_with_warning)
