"""Reading host messages: stable digests, exact texts, and no input that raises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.message import (
    IMAGE_TOKENS,
    encode_text,
    hash_text,
    parse_message,
    text_of,
    tool_output,
    well_formed,
)
from tests.support.transcripts import assistant, call, dump, result, user

ANY_TEXT = st.text(st.characters(codec=None))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=12,
)
BASE = {
    "role": "assistant",
    "content": [{"type": "text", "text": "hi"}, {"type": "toolCall", "id": "a_1", "name": "exec"}],
    "timestamp": 1_796_000_000_000,
    "stopReason": "toolUse",
}


def digest(value: dict) -> bytes:
    return parse_message(dump(value)).message.digest


@pytest.mark.parametrize("key", ["usage", "details", "__openclaw", "idempotencyKey"])
@given(value=JSON)
def test_what_the_host_changes_later_is_not_in_the_digest(key, value):
    """Usage, details, host data and idempotency key may come, go and change."""
    assert digest({**BASE, key: value}) == digest(BASE)


@pytest.mark.parametrize("key", ["role", "content", "timestamp", "stopReason", "isError", "new"])
def test_everything_else_is(key):
    """Any other field of a message makes it another message."""
    assert digest({**BASE, key: "other"}) != digest(BASE)


@pytest.mark.parametrize("other", ["a1", "a-1", "_a_1_", "a:1"])
def test_ids_count_by_their_letters_and_digits(other):
    """The host strips ids on replay; that must not make another message."""
    renamed = {**BASE, "content": [BASE["content"][0], {**BASE["content"][1], "id": other}]}
    assert digest(renamed) == digest(BASE)
    assert digest(result("a_1", "x")) == digest(result(other, "x"))
    assert digest(result("a_1", "x")) != digest(result("a_2", "x"))


def test_the_order_of_keys_says_nothing():
    """A message is the same however its writer orders keys."""
    assert digest(dict(reversed(BASE.items()))) == digest(BASE)


@given(st.dictionaries(st.sampled_from([*BASE, "toolCallId", "details", "x"]), JSON))
def test_no_object_raises(value):
    """Whatever JSON stands in whatever field, the message is read and read the same again."""
    body = json.dumps(value).encode()
    parsed = parse_message(body)
    assert parsed.message == parse_message(body).message and parsed.body == body
    assert len(parsed.message.digest) == 16 and parsed.message.tokens >= 0
    tool_output(parsed.value, None)


@given(st.binary(max_size=60))
def test_no_bytes_raise(body):
    """What is no JSON object is kept whole under a digest of its own."""
    message = parse_message(body).message
    if message.role == "unknown" and not body.lstrip().startswith(b"{"):
        assert message.digest != parse_message(body + b" x").message.digest


@pytest.mark.parametrize("depth", [200, 255, 390, 410, 990, 1020, 1100, 50_000])
def test_deep_nesting_reads_the_same_at_any_depth_of_the_stack(depth):
    """A body nested beyond reason is kept whole; what it reads as hangs on itself alone."""
    nested = b"[" * depth + b"]" * depth
    body = b'{"role":"user","content":[{"type":"odd","payload":' + nested + b"}]}"

    def read_below(frames: int) -> object:
        return parse_message(body).message if frames == 0 else read_below(frames - 1)

    assert read_below(0) == read_below(300)
    assert read_below(0).role == ("user" if depth < 400 else "unknown")


@pytest.mark.parametrize(
    ("body", "role"),
    [
        pytest.param(b"", "unknown", id="nothing"),
        pytest.param(b"[1]", "unknown", id="a list"),
        pytest.param(b"null", "unknown", id="null"),
        pytest.param(b"\xff\xfe\x00", "unknown", id="no UTF-8"),
        pytest.param(b'{"role":5}', "unknown", id="a role that is no word"),
        pytest.param(b'{"role":"user","content":{"a":1}}', "user", id="content that is an object"),
        pytest.param(b'{"role":"user","content":[null,3,"x",[]]}', "user", id="odd blocks"),
        pytest.param(b'{"role":"user","timestamp":1e999}', "user", id="a time beyond all"),
        pytest.param(b'{"role":"user","timestamp":NaN}', "user", id="a time that is no number"),
        pytest.param(b'{"role":"user","timestamp":%s}' % (b"9" * 40), "user", id="a huge time"),
        pytest.param(b'{"role":"user","timestamp":-5}', "user", id="a time before all"),
        pytest.param(b'{"role":"user","timestamp":true}', "user", id="a time that is true"),
        pytest.param(b'{"role":"user","n":%s}' % (b"7" * 9000), "unknown", id="a huge integer"),
    ],
)
def test_odd_bodies_are_taken_as_they_are(body, role):
    """Odd input gets a role and a time that the store can hold."""
    message = parse_message(body).message
    assert message.role == role
    assert 0 <= message.time_ms <= 253_402_300_799_999


def test_a_lone_surrogate_survives_to_the_last_code_unit():
    """Text with half a pair is hashed and given back exactly, and shown well-formed."""
    text = "head \ud83d tail 😀 \udc00"
    body = json.dumps(result("c", text)).encode()
    back = text_of(parse_message(body).value)
    assert back == text and hash_text(back) == hash_text(text)
    assert encode_text(back).decode("utf-8", "surrogatepass") == text
    assert well_formed(back) == "head \ufffd tail 😀 \ufffd"


@given(ANY_TEXT)
def test_well_formed_text_can_always_be_sent(text):
    """No surrogate is left alone, proper pairs are joined, all else stays."""
    shown = well_formed(text)
    shown.encode("utf-8")
    assert well_formed(shown) == shown
    if not any("\ud800" <= char <= "\udfff" for char in text):
        assert shown == text


def test_text_of_joins_what_is_text_and_nothing_else():
    """Strings, summaries and text blocks are text; images, thinking and calls are not."""
    blocks = [
        {"type": "text", "text": "one"},
        {"type": "image", "data": "AAAA"},
        {"type": "thinking", "thinking": "private"},
        {"type": "text", "text": ""},
        {"type": "text", "text": "two"},
    ]
    assert text_of({"content": blocks}) == "one\n\ntwo"
    assert text_of({"content": "plain"}) == "plain"
    assert text_of({"role": "compactionSummary", "summary": "before"}) == "before"
    assert text_of({"content": 5}) == ""


@pytest.mark.parametrize(
    ("text", "extra", "code"),
    [
        pytest.param("ok\n(Command exited with code 3)", {}, 3, id="said by the host"),
        pytest.param("ok\n(Command exited with code -9)\n", {}, -9, id="killed"),
        pytest.param("(Command exited with code 3)\nthen more", {}, None, id="quoted in the text"),
        pytest.param("ok", {"details": {"exitCode": 0}}, 0, id="in the details"),
        pytest.param("ok", {"details": {"exitCode": True}}, None, id="a code that is no number"),
        pytest.param("ok", {"details": "exitCode"}, None, id="details that are no object"),
    ],
)
def test_where_an_exit_code_comes_from(text, extra, code):
    """The code comes from the host's details or its last line, never from the output."""
    assert tool_output(result("c", text, **extra), None).exit_code == code


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        pytest.param({"command": "ls -l", "timeout": 5}, "ls -l", id="the command"),
        pytest.param({"cmd": ["git", "log"]}, "git log", id="a list of words"),
        pytest.param({"path": "a.py", "limit": 3}, "a.py", id="the path"),
        pytest.param({"content": "long"}, "", id="nothing that says much"),
        pytest.param("raw", "raw", id="arguments that are a string"),
        pytest.param({"command": "\ud800x"}, "\ufffdx", id="half a pair"),
    ],
)
def test_a_call_is_known_by_the_argument_that_says_most(arguments, detail):
    """Commands, paths, addresses and patterns tell what a call did."""
    block = {"type": "toolCall", "id": "c_1", "name": "exec", "arguments": arguments}
    (made,) = parse_message(dump(assistant(block))).message.calls
    assert (made.id, made.host_id, made.tool, made.detail) == ("c1", "c_1", "exec", detail)


