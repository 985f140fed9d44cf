"""A scripted model that also writes handoff notes: well, badly, slowly, or not at all."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from flowctx.dag.wording.lexicon import SECTIONS, lexicon
from tests.e2e.harness.model_reply import Hang, Refuse, Reply
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.scenario import scripted_agent

_SOURCE = re.compile(r"<source-[0-9a-f]+>")
Write = Callable[[Request], Reply]


def is_note_request(request: Request) -> bool:
    """Whether flowctx asks for a note."""
    return request.is_host_call and bool(_SOURCE.search(request.user_text))


def note(line: str = "as the record says", language: str = "en") -> str:
    """A note in the right form, with one line a section."""
    headings = lexicon(language).headings
    return "\n\n".join(f"## {headings[key]}\n- {line}" for key in SECTIONS)


def well(_request: Request) -> Reply:
    """A good note."""
    return Reply(note())


def slowly(seconds: float) -> Write:
    """A good note, after a while."""
    return lambda _request: Reply(note(), delay_s=seconds)


WRONG: dict[str, Write] = {
    "empty": lambda _request: Reply(""),
    "reasoning only": lambda _request: Reply("<think>what shall I write</think>"),
    "too long": lambda _request: Reply(note("one more word about all this " * 4_000)),
    "wrong language": lambda _request: Reply(
        note("Wir haben alles geprüft und nichts davon war in Ordnung, deshalb warten wir", "de")
    ),
    "garbage": lambda _request: Reply("}{ 0x00 lorem ipsum"),
    "failing": lambda _request: Reply(failure=Refuse(500)),
    "stalling": lambda _request: Reply(failure=Hang(5)),
}


@dataclass
class NoteModel:
    """Answers turns by the scripted agent and requests for notes by `write`."""

    write: Write = well
    asked: list[Request] = field(default_factory=list)
    _arrived: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, request: Request) -> Reply:
        if not is_note_request(request):
            return scripted_agent(request)
        with self._arrived:
            self.asked.append(request)
            self._arrived.notify_all()
        return self.write(request)

    def calls_for(self, word: str) -> list[Request]:
        """The requests for notes about messages with a word in them."""
        return [request for request in list(self.asked) if word in request.user_text]

    def wait_for_call(self, word: str, number: int, timeout_s: float = 60) -> Request:
        """The request for a note with a word in it and a number, from 0 on."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: len(self.calls_for(word)) > number, timeout_s):
                raise TimeoutError(f"{len(self.calls_for(word))} notes were asked for")
            return self.calls_for(word)[number]
