"""What a note is asked for and held to."""

from dataclasses import dataclass

from flowctx.dag.wording.lexicon import DEFAULT_LANGUAGE


@dataclass(frozen=True, slots=True)
class NoteTerms:
    """The terms of one note; the same value makes its prompt and examines its reply.

    Attributes:
        language: ISO 639-1 code of the conversation's language.
        source_tokens: what the note stands for, in tokens; it must be shorter.
        max_tokens: cap on the note; 0 for none.
        max_source_tokens: what the summariser can read: cap on the whole prompt.
        prior_notes: notes that are continued or condensed, oldest first; what
            they name is known.
        custom_instructions: what the user wants the note to attend to.
    """

    language: str = DEFAULT_LANGUAGE
    source_tokens: int = 0
    max_tokens: int = 0
    max_source_tokens: int = 100_000
    prior_notes: tuple[str, ...] = ()
    custom_instructions: str = ""
