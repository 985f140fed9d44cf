"""One tool result while it is being reduced: its document and what is known of it.

Everything derived is computed once, when a family first asks for it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import TypeVar

from flowctx.model import ToolOutput
from flowctx.reducers.cues import Cue, Words, cues_in, plain_ascii, read_vocabulary
from flowctx.reducers.document import Document
from flowctx.reducers.sampling import spread
from flowctx.reducers.shapes import Cluster, group_by_shape, mask_text
from flowctx.reducers.thinning import Thinned, thin
from flowctx.tokens import estimate_tokens

_COMMAND_WORD = re.compile(r"[\w./+-]+")
_MAX_COMMAND_CHARS = 2000
_SAMPLE_LINES = 40
_FIRST_LOOK = 8
_GLANCE_CHARS = 4000
# Patterns see no more than this of a line, which bounds the time the worst of them takes.
_MATCHED_CHARS = 500
# So many lines of one shape are a template; a word in more than this share of them is a value.
_MIN_MILD, _MIN_TEMPLATE, _VALUE_SHARE = 8, 40, 0.02
_LEVEL = re.compile(r"\bwarn", re.IGNORECASE)
_NUMBERED = re.compile(r"\s*\d+(?:→|\t| ?[|│:] ?)")
_NUMBERED_SHARE = 0.8


Fact = TypeVar("Fact")


def remembered(work_out: Callable[["Case"], Fact]) -> Callable[["Case"], Fact]:
    """Work something out of a case once, however often it is asked for."""
    name = f"{work_out.__module__}.{work_out.__qualname__}"

    @wraps(work_out)
    def recall(case: "Case") -> Fact:
        known = case.__dict__
        if name not in known:
            known[name] = work_out(case)
        fact: Fact = known[name]
        return fact

    return recall


@dataclass(frozen=True)
class Case:
    """A tool result under reduction.

    Attributes:
        output: the result as it came.
        document: its cleaned text.
        room: characters the reduced text may take, pointer lines not counted.
    """

    output: ToolOutput
    document: Document
    room: int

    def with_room(self, room: int) -> "Case":
        """The same case with other room; what is known of it stays known."""
        other = replace(self, room=room)
        other.__dict__.update({**self.__dict__, "room": room})
        return other

    def with_exit_code(self, code: int | None) -> "Case":
        """The same case of a command that ended with a code, where one is told."""
        if code is None:
            return self
        return replace(self, output=replace(self.output, exit_code=code))

    def with_command(self, command: str) -> "Case":
        """The same case of another command."""
        return replace(self, output=replace(self.output, command=command))

    def without_command(self) -> "Case":
        """The same case of a command that is not known."""
        return self.with_command("")

    def of_part(self, document: Document, room: int) -> "Case":
        """The case of a document that is a part of this one, for so much room."""
        return Case(replace(self.output, text=document.text), document, room)

    @cached_property
    def tokens(self) -> int:
        """Estimated tokens of the result as it came."""
        return estimate_tokens(self.output.text)

    @cached_property
    def thinned(self) -> Thinned | None:
        """What is looked at of a text of too many lines; None where all of it is."""
        return thin(self.document)

    @cached_property
    def part(self) -> "Case":
        """The case of what is looked at."""
        return replace(self, document=self.thinned.part) if self.thinned else self

    @cached_property
    def filled(self) -> list[int]:
        """Indexes of the lines that are not blank."""
        return [at for at, line in enumerate(self.document.lines) if line and not line.isspace()]

    @cached_property
    def sampled(self) -> list[int]:
        """Indexes of some lines from all over the text, in no order; none is blank."""
        return [self.filled[at] for at in spread(len(self.filled), _SAMPLE_LINES)]

    @cached_property
    def sample(self) -> list[str]:
        """Beginnings of the sampled lines, enough to tell what the text is not."""
        return [self.document.lines[at][:_MATCHED_CHARS] for at in self.sampled]

    @cached_property
    def readable(self) -> list[int]:
        """Indexes of lines a pattern may be tried on: not blank, not endless."""
        lines = self.document.lines
        return [at for at in self.filled if len(lines[at]) <= _MATCHED_CHARS]

    def sampled_share(self, pattern: re.Pattern[str], aside: Collection[int] = ()) -> float:
        """Share of the sample whose lines begin with a pattern; 0 where a first look finds none.

        Args:
            pattern: what to look for.
            aside: lines that do not count.
        """
        if not aside:
            return self._share_of(pattern.match, self.sample)
        sampled = zip(self.sampled, self.sample, strict=True)
        return self._share_of(pattern.match, [line for at, line in sampled if at not in aside])

    def sampled_share_within(self, pattern: re.Pattern[str], chars: int) -> float:
        """Share of the sample whose lines have a pattern in so many first characters."""
        return self._share_of(lambda line: pattern.search(line, 0, chars), self.sample)

    def _share_of(
        self, find: Callable[[str], re.Match[str] | None], sample: Sequence[str]
    ) -> float:
        if not any(map(find, sample[:_FIRST_LOOK])):
            return 0.0
        return sum(1 for line in sample if find(line)) / len(sample)

    @cached_property
    def glance(self) -> str:
        """The text, or of a long one its beginning, its end and the sample, as whole lines."""
        text = self.document.text
        if len(text) <= 3 * _GLANCE_CHARS:
            return text
        head, tail = text[:_GLANCE_CHARS], text[-_GLANCE_CHARS:]
        return "\n".join((head, *self.sample, tail[tail.find("\n") + 1 :]))

    @cached_property
    def plain_glance(self) -> str:
        """The glance with every character beyond ASCII as "?"."""
        return plain_ascii(self.glance)

    @cached_property
    def plain_lines(self) -> list[str]:
        """The lines without the numbers a listing sets in front of them."""
        lines = self.document.lines
        if self.sampled_share(_NUMBERED) < _NUMBERED_SHARE:
            return lines
        numbered = map(_NUMBERED.match, lines)
        return [
            line[match.end() :] if match else ""
            for line, match in zip(lines, numbered, strict=True)
        ]

    @property
    def is_listing(self) -> bool:
        """Its lines carry numbers, as `cat -n` and reading tools set them."""
        return self.plain_lines is not self.document.lines

    @cached_property
    def masked(self) -> list[str]:
        """The shape of each line."""
        return mask_text(self.document.text).split("\n")

    @cached_property
    def clusters(self) -> list[Cluster]:
        """Lines grouped by shape."""
        return group_by_shape(self.masked)

    @cached_property
    def shape_counts(self) -> Counter[str]:
        """How many lines have each shape."""
        return Counter({cluster.shape: cluster.size for cluster in self.clusters})

    @cached_property
    def words(self) -> Words:
        """The words of the text."""
        return read_vocabulary(self.document.text)

    @cached_property
    def cues(self) -> list[Cue]:
        """Where the text says that something went wrong."""
        return cues_in(self.words, ("error", "trouble"))

    @cached_property
    def cue_lines(self) -> dict[int, int]:
        """Lines with cues: 2 for an error, 1 for milder trouble."""
        weights: dict[int, int] = {}
        for cue in self.cues:
            line = self.document.line_at(cue.start)
            weights[line] = max(weights.get(line, 0), 2 if cue.kind == "error" else 1)
        for line in self._mere_values([line for line, weight in weights.items() if weight == 1]):
            del weights[line]
        return weights

    def _mere_values(self, mild: Sequence[int]) -> Iterator[int]:
        """Those lines of milder trouble whose word is but one of the values a template takes.

        A level, as "warning" is one, is no such value.
        """
        if len(mild) < _MIN_MILD:
            return
        held = Counter(self.masked[line] for line in mild)
        for line in mild:
            size, shape = self.shape_counts[self.masked[line]], self.masked[line]
            is_template = size >= _MIN_TEMPLATE and held[shape] > _VALUE_SHARE * size
            if is_template and not _LEVEL.search(self.document.lines[line]):
                yield line

    @cached_property
    def words_of_command(self) -> frozenset[str]:
        """Words of the command, folders and versions aside: programs, subcommands, scripts."""
        words = _COMMAND_WORD.findall(self.output.command[:_MAX_COMMAND_CHARS])
        return frozenset(word.rsplit("/", 1)[-1] for word in words)

    @property
    def failed(self) -> bool:
        """The host says that the tool failed."""
        return self.output.is_error or bool(self.output.exit_code)
