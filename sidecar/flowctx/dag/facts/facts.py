"""What must survive a fold: the values that extraction finds and a note is held to."""

from dataclasses import dataclass
from typing import Literal

from flowctx.dag.facts.identifiers import Kind

ConstraintKind = Literal["ban", "lift"]
FileAction = Literal["read", "written"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said, in its own words.

    Attributes:
        text: on one line.
        turn: number of the turn it was said in.
        digest: of the message it was said in; empty for what an earlier note said.
    """

    text: str
    turn: int = 0
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class Constraint(Fact):
    """A sentence in which the user forbids, demands or limits something, or lifts that again.

    Attributes:
        sender: who said it, where the message names one.
    """

    kind: ConstraintKind = "ban"
    sender: str = ""


@dataclass(frozen=True, slots=True)
class Failure(Fact):
    """What was tried and failed.

    Attributes:
        text: the command, or the sentence that tells of it.
        reason: the line that says why; empty where the text itself does.
        worked_later: the same command succeeded afterwards.
    """

    reason: str = ""
    worked_later: bool = False


@dataclass(frozen=True, slots=True)
class Mention(Fact):
    """An identifier, with how much it seems to matter.

    Attributes:
        kind: of the identifier.
        score: weighs who named it, how often, how lately and of what kind it is.
        order: rank of its first appearance.
    """

    kind: Kind = "symbol"
    score: float = 0.0
    order: int = 0


@dataclass(frozen=True, slots=True)
class FileTouch(Fact):
    """A file that a tool read or wrote; `text` is its path."""

    action: FileAction = "read"


@dataclass(frozen=True, slots=True)
class Run(Fact):
    """A command that was run; `text` is the command.

    Attributes:
        status: "exit 0", "exit 1", "failed" or "ok".
        times: how often it ran with that status.
    """

    status: str = "ok"
    times: int = 1


@dataclass(frozen=True, slots=True)
class MustKeep:
    """What a note must hold.

    Attributes:
        asks: what the user asked for, oldest first.
        constraints: in the order they were said, so that the last word stands last.
        failed: oldest first.
        done, decided: what was reported, oldest first.
        open: what is said to be left, newest state only.
        identifiers: in order of kind, then of first appearance.
        runs: commands with their outcome, oldest first; the model is told of them, but
            only those that failed are asked for again.
        files: touched by tools, by first touch.
        elsewhere: what was found and is over a limit: to be had from the messages
            whose digests it names.
    """

    asks: tuple[Fact, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    failed: tuple[Failure, ...] = ()
    done: tuple[Fact, ...] = ()
    decided: tuple[Fact, ...] = ()
    open: tuple[Fact, ...] = ()
    identifiers: tuple[Mention, ...] = ()
    runs: tuple[Run, ...] = ()
    files: tuple[FileTouch, ...] = ()
    elsewhere: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepLimits:
    """How many of each a note is held to; the rest goes to `MustKeep.elsewhere`.

    The defaults fit a leaf of 40,000 tokens: together about a tenth of it.
    """

    asks: int = 12
    constraints: int = 120
    failed: int = 32
    done: int = 12
    decided: int = 8
    open: int = 6
    identifiers: int = 160
    runs: int = 24
    files: int = 48

    def scaled(self, source_tokens: int) -> "KeepLimits":
        """The same shares for a source of another size; never less than a few of each."""
        share = min(max(source_tokens / 40_000, 0.15), 3.0)

        def scale(count: int, least: int) -> int:
            return max(round(count * share), least)

        return KeepLimits(
            asks=scale(self.asks, 3),
            # What the user forbade is never left out for being in a short source.
            constraints=max(self.constraints, scale(self.constraints, 0)),
            failed=scale(self.failed, 12),
            done=scale(self.done, 4),
            decided=scale(self.decided, 3),
            open=self.open,
            identifiers=scale(self.identifiers, 40),
            runs=scale(self.runs, 4),
            files=scale(self.files, 8),
        )
