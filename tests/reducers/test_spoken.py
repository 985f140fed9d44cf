"""How people talk: who takes something on, and what is said for politeness alone."""

import pytest

from flowctx.reducers.spoken import speakers_of, spoken_worth

_PEOPLE = ("Ann Roth", "佐藤", "j-kos")


def _worth(sentence: str) -> float:
    (worth,) = spoken_worth([sentence], _PEOPLE)
    return worth


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann will write the guide.",
        "Ann and Bob take the keys.",
        "Frau Roth kümmert sich um den Antrag.",
        "Kos brings the projector.",
        "佐藤さんが来週までに直します。",
    ],
)
def test_who_does_something_raises_a_sentence(sentence: str) -> None:
    """A deed of somebody who takes part is worth more."""
    assert _worth(sentence) > 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann thinks so too.",
        "Bob will write the guide.",
        "We looked at it together.",
        "Annual figures rise again.",
        "Cooling fan 3 failed on the second rack.",
        "Greater values than 12 are refused.",
        "Okta is down in both regions.",
        "Sureties are paid back in May.",
    ],
)
def test_other_sentences_are_worth_the_same(sentence: str) -> None:
    """Opinions, and deeds of whoever takes no part, are worth what they were."""
    assert _worth(sentence) == 0


@pytest.mark.parametrize(
    "sentence",
    [
        "Thanks for looking into it!",
        "+1",
        "Danke, das hilft.",
        "了解です。",
        "Could you share your settings?",
    ],
)
def test_courtesies_and_requests_are_worth_less(sentence: str) -> None:
    """Thanks and questions to others of the talk state nothing."""
    assert _worth(sentence) < 0


def test_a_courtesy_that_goes_on_keeps_most_of_its_worth() -> None:
    """Thanks before a number, a name in code or a colon begin a statement."""
    assert _worth("Thanks, fixed in 8d21c0e.") > _worth("Thanks for all of this.")


def test_speakers_of_a_transcript_stand_before_colons() -> None:
    """Names that begin lines again and again speak; the name of a field does not."""
    lines = [
        f"{name}: that is what I think of number {at}"
        for at in range(4)
        for name in ("Ann", "Bo Li")
    ]
    assert speakers_of("\n".join(["Note: of May", *lines])) == {"Ann", "Bo Li"}


def test_one_name_before_colons_is_no_transcript_noop() -> None:
    """Notes that all begin alike are of nobody."""
    assert speakers_of("Note: one\nNote: two\nNote: three\nNote: four") == frozenset()


def test_who_speaks_is_not_who_does_it() -> None:
    """The name of the speaker before a sentence says nothing of what is done."""
    assert _worth("Ann Roth: it was like that before.") == 0
    assert _worth("j-kos: Ann will write the guide.") > 0
