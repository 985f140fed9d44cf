"""What makes searches quick never changes what they find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flowctx.reducers.cues import read_vocabulary
from flowctx.reducers.hints import HintIndex
from flowctx.reducers.page_blocks import byte_offsets
from flowctx.reducers.reports import report_rules

TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("\n ab1é日🙂")), max_size=80)
RULES = (*report_rules("tests"), *report_rules("build"))
INDEX = HintIndex(rule.hints for rule in RULES)
HINTS = [(place, hint.text) for place, rule in enumerate(RULES) for hint in rule.hints]


@given(st.sampled_from(HINTS), TEXTS, TEXTS)
def test_a_hint_that_a_text_holds_is_possible(hint, before, behind):
    """No rule is passed over whose hint stands in a text, set apart from other words."""
    place, held = hint
    possible = INDEX.possible(read_vocabulary(f"{before} {held} {behind}"))
    assert held in possible.get(place, ())


@given(TEXTS)
def test_every_byte_of_a_page_has_its_character(text):
    """The offsets of a parser, which counts bytes, are told as those of characters."""
    source = text.encode("utf-8", "replace")
    offset_of, at = byte_offsets(text, source), 0
    for place, character in enumerate(text):
        assert offset_of(at) == place
        at += len(character.encode("utf-8", "replace"))
    assert offset_of(at) == len(text)
