"""Embeddings, where they are switched on: behind the reply, and never in its way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from flowctx.config import Settings, parse_settings
from flowctx.embedding_settings import EmbeddingSettings
from flowctx.service.context import Context
from flowctx.service.doctor import check_host
from flowctx.service.hostconfig import HostConfig
from flowctx.service.sliding.embedding.vectors import REPLY_SECONDS
from flowctx.store.card_blocks import CardSelection, delete_cards
from flowctx.store.connection import Connection
from tests.support.cards import block_of, card, live, plant, turn
from tests.support.embedding_endpoint import Endpoint, open_endpoint
from tests.support.host import HostSession, open_context

MAIN, CRON = "agent:main:main", "agent:main:cron:daily:run:1"
CARS, QUESTION = "The automobile needs new tyres", "What is wrong with my car?"
KEY_NAME, KEY = "FLOWCTX_TEST_EMBEDDING_KEY", "sk-secret-of-the-test"
CROWD = 60


@dataclass
class Rig:
    """A store with a crowd of cards, an endpoint, and what the log was told."""

    context: Context
    endpoint: Endpoint
    told: list[str] = field(default_factory=list)

    def use(self, **source: str) -> None:
        """Switch embeddings on, by the endpoint if nothing else is said."""
        source = source or {"url": self.endpoint.url, "model": "small"}
        sliding = replace(Settings().sliding, embedding=EmbeddingSettings(**source))
        self.context.settings = replace(Settings(), sliding=sliding)

    def make_vectors(self) -> None:
        """Wait until every card has its vector, or it is clear that none will come."""
        self.context.vectors.drain(self.context.settings, 0)

    def block(self, number: int = 1) -> str:
        """The block that a new session gets for the question."""
        session = HostSession(self.context, f"agent:main:cron:daily:run:{number}")
        session.prompt = QUESTION
        return block_of(session.assemble([]))

    def count(self) -> int:
        """Vectors in the store."""
        return self.read("SELECT count(*) FROM card_vectors")

    def read(self, query: str) -> int:
        return self.context.database.read(lambda connection: connection.execute(query).get)

    def write(self, work) -> None:
        self.context.database.write(work).result()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """The card about the car is the oldest: only what it means can bring it into a block."""
    context = open_context(tmp_path)
    now = context.now_ms()
    cards = [card(f"Filed item{n} under shelf{n}", now - n * 60_000) for n in range(CROWD)]
    cards.append(card(CARS, now - 9_000_000))
    context.database.write(lambda c: plant(c, MAIN, cards, now)).result()
    with open_endpoint() as endpoint:
        made = Rig(context, endpoint)
        context.notify = lambda _, text: made.told.append(text)
        yield made
        context.close()


def test_a_card_is_found_by_what_it_means(rig: Rig) -> None:
    """It shares no word with the question, and is far from recent."""
    assert CARS not in rig.block(1)
    rig.use()
    rig.make_vectors()
    assert rig.count() == CROWD + 1
    assert CARS in rig.block(2)


def test_nothing_is_asked_where_nothing_is_configured(rig: Rig) -> None:
    """By default no vector is made, of no card and no prompt."""
    live(HostSession(rig.context, MAIN), turn("Fix the automobile", "It has new tyres.", 1_000))
    rig.make_vectors()
    rig.block()
    assert (rig.count(), rig.endpoint.asked) == (0, [])


def test_a_turn_that_ends_has_its_vector_made_behind(rig: Rig) -> None:
    """Nothing else has to ask for it; and each card is asked for once."""
    rig.use()
    rig.make_vectors()
    rig.endpoint.asked.clear()
    at = rig.context.now_ms()
    live(
        HostSession(rig.context, MAIN),
        turn("Call the clinic about my vaccination", "They see you at nine on Monday.", at),
    )
    rig.context.vectors.drain(rig.context.settings, 0)
    assert rig.endpoint.texts == [
        "Call the clinic about my vaccination · → They see you at nine on Monday."
    ]


def test_a_slow_endpoint_costs_one_reply_its_cap_and_the_next_nothing(rig: Rig) -> None:
    """The block is then made by words, as without embeddings; later prompts are not sent."""
    rig.use()
    rig.make_vectors()
    rig.endpoint.delay_s = 1.0
    started = time.monotonic()
    first = rig.block(1)
    assert time.monotonic() - started < REPLY_SECONDS + 0.8
    assert first.count("\n- [") == 5 and CARS not in first
    time.sleep(1.1)
    asked = len(rig.endpoint.asked)
    assert CARS not in rig.block(2) and len(rig.endpoint.asked) == asked


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ({"status": 401}, "answered 401"),
        ({"status": 302, "location": "http://127.0.0.1:9/v1"}, "answered 302"),
        ({"raw": b"<html>"}, "answered no embeddings"),
        ({"raw": b'{"data": []}'}, "0 vectors of 8 texts"),
        ({"raw": b'{"data": [{"index": 0, "embedding": "x"}]}'}, "answered no embeddings"),
        ({"raw": b'{"data": [' + b'{"index": 0, "embedding": [0, 0]},' * 7 + b"{}]}"}, "no embed"),
        ({"raw": b"[" * 100_000}, "answered no embeddings"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_broken_endpoint_is_told_once_and_left_alone(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, trouble: dict, said: str
) -> None:
    """The reason is in the log without the key, blocks go on by words, and nothing is retried."""
    monkeypatch.setenv(KEY_NAME, KEY)
    for name, value in trouble.items():
        setattr(rig.endpoint, name, value)
    rig.use(url=rig.endpoint.url, model="small", api_key_env=KEY_NAME)
    rig.make_vectors()
    rig.make_vectors()
    (told,) = [text for text in rig.told if "vectors" in text]
    assert said in told and KEY not in told
    assert rig.block().count("\n- [") == 5
    assert (len(rig.endpoint.asked), rig.count()) == (1, 0)


def test_a_text_that_is_refused_does_not_hold_up_the_others(rig: Rig) -> None:
    """It has no vector and is not asked for again; all others have theirs."""
    rig.endpoint.refused = "item3 "
    rig.use()
    rig.make_vectors()
    assert rig.read("SELECT count(*) FROM card_vectors WHERE vector = x''") == 1
    assert rig.count() == CROWD + 1 and CARS in rig.block()
    rig.endpoint.asked.clear()
    rig.make_vectors()
    assert rig.endpoint.asked == []


def test_the_key_comes_from_the_environment(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is sent as bearer token; the store holds only the variable's name."""
    monkeypatch.setenv(KEY_NAME, KEY)
    rig.use(url=f"{rig.endpoint.url}/", model="small", api_key_env=KEY_NAME)
    rig.make_vectors()
    headers = rig.endpoint.headers[0]
    assert (headers["path"], headers["Authorization"]) == ("/v1/embeddings", f"Bearer {KEY}")
    assert rig.endpoint.asked[0]["model"] == "small"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"url": "http://127.0.0.1:9/v1", "model": "m"}, "cannot be reached"),
        ({"url": "http://127.0.0.1:9/v1", "model": "m", "api_key_env": "NO_SUCH_KEY"}, "has no"),
        ({"path": "/nonexistent/model"}, "cannot be used"),
    ],
    ids=["refused", "no key", "no model"],
)
def test_what_is_not_there_is_told(rig: Rig, source: dict, said: str) -> None:
    """And a session begins all the same."""
    rig.use(**source)
    rig.make_vectors()
    assert any(said in text for text in rig.told)
    assert rig.block().count("\n- [") == 5


