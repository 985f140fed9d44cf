"""Identifiers: which words must survive letter for letter, and which are prose."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.dag.facts.identifiers import KINDS, Kind, identifiers_in, identifiers_in_prose
from flowctx.dag.facts.mentions import choose_mentions, rank_mentions
from flowctx.dag.facts.occurrence import occurs
from flowctx.dag.wording.rules import load_table
from tests.support.notes import ran, turns_of
from tests.support.transcripts import assistant, user

FOUND = [
    ("see https://example.org/a?b=1.", "url", "https://example.org/a?b=1"),
    ("mail ada@example.org, please", "email", "ada@example.org"),
    ("plan 6f0c1d2e-8b7a-4c11-9a55-0d2f9e71b3aa", "uuid", "6f0c1d2e-8b7a-4c11-9a55-0d2f9e71b3aa"),
    ("commit a94be20c7d", "hash", "a94be20c7d"),
    ("target db-orders-eu2:54329", "address", "db-orders-eu2:54329"),
    ("at 10.0.0.7:8080", "address", "10.0.0.7:8080"),
    ("host 10.0.0.7", "address", "10.0.0.7"),
    ("needs requests==2.31.0", "package", "requests==2.31.0"),
    ("now v2.4", "version", "v2.4"),
    ("upgrade to 1.22.3", "version", "1.22.3"),
    ("fails with E_LOCK_0137", "code", "E_LOCK_0137"),
    ("got ECONNREFUSED", "code", "ECONNREFUSED"),
    ("error TS2345", "code", "TS2345"),
    ("raises ModuleNotFoundError", "code", "ModuleNotFoundError"),
    ("ticket JIRA-123", "ticket", "JIRA-123"),
    ("fixed in #91", "ticket", "#91"),
    ("set DATABASE_URL", "environment", "DATABASE_URL"),
    ("pass --no-verify", "flag", "--no-verify"),
    ("修改 legacy/ 目录", "path", "legacy/"),
    ("in src/app/main.ts:12:3", "path", "src/app/main.ts"),
    ("the README.md", "path", "README.md"),
    (r"at C:\work\x.txt", "path", r"C:\work\x.txt"),
    ("call parse_config()", "symbol", "parse_config()"),
    ("the orders_audit table", "symbol", "orders_audit"),
    ("class OrderStore", "symbol", "OrderStore"),
    ("in std::vector", "symbol", "std::vector"),
]
TOLD = [
    ("端口必须是54329。", "port", "54329"),
    ("listens on port 8080", "port", "8080"),
    ("git checkout -b fix/lock-timeout", "branch", "fix/lock-timeout"),
    ("pip install -U httpx", "package", "httpx"),
    ("a limit of 30 s", "quantity", "30 s"),
    ("order 4711234 is late", "number", "4711234"),
]
PROSE = [
    "and/or", "2026-01-02", "11:04:26", "1/2", "client/server", "e.g.", "i.e.", "UTF-8", "Hello,",
    "done.", "...", "(since", "</div>", "x = y", "line:45", "==========", "Don't",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "word"), FOUND)
def test_a_token_of_a_kind_is_found(text: str, kind: str, word: str):
    """Whatever punctuation it stands in."""
    assert (kind, word) in identifiers_in(text)
    assert (kind, word) in identifiers_in(f'("{text}")')


@pytest.mark.parametrize(("text", "kind", "word"), TOLD)
def test_what_only_its_context_shows_is_found_in_prose(text: str, kind: str, word: str):
    """A number is a port behind the word for it."""
    assert (kind, word) in identifiers_in_prose(text)


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_identifier(text: str):
    """Words, dates, fractions, tags and rules of dashes name nothing."""
    assert identifiers_in(text) == []


def test_every_kind_of_the_table_is_a_kind_of_the_code():
    """The patterns and the type list the same kinds, the tokens' in the same order."""
    table = load_table("identifiers")
    tokens = [rule["id"] for rule in table["kind"]]
    assert list(KINDS[: len(tokens)]) == tokens
    assert {rule["id"] for rule in table["context"]} | set(tokens) == set(get_args(Kind))


def test_what_the_user_named_outranks_what_a_tool_printed():
    """A cap keeps the identifiers that matter."""
    listing = "\n".join(f"src/gen/file{at:03}.go" for at in range(400))
    turns = turns_of([user("Look at src/pay/lock.go."), *ran("a", "find src", listing)])
    kept, rest = choose_mentions(rank_mentions(turns), 10)
    assert "src/pay/lock.go" in [mention.text for mention in kept]
    assert len(kept) == 10 and len(rest) >= 390


def test_a_rare_kind_keeps_its_place_among_many_symbols():
    """One port is not pushed out by a thousand names."""
    names = " ".join(f"handler_{at}" for at in range(1000))
    turns = turns_of([*ran("a", "nm x", f"{names}\nlistening on 10.0.0.7:8080"), assistant("ok")])
    kept, _ = choose_mentions(rank_mentions(turns), 40)
    assert "10.0.0.7:8080" in [mention.text for mention in kept]


@pytest.mark.parametrize(
    ("text", "word", "stands"),
    [
        ("JIRA-123", "JIRA-12", False),
        ("port 54329", "4329", False),
        ("a/src/app.ts:12", "src/app.ts", True),
        ("端口54329。", "54329", True),
        ("x(foo_bar)", "foo_bar", True),
        ("xfoo_bar", "foo_bar", False),
        ("", "a", False),
        ("a", "", False),
    ],
)
def test_a_word_stands_only_between_edges(text: str, word: str, stands: bool):
    """A shorter number inside a longer one is another number."""
    assert occurs(text, word) is stands


@given(st.text(max_size=300))
def test_any_text_is_taken(text: str):
    """Every identifier found is a part of the text."""
    assert all(i.text.removesuffix("()") in text for i in identifiers_in_prose(text))
