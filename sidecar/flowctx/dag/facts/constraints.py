"""What the user forbade, demanded or limited: whole sentences, word for word.

Only the user's own prose counts: neither questions, nor what stands in fences,
quotes or the output of tools. A later sentence may lift an earlier one; both
are kept, in order, so that the last word is the last line.
"""

from collections.abc import Iterator, Sequence

from flowctx.dag.facts.facts import Constraint, ConstraintKind
from flowctx.dag.source.language import text_language
from flowctx.dag.source.source import SourceLine, SourceTurn
from flowctx.dag.wording.lexicon import Lexicon, lexicon
from flowctx.dag.wording.prose import announced_lists, is_question, sentences

# A sentence with fewer characters says nothing on its own.
_LEAST_CHARS = 4


def find_constraints(turns: Sequence[SourceTurn], language: str) -> list[Constraint]:
    """All constraints of a source in the order they were said; one said twice stands last."""
    found: dict[str, Constraint] = {}
    for turn in turns:
        for line in turn.lines:
            if line.role != "user":
                continue
            for text, kind in _in_line(line, language):
                found.pop(text, None)
                found[text] = Constraint(
                    text, turn.number, line.digest, kind=kind, sender=line.sender
                )
    return list(found.values())


def constraint_kind(sentence: str, words: Lexicon) -> ConstraintKind | None:
    """Whether a sentence of a user forbids or lifts something."""
    if len(sentence) < _LEAST_CHARS or _asks(sentence, words):
        return None
    if words.cues["lift"].found_in(sentence):
        return "lift"
    plain = words.cues["except"].taken_out(sentence)
    return "ban" if words.cues["constraint"].found_in(plain) else None


def _in_line(line: SourceLine, language: str) -> Iterator[tuple[str, ConstraintKind]]:
    words = lexicon(text_language(line.text) or language)
    lists = list(announced_lists(line.text))
    for sentence in sentences(line.text):
        kind = constraint_kind(sentence, words)
        if kind is not None:
            # "Do not touch:" forbids nothing without the list behind it.
            whole = next((text for head, text in lists if head.endswith(sentence)), sentence)
            yield whole, kind


def _asks(sentence: str, words: Lexicon) -> bool:
    return is_question(sentence) or words.cues["ask"].found_in(sentence)