def test_a_corrected_setting_is_tried_at_once(rig: Rig) -> None:
    """The pause after a failure is for the source that failed."""
    rig.use(url="http://127.0.0.1:9/v1", model="m")
    rig.make_vectors()
    rig.use()
    rig.make_vectors()
    assert CARS in rig.block()


def test_another_model_makes_its_own_vectors(rig: Rig) -> None:
    """Vectors of two models are never compared; each card has one, the newest."""
    rig.use()
    rig.make_vectors()
    rig.use(url=rig.endpoint.url, model="large")
    rig.endpoint.asked.clear()
    rig.make_vectors()
    assert (len(rig.endpoint.texts), rig.count()) == (CROWD + 1, CROWD + 1)
    assert rig.read("SELECT count(DISTINCT model) FROM card_vectors") == 1


def test_a_vector_goes_with_its_card_and_with_its_text(rig: Rig) -> None:
    """A card that grew has its vector made anew; a deleted one leaves none."""
    rig.use()
    rig.make_vectors()

    def grow(connection: Connection) -> None:
        connection.execute("UPDATE cards SET text = 'The lease' WHERE text = ?", (CARS,))

    rig.write(grow)
    assert rig.count() == CROWD
    rig.make_vectors()
    assert rig.endpoint.texts[-1] == "The lease" and rig.count() == CROWD + 1
    rig.write(lambda connection: delete_cards(connection, CardSelection()))
    assert rig.count() == 0


def test_walls_hold_for_what_is_alike(rig: Rig) -> None:
    """A stranger's session and a group get nothing, however like the question a card is."""
    rig.use()
    rig.make_vectors()
    for key in ("agent:main:telegram:direct:7", "agent:main:telegram:group:g", "agent:work:main"):
        session = HostSession(rig.context, key)
        session.prompt = QUESTION
        assert block_of(session.assemble([])) == ""


def test_doctor_says_what_embeddings_lack(tmp_path: Path) -> None:
    """It looks at the model and calls nobody; switched off there is nothing to say."""

    def checks(embedding: object) -> list[tuple[bool, str]]:
        host = HostConfig(tmp_path, slot="flowctx", settings={"sliding": {"embedding": embedding}})
        return [(c.is_ok, c.detail) for c in check_host(host) if c.name == "embeddings"]

    assert checks("none") == []
    ((is_ok, detail),) = checks({"path": str(tmp_path / "model")})
    assert not is_ok and str(tmp_path / "model") in detail
    assert checks({"url": "http://127.0.0.1:9/v1", "model": "m", "apiKeyEnv": "NO_KEY"}) == [
        (True, "m at http://127.0.0.1:9/v1")
    ]


@pytest.mark.parametrize(
    ("raw", "source", "complaint"),
    [
        ("none", EmbeddingSettings(), ""),
        (None, EmbeddingSettings(), ""),
        ("openai", EmbeddingSettings(), "not an object"),
        ({"url": "ftp://x/v1", "model": "m"}, EmbeddingSettings(model="m"), "http or https"),
        ({"url": "http://x/v1"}, EmbeddingSettings(), "model is not set"),
        ({"path": 7}, EmbeddingSettings(), "not a word"),
        ({"key": "sk-1"}, EmbeddingSettings(), "unknown key"),
        (
            {"url": "http://x", "model": "m", "path": "/m"},
            EmbeddingSettings("", "m", "", "/m"),
            "path",
        ),
        ({"path": "/m"}, EmbeddingSettings(path="/m"), ""),
    ],
    ids=str,
)
def test_each_setting_is_read_or_reported(raw, source, complaint) -> None:
    """What cannot be used switches nothing on, and is named."""
    settings, problems = parse_settings({"sliding": {"embedding": raw}})
    assert settings.sliding.embedding == source
    assert [complaint in problem.message for problem in problems] == [True] * bool(complaint)
    assert all(problem.key.startswith("sliding.embedding") for problem in problems)