def test_tokens_count_what_the_model_sees():
    """Text, thinking, calls, images and top-level reasoning cost; host data does not."""
    plain = parse_message(dump(user("x" * 400))).message
    assert plain.tokens == 104 and plain.text_tokens == 100
    image = {"role": "user", "content": [{"type": "image", "data": "A" * 9000}]}
    assert parse_message(dump(image)).message.tokens == IMAGE_TOKENS + 4
    thinking = assistant({"type": "thinking", "thinking": "y" * 400, "thinkingSignature": "s" * 99})
    assert parse_message(dump(thinking)).message.tokens == 104
    reasoned = assistant(call("c"), reasoning_content="z" * 400)
    bare = assistant(call("c"))
    cost = parse_message(dump(reasoned)).message.tokens - parse_message(dump(bare)).message.tokens
    assert cost == 100
    hosted = user("x", usage={"a": "b" * 999}, details="d" * 999)
    assert parse_message(dump(hosted)).message.tokens == 5


def test_an_empty_thinking_block_is_not_blank():
    """A signature alone is content that a provider wants back."""
    block = {"type": "thinking", "thinking": "", "thinkingSignature": "c2ln"}
    assert not parse_message(dump(assistant(block))).message.is_blank
    assert parse_message(dump(assistant("  \n"))).message.is_blank


@pytest.mark.parametrize(
    "text",
    [
        "[openclaw] missing tool result in session history",
        "[flowctx] no result was recorded for this call",
        "host: no result was recorded for this call",
        "No result provided",
    ],
)
def test_placeholders_are_told_from_results(text):
    """What stands in for a lost result is known, and what only quotes it is not."""
    assert parse_message(dump(result("c", text))).message.is_placeholder
    assert not parse_message(dump(result("c", f"the log says: {text}"))).message.is_placeholder
    assert not parse_message(dump(user(text))).message.is_placeholder
