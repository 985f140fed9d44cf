"""The word tables: complete for every language, and readable back from what code writes."""

from __future__ import annotations

import pytest

from flowctx.dag.notes.sections import KEPT, parse_sections
from flowctx.dag.source.language import conversation_language, text_language
from flowctx.dag.wording.lexicon import LANGUAGES, SECTIONS, lexicon
from flowctx.dag.wording.rules import load_table
from flowctx.errors import RuleTableError
from tests.support.notes import turns_of
from tests.support.transcripts import user


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_every_word(code: str):
    """A missing word would come up only in the middle of someone's session."""
    words, english = lexicon(code), lexicon("en")
    assert set(words.headings) == {*SECTIONS, KEPT}
    assert set(words.labels) == set(english.labels)
    assert set(words.heading_words) == set(english.heading_words)
    assert set(words.cues) == set(english.cues)


@pytest.mark.parametrize("code", LANGUAGES)
def test_headings_of_a_language_are_known_for_what_they_are(code: str):
    """Whatever the conversation speaks, its notes can be read back."""
    headings = lexicon(code).headings
    note = "\n".join(f"## {headings[key]}\n- {key}" for key in (*SECTIONS, KEPT))
    assert [section.key for section in parse_sections(note)] == [*SECTIONS, KEPT]


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_for_headings_find_their_own_section(code: str):
    """A heading in a model's own words leads to one section."""
    for key, words in lexicon(code).heading_words.items():
        for word in words:
            (section,) = parse_sections(f"## {word}\n- x")
            assert section.key == key, word


@pytest.mark.parametrize("code", LANGUAGES)
def test_labels_tell_facts_apart(code: str):
    """Two kinds of facts under one label could not be read back."""
    labels = lexicon(code).labels
    kinds = ("constraint", "failure", "done", "decided", "next", "identifiers", "files", "goal")
    assert len({labels[kind] for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_code_says_in_a_language_is_in_it(code: str):
    """The record line and the instruction are prose of their language."""
    assert text_language(lexicon(code).labels["record"]) == code
    assert text_language(lexicon(code).instruction) == code


@pytest.mark.parametrize(
    ("orders", "language"),
    [
        (("run ls -la", "hi", "again", "du -sh logs"), "en"),
        (("check disk with du", "la la", "man pour"), "en"),
        (("Starte die Tests", "Zeig das Log", "Noch einmal"), "de"),
        (("Lance les tests", "Montre la page", "Encore"), "fr"),
        (("run ls -la", "Zeig mir bitte, was das Skript mit der Datei macht"), "de"),
    ],
)
def test_commands_do_not_speak_for_their_user(orders: tuple[str, ...], language: str):
    """A flag or a program named like a foreign word is no language; short orders count together."""
    turns = turns_of([user(order) for order in orders])
    assert conversation_language(turns) == language


def test_a_language_without_a_file_speaks_english():
    """And a table that is missing is named."""
    assert lexicon("he") is not None and lexicon("he").code == "en"
    with pytest.raises(RuleTableError):
        load_table("no-such-table")
