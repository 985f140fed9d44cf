"""Room: what a note gives up where it may not be long."""

from __future__ import annotations

from flowctx.dag.facts.extract import must_keep
from flowctx.dag.notes.examine import Accepted, examine
from flowctx.dag.notes.reply import Reply
from flowctx.dag.prompt.terms import NoteTerms
from flowctx.dag.wording.lexicon import SECTIONS
from flowctx.tokens import estimate_tokens
from tests.support.notes import note_in, ran, turns_of
from tests.support.transcripts import assistant, user


def test_what_the_user_named_outlives_the_rows_of_an_output():
    """In little room a path of the user's stays, and ids that a tool printed go."""
    rows = "\n".join(f"{n:04d} abcdef{n:010x} ready" for n in range(60))
    bodies = [
        user("See to /srv/app/mod0.py first, and to port 6543."),
        *ran("a", "list builds", rows),
        assistant("Looked."),
        user("Go on."),
        *ran("b", "list more", rows.replace("abcdef", "fedcba")),
        assistant("Looked again."),
    ]
    turns = turns_of(bodies)
    terms = NoteTerms(language="en", source_tokens=4000, max_tokens=240)
    verdict = examine(
        Reply(note_in("en", dict.fromkeys(SECTIONS, "- as the record says"))),
        turns,
        must_keep(turns),
        terms,
    )
    assert isinstance(verdict, Accepted)
    assert estimate_tokens(verdict.text) <= 240 and "left out" in verdict.text
    assert "/srv/app/mod0.py" in verdict.text and "6543" in verdict.text
