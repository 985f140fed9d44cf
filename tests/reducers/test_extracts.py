"""Sentences are read over wrapped and quoted lines, chosen for a budget, set with short marks."""

from __future__ import annotations

import pytest

from flowctx.model import Reduction, ToolOutput, Unreduced
from flowctx.reducers.document import Document
from flowctx.reducers.draft import render_draft
from flowctx.reducers.extracts import Extracts, covering
from flowctx.reducers.flow import join_cues, join_wrapped
from flowctx.reducers.pipeline import explain_output
from flowctx.reducers.sentences import split_sentences
from flowctx.reducers.tongues import languages_of
from flowctx.tokens import estimate_tokens

MAIL = """The harbour master has been asked twice about the crane
and has not answered yet.

> We would like to have the pontoon back before the ice
> comes, as it was lent to us only for the regatta.
>> Who pays for the broken fender is not known so far, we
>> have asked the insurers.
"""
COUNTED = """Art. 7 Abs. 2 is kept, says F. R. Macrae of Hill Ltd. in the second part.
2. Term. The lease runs for 3 years. It ends with notice.
Составлено 19 ноября, г. Тотьма, Л. П. Ершова. Мост закрыт.
"""
SAMPLES = {
    "en": "The boats are kept in the shed that was built for them, and it is not heated.",
    "de": "Die Boote sind in dem Schuppen, der für sie gebaut ist, und er wird nicht geheizt.",
    "fr": "Les bateaux sont dans le hangar que nous avons fait pour eux, et il est sur le quai.",
    "es": "Los barcos están en el cobertizo que se hizo para ellos, y no es de la escuela.",
    "ru": "Лодки стоят не в сарае, что на берегу, а на воде, и за ними смотрит сторож.",
    "zh": "船都放在岸边的棚子里，冬天没有暖气，钥匙在看门人那里。",
    "ja": "船は岸の小屋に置いてあり、鍵は番人が持っている。",
    "ko": "배는 물가의 창고에 두었고 열쇠는 관리인이 가지고 있다.",
}


def test_lines_of_a_quoted_mail_are_joined_at_the_same_offsets():
    """Signs of quoting and line ends inside paragraphs are blanks; who quotes more begins anew."""
    joined = join_wrapped(MAIL)
    assert len(joined) == len(MAIL)
    read = [" ".join(joined[s.start : s.end].split()) for s in split_sentences(joined)]
    assert read == [
        "The harbour master has been asked twice about the crane and has not answered yet.",
        "We would like to have the pontoon back before the ice comes, as it was lent to us only"
        " for the regatta.",
        "Who pays for the broken fender is not known so far, we have asked the insurers.",
    ]


def test_initials_short_forms_and_numbers_of_items_end_no_sentence():
    """What counts an item, a name's first letters, what stands before a number."""
    assert [COUNTED[s.start : s.end] for s in split_sentences(COUNTED)] == [
        "Art. 7 Abs. 2 is kept, says F. R. Macrae of Hill Ltd. in the second part.",
        "2. Term.",
        "The lease runs for 3 years.",
        "It ends with notice.",
        "Составлено 19 ноября, г. Тотьма, Л. П. Ершова.",
        "Мост закрыт.",
    ]


def test_a_quoted_sentence_is_shown_as_it_stands():
    """What is shown holds the signs of quoting, and a second mark is short."""
    sentences = covering(MAIL, split_sentences(join_wrapped(MAIL)))
    extracts = Extracts(MAIL, sentences, 200)
    shown = render_draft(Document.read(MAIL), extracts.draft("prose", {1}))
    assert shown.split("\n") == [
        "[… 1 sentence omitted …]",
        "> We would like to have the pontoon back before the ice",
        "> comes, as it was lent to us only for the regatta.",
        "[… 1 omitted …]",
    ]


def test_what_was_chosen_before_stays_and_is_counted_once():
    """A kept sentence leaves the room that it does not take."""
    text = "\n".join(f"Boat {n} lies at the quay." for n in range(40))
    extracts = Extracts(text, split_sentences(text), 160)
    ranks = {at: 50.0 - at for at in range(40)}
    chosen = extracts.choose(ranks, kept=[0])
    assert chosen == extracts.choose(ranks)
    assert len(render_draft(Document.read(text), extracts.draft("prose", chosen))) > 120


@pytest.mark.parametrize("share", [0.2, 0.4])
def test_the_room_counts_as_tokens_where_characters_are_words(share):
    """Chinese sentences between Latin ones take the part of the tokens that the room is."""
    text = "\n".join(
        f"第{n}艘船停在码头东侧等待检修。" if n % 2 else f"Boat {n} is moored at the quay."
        for n in range(60)
    )
    extracts = Extracts(text, split_sentences(text), int(share * len(text)))
    chosen = extracts.choose({at: 60.0 - at + 40 * (at % 2) for at in range(60)})
    shown = render_draft(Document.read(text), extracts.draft("prose", chosen))
    assert 0.8 * share < estimate_tokens(shown) / estimate_tokens(text) < 1.05 * share


@pytest.mark.parametrize("language", SAMPLES)
def test_the_language_of_a_text_is_told_by_its_small_words(language):
    """Eight languages, each by one sentence."""
    assert language in languages_of(SAMPLES[language].lower())
    assert len(languages_of(SAMPLES[language].lower())) <= 4


def test_code_is_in_no_language():
    """Where no small words are, none is told, and the words of all count."""
    assert languages_of("x1 = foo(bar)[0]; y2 += baz\n" * 20) == frozenset()


SUBTITLES = """WEBVTT

1
00:00:01.000 --> 00:00:04.000
<v Rhona>The lease is signed, but not by</v>

2
00:00:04.100 --> 00:00:06.000
<v Rhona>the brewery. It was the bank.</v>
"""


def test_subtitles_are_read_as_they_are_spoken():
    """Sentences go on over the times and speakers between the parts."""
    joined = join_cues(SUBTITLES)
    assert len(joined) == len(SUBTITLES)
    read = [" ".join(joined[s.start : s.end].split()) for s in split_sentences(joined)]
    assert read == ["The lease is signed, but not by the brewery.", "It was the bank."]


def _type_of(lines: list[str]) -> str:
    result = explain_output(ToolOutput("\n".join(lines), "exec")).result
    assert isinstance(result, Reduction)
    return result.type


def test_what_a_few_people_say_is_no_log():
    """Short lines of a chat are read as sentences; lines of programs with names are not."""
    said = ("who has the key to it?", "not me, ask the boss", "it is with Ilse now", "thanks!")
    names = ("Vera", "Ilse", "tom.k", "Ade")
    chat = [
        f"[{9 + n // 60:02}:{n % 60:02}] {names[n * 7 % 4]}: {said[n % 4]} that was for {n}"
        for n in range(60)
    ]
    log = [
        f"[{9 + n // 60:02}:{n % 60:02}] worker: took job={n} from queue/{n % 4} in {n} ms"
        for n in range(60)
    ]
    assert _type_of(chat) == "talk" != _type_of(log)


def test_a_short_notice_stays_whole_in_every_script():
    """Of a few hundred characters none are left out, also where each is a word."""
    notice = "".join(
        f"第{n}号泊位的船请在{n + 3}月前移走，逾期每天收取{n * 20}元。" for n in range(30)
    )
    result = explain_output(ToolOutput(notice, "exec")).result
    assert 700 < len(notice) < 960
    assert isinstance(result, Unreduced)
