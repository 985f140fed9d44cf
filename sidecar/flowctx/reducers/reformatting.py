"""Changes of a diff that only lay code out anew: blanks, line breaks, quotes and closing commas.

What a formatter does hides the few lines that someone changed by hand. A run of
changed lines is laid out anew where the words and operators it takes away are
those that it adds, in their order.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

# Words with what ties them together, and operators; quotes, commas and brackets are layout.
_TOKEN = re.compile(r"\w+|[=!<>+\-*/%&|^]+=|&&|\|\||[=-]>|\*\*|\?\?|[-+*/%&|^~!?:.@#$<>=\\]")
# Longer runs are compared as a whole: they are alike or they are not.
_MAX_TOKENS = 600
# Most changed lines of a diff that is one of layout, and how many it has at least.
_MIN_SHARE, _MIN_LINES = 0.8, 40


class _Token(NamedTuple):
    text: str
    line: int


def layout_lines(lines: Sequence[str], blocks: Iterable[Sequence[int]]) -> frozenset[int]:
    """The changed lines that lay out anew what stays the same; none where those are not most.

    Args:
        lines: the lines of a diff.
        blocks: changed lines that stand next to each other, by index.
    """
    held = list(blocks)
    total = sum(map(len, held))
    needed = max(_MIN_SHARE * total, _MIN_LINES)
    same: set[int] = set()
    left = total
    for block in held:
        # Where too many change more than that, the others need not be looked at.
        if len(same) + left < needed:
            return frozenset()
        left -= len(block)
        same |= {*block} - {*_telling(lines, block)}
    return frozenset(same) if len(same) >= needed else frozenset()


def _telling(lines: Sequence[str], block: Sequence[int]) -> Iterator[int]:
    """Lines of a block with a word or an operator that is only on one of the two sides."""
    removed = [token for at in block if lines[at][0] == "-" for token in _tokens(lines, at)]
    added = [token for at in block if lines[at][0] != "-" for token in _tokens(lines, at)]
    old, new = [token.text for token in removed], [token.text for token in added]
    if old == new:
        return
    if not (old and new) or max(len(old), len(new)) > _MAX_TOKENS:
        yield from block
        return
    for tag, old_at, old_end, new_at, new_end in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            changed = (*removed[old_at:old_end], *added[new_at:new_end])
            yield from (token.line for token in changed)


def _tokens(lines: Sequence[str], at: int) -> Iterator[_Token]:
    return (_Token(found, at) for found in _TOKEN.findall(lines[at][1:]))
