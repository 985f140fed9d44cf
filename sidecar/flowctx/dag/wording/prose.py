"""Sentences of what people wrote: without code, quotes, logs and other pasted matter.

A line break ends a sentence unless the next line plainly goes on with it. What
stands in a fence, behind a quote mark, or between tags that tools write is not
the writer's own.
"""

import re
from collections.abc import Iterator

from flowctx.dag.wording.blocks import block_spans, without_spans

# A sentence longer than this is pasted matter without full stops.
SENTENCE_MAX_CHARS = 1000
# Of a longer message the head and the tail are searched: people write around what they paste.
_PROSE_MAX_CHARS = 200_000
_LIST_MAX_ITEMS = 12

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTE = re.compile(r"^\s*(?:>|\|\s)")
_OUTPUT_TAG = re.compile(
    r"<((?:local-command|bash|command)-[a-z-]+|system-reminder|tool_result|output|stdout|stderr"
    r"|pre|code)(?: [^<>\n]{0,200})?>"
)
_BULLET = re.compile(r"^(?:[-*+•·–] |\(?\d{1,3}[.)、．] ?|#{1,6} )")
_ITEM = re.compile(r"^(?:[-*+•·–] |\(?\d{1,3}[.)、．])")
_BOUNDARY = re.compile(r"(?<=[.!?…])[\"'”’)\]*]*\s+|(?<=[。！？；])[”’」』）]*\s*")
# Points that end no sentence.
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|approx|no|nr|z\.B|d\.h|bzw|ca|p\.ex|p\.ej|т\.е|т\.д|St|Dr|Mr|Mrs)\.\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"^[a-zà-ÿа-я(]")
_ENDED = re.compile(r"[.!?…:;。！？；：、，,][\"'”’)\]*`]*$")
_QUESTION = re.compile(r"[?？][\"'”’)\]*]*$")
# A hard-wrapped line is nearly full; a line that merely ends early is a line of its own.
_WRAP_CHARS = 60


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, each on one line and without its bullet."""
    for paragraph in _paragraphs(own_words(text)):
        yield from _split(paragraph)


def announced_lists(text: str) -> Iterator[tuple[str, str]]:
    """Lines that end in a colon, each with itself and the list items behind it on one line."""
    held: list[str] = []
    for raw in (*own_words(text).split("\n"), "."):
        line = raw.strip()
        if held and _ITEM.match(line) and len(held) <= _LIST_MAX_ITEMS:
            held.append(line)
        elif line:
            if len(held) > 1:
                yield held[0], " ".join(held)[:SENTENCE_MAX_CHARS]
            held = [line] if line.rstrip("*_ ").endswith((":", "：")) else []


def is_question(sentence: str) -> bool:
    """True for a sentence that ends in a question mark of any script."""
    return _QUESTION.search(sentence) is not None


def own_words(text: str) -> str:
    """The text without fences, quoted lines and the output of tools."""
    if len(text) > _PROSE_MAX_CHARS:
        half = _PROSE_MAX_CHARS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    own = without_spans(text, block_spans(text, _OUTPUT_TAG), "\n") if "<" in text else text
    return "\n".join(_own_lines(own))


def _own_lines(text: str) -> Iterator[str]:
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _QUOTE.match(line):
            yield line.rstrip()


def _paragraphs(text: str) -> Iterator[str]:
    held = ""
    for raw in text.split("\n"):
        line = raw.strip()
        bare = _BULLET.sub("", line)
        if held and bare == line and _continues(held, line):
            held = f"{held} {line}"
            continue
        if held:
            yield held
        held = bare.strip()
    if held:
        yield held


def _continues(held: str, line: str) -> bool:
    if len(held) > 4 * SENTENCE_MAX_CHARS:
        return False
    return len(held) >= _WRAP_CHARS and bool(_GOES_ON.match(line)) and not _ENDED.search(held)


def _split(paragraph: str) -> Iterator[str]:
    start = 0
    for boundary in _BOUNDARY.finditer(paragraph):
        if _ABBREVIATION.search(paragraph[max(start, boundary.start() - 8) : boundary.start()]):
            continue
        sentence = paragraph[start : boundary.end()].strip()
        if sentence:
            yield sentence[:SENTENCE_MAX_CHARS]
        start = boundary.end()
    if rest := paragraph[start:].strip():
        yield rest[:SENTENCE_MAX_CHARS]
