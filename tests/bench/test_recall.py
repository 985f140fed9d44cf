"""How long search and retrieval take, and how much of an original an answer takes.

`RECALL_BENCH=1000,10000,100000` names the sizes; without it the two small ones run.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest

from flowctx.cli.serve import SWITCH_SECONDS
from flowctx.excerpt.parts import Part
from flowctx.identity import resolve_session
from flowctx.message import hash_text, parse_message
from flowctx.service.context import Context
from flowctx.service.recall.parts import retrieve_parts
from flowctx.service.search.find import search
from flowctx.store.blobs import ensure_blob
from flowctx.store.connection import Connection
from flowctx.store.messages import Kept, sync_visible
from flowctx.store.originals import NewOriginal, Provenance, ensure_original
from flowctx.store.sessions import SessionRow, ensure_session
from tests.recall.planted import crowd, planted_facts
from tests.recall.test_search import said
from tests.support.host import open_context
from tests.support.transcripts import dump, result

REF = resolve_session("agent:main:main")
SIZES = [int(size) for size in os.environ.get("RECALL_BENCH", "1000,10000").split(",")]
# Originals of a megabyte each; RECALL_BENCH_ORIGINALS=1000 makes the store of a gigabyte.
ORIGINALS = int(os.environ.get("RECALL_BENCH_ORIGINALS", "50"))
_CHUNK = 2000

POINT_QUESTIONS = (
    Part(lines="15000-15002"), Part(grep="needle 7"), Part(grep="/needle [0-9]+ lost/"),
    Part(lines="-5"), Part(grep="needle", context=2, max_tokens=1500), Part(lines="1-40"),
    Part(grep="/NEEDLE 12 /i"), Part(lines="9000"), Part(lines="100-200", grep="worker 3"),
    Part(max_tokens=2000),
)  # fmt: skip


def open_row(context: Context) -> SessionRow:
    return context.database.write(lambda c: ensure_session(c, REF, 1)).result()


@pytest.fixture(scope="module", params=SIZES)
def crowded(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Context]:
    """A store with so many messages, a hundred planted facts among them."""
    context = open_context(tmp_path_factory.mktemp("crowded"))
    facts = [p.fact for language in ("en", "zh") for p in planted_facts(language)]
    texts = [*crowd(request.param - len(facts)), *facts]
    random.Random(3).shuffle(texts)
    bodies = [parse_message(dump(body)) for body in said([*texts, "what now?", "wait"])]
    row = open_row(context)
    for at in range(0, len(bodies), _CHUNK):
        part = bodies[at : at + _CHUNK]

        def write(connection: Connection, at: int = at, part: list = part) -> None:
            kept = Kept(at, bodies[at - 1].message.digest if at else b"")
            sync_visible(connection, row.id, kept, part, keep_body=True)

        context.database.write(write).result()
    context.index.drain(context.settings)
    yield context
    context.close()


def cpu_ms(work: Callable[[], object], rounds: int = 40) -> float:
    """Processor time of one call: what a machine that is busy otherwise does not change."""
    start = time.process_time()
    for _ in range(rounds):
        work()
    return round((time.process_time() - start) / rounds * 1000, 2)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_search(benchmark, crowded: Context, language: str):
    """Fifty questions in turn; nine of ten facts are among the first five."""
    facts = planted_facts(language)
    questions = cycle(planted.question for planted in facts)

    def ask() -> object:
        return search(crowded.database, REF, next(questions), 5)

    benchmark.pedantic(ask, rounds=len(facts))
    benchmark.extra_info["cpu_ms"] = cpu_ms(ask)
    found = [
        any(planted.fact in hit.snippet.replace("**", "") for hit in hits)
        for planted in facts
        for hits in [search(crowded.database, REF, planted.question, 5).hits]
    ]
    benchmark.extra_info["recall@5"] = sum(found) / len(found)
    assert sum(found) >= 45


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Iterator[tuple[Context, list[str]]]:
    """A store of originals of a megabyte each, and their hashes."""
    context = open_context(Path(tmp_path_factory.mktemp("stored")))
    row = open_row(context)
    provenance = Provenance(row.id, REF.key, REF.agent, REF.person, "exec", 1)
    hashes = []
    for number in range(ORIGINALS):
        text = megabyte(number)

        def write(connection: Connection, text: str = text) -> None:
            body = ensure_blob(connection, dump(result("c", text)))
            original = NewOriginal(hash_text(text), body, len(text), len(text) // 4)
            ensure_original(connection, original, provenance, 1)

        context.database.write(write).result()
        hashes.append(hash_text(text))
    yield context, hashes
    context.close()


@pytest.fixture
def busy() -> Iterator[None]:
    """Two threads that compute, as when results are reduced, in a process set up as a sidecar's."""
    ends, interval = threading.Event(), sys.getswitchinterval()

    def compute() -> None:
        while not ends.is_set():
            sum(number * number % 7 for number in range(1000))

    threads = [threading.Thread(target=compute) for _ in range(2)]
    sys.setswitchinterval(SWITCH_SECONDS)
    for thread in threads:
        thread.start()
    yield
    ends.set()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("busy")
def test_a_point_question_beside_reducing(benchmark, stored: tuple[Context, list[str]]):
    """A range is had back while the interpreter is busy with other work."""
    context, hashes = stored
    asked, part = cycle(hashes), POINT_QUESTIONS[0]
    answer = benchmark.pedantic(
        lambda: retrieve_parts(context.database, REF, next(asked), part).text, rounds=100
    )
    assert "lines 15000-15002 of 22,000" in answer


def megabyte(seed: int) -> str:
    choose = random.Random(seed)
    rows = [
        f"{line:06d} worker {line % 9} {choose.randbytes(12).hex()} done" for line in range(22_000)
    ]
    for number in range(20):
        rows[choose.randrange(22_000)] = f"needle {number} lost in run {seed}"
    return "\n".join(rows)


@pytest.mark.parametrize("question", range(len(POINT_QUESTIONS)))
def test_point_questions(benchmark, stored: tuple[Context, list[str]], question: int):
    """Each is answered with less than a twentieth of its original."""
    context, hashes = stored
    asked, part = cycle(hashes), POINT_QUESTIONS[question]

    def ask() -> str:
        return retrieve_parts(context.database, REF, next(asked), part).text

    said_ = benchmark.pedantic(ask, rounds=40)
    benchmark.extra_info["cpu_ms"] = cpu_ms(ask)
    benchmark.extra_info["share"] = round(len(said_) / len(megabyte(0)), 5)
    assert len(said_) < len(megabyte(0)) / 20
