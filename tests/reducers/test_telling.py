"""What a sentence is worth depends on what it states, and on how few others state it."""

from __future__ import annotations

from flowctx.reducers.cues import find_cues, read_vocabulary
from flowctx.reducers.telling import tell_worth

PLAIN = [
    f"The {word} of the garden is looked after as before."
    for word in ("lawn", "well", "gate", "path", "shed", "pond", "hedge", "bench", "wall", "roof")
]


def worths(*sentences: str) -> list[float]:
    """Worth of some sentences among twenty plain ones."""
    every = [*PLAIN, *sentences, *PLAIN]
    ends = [len(" ".join(every[: at + 1])) for at in range(len(every))]
    spans = [(end - len(body), end) for end, body in zip(ends, every, strict=True)]
    return tell_worth(read_vocabulary(" ".join(every)), spans)[10 : 10 + len(sentences)]


def test_what_binds_is_worth_more_than_what_does_not():
    """A ban, a term in words, an amount and a change each outweigh a plain sentence."""
    plain, *binding = worths(
        "The garden of the shed is looked after as before.",
        "The well of the garden must never be looked after.",
        "The well of the garden is looked after for seven years.",
        "The well of the garden is looked after for EUR 48,200.",
        "The well of the garden is looked after from 90 to 14.",
    )
    assert min(binding) > plain + 8


def test_what_every_sentence_says_tells_none_apart():
    """A word of obligation that all have is worth next to nothing."""
    alone = worths("The shed must be looked after as before.")[0]
    among = worths(*["The shed must be looked after as before."] * 20)[0]
    assert among < alone / 2


def test_a_unit_counts_beside_a_number_only():
    """Years are a term where they are counted."""
    counted, bare = worths(
        "The roof is looked after for three years as before.",
        "The roof is looked after over the years as before.",
    )
    assert counted > bare + 6


def test_a_phrase_may_go_on():
    """A phrase with a star takes any ending of its last word, one without none."""
    assert find_cues("Hier dürfen keine Fotos entstehen.", ("ban",))
    assert not find_cues("Das ist niemalsartig.", ("ban",))


def test_what_is_set_apart_or_open_is_worth_more_than_what_is_plain():
    """A contrast, a question nobody has answered and a command each outweigh a plain sentence."""
    plain, *telling = worths(
        "The garden of the shed is looked after as before.",
        "The well of the garden is looked after by Ines instead.",
        "The well of the garden is looked after, nobody knows how.",
        "The well of the garden is looked after with `pump --well 3`.",
    )
    assert min(telling) > plain + 5


def test_words_count_in_the_languages_of_a_text_alone():
    """A word that binds in one language says nothing in another that has it too."""
    polish = "Termin płatności i zapłaty jest w umowie, a nie na fakturze ani w liście do nas."
    german = "Der Termin ist in der Woche und nicht mit dem Fest auf einem Tag, das ist sicher."
    assert 0 in [cue.start for cue in find_cues(polish, ("binding",))]
    assert not [cue for cue in find_cues(german, ("binding",)) if cue.end == len("Der Termin")]


def test_numbers_count_even_where_many_sentences_have_them():
    """In a report one sentence in four has a number, and each of them is worth its room."""
    numbered = [f"The shed of the garden holds {n + 3} rakes as before." for n in range(7)]
    plain, *counted = worths("The shed of the garden holds rakes as before.", *numbered)
    assert min(counted) > plain + 8


def test_a_date_alone_is_no_number():
    """When something was is worth less than how much of it there was."""
    dated, counted, plain = worths(
        "The well of the garden was looked after on 3 March.",
        "The well of the garden holds 340 buckets as before.",
        "The path of the garden is looked after as before.",
    )
    assert plain + 5 < dated < counted + 8


def test_emphasis_within_a_ban_hides_it_not():
    """Marks of Markdown between the words of a ban are no part of it."""
    plain, emphatic = worths(
        "The pond of the garden is looked after as do not.",
        "Do **not** drain the pond of the garden.",
    )
    bare = worths("The pond of the garden is looked after as before.")[0]
    assert emphatic > bare + 8
    assert plain > bare
