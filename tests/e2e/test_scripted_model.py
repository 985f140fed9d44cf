"""The scripted model by itself: what it refuses, and how requests are read."""

import json
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.e2e.harness.model_request import Request
from tests.e2e.harness.prefix import unexpected_rewrites
from tests.e2e.harness.scenario import scripted_agent
from tests.e2e.harness.scripted_model import ScriptedModel

OPENAI = "/v1/chat/completions"
ANTHROPIC = "/v1/messages"


def openai_call(call_id: str) -> dict[str, Any]:
    function = {"name": "exec", "arguments": "{}"}
    call = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def anthropic_call(call_id: str) -> dict[str, Any]:
    call = {"type": "tool_use", "id": call_id, "name": "exec", "input": {}}
    return {"role": "assistant", "content": [call]}


def anthropic_result(call_id: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id}]}


class TestStrictCheck:
    """The scripted model refuses what the provider it stands for would refuse."""

    @pytest.mark.parametrize(
        ("path", "body"),
        [
            pytest.param(
                "/v1/chat/completions",
                {"messages": [{"role": "tool", "tool_call_id": "a", "content": "x"}]},
                id="OpenAI: a result that answers no call",
            ),
            pytest.param(
                "/v1/chat/completions",
                {"messages": [openai_call("a"), {"role": "user", "content": "x"}]},
                id="OpenAI: a call without result",
            ),
            pytest.param(
                "/v1/messages",
                {"max_tokens": 1, "messages": [anthropic_result("a")]},
                id="Anthropic: a result that answers no call",
            ),
            pytest.param(
                "/v1/messages",
                {"max_tokens": 1, "messages": [{"role": "assistant", "content": "x"}]},
                id="Anthropic: an assistant first",
            ),
        ],
    )
    def test_wrong_order_is_refused(self, path: str, body: dict[str, Any]) -> None:
        """A wrong order of messages is answered with status 400 and kept as a violation."""
        with ScriptedModel(scripted_agent) as model:
            assert post(model, path, body) == 400
            assert len(model.violations) >= 1

    def test_right_order_is_taken(self) -> None:
        """Calls answered in their own order pass in both dialects."""
        user = {"role": "user", "content": "x"}
        openai = [user, openai_call("a"), {"role": "tool", "tool_call_id": "a", "content": "x"}]
        anthropic = [user, anthropic_call("a"), anthropic_result("a")]
        with ScriptedModel(scripted_agent) as model:
            assert post(model, "/v1/chat/completions", {"messages": openai}) == 200
            assert post(model, "/v1/messages", {"max_tokens": 1, "messages": anthropic}) == 200
            assert model.violations == ()


def post(model: ScriptedModel, path: str, body: dict[str, Any]) -> int:
    """The status a request is answered with."""
    with closing(HTTPConnection(urlsplit(model.url).netloc, timeout=5)) as connection:
        connection.request("POST", path, json.dumps(body))
        with connection.getresponse() as response:
            return response.status


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def result(call_id: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def request(number: int, *messages: dict[str, Any]) -> Request:
    body = {"messages": list(messages)}
    return Request(number, 0.0, OPENAI, json.dumps(body).encode(), body)


class TestPrefix:
    """Which rewrites of what was already sent are expected, and which are not."""

    TURN = (user("one"), openai_call("a"), result("a", "long"))

    def test_growing_at_the_end_is_expected(self) -> None:
        """A request that only adds messages rewrites nothing."""
        later = request(1, *self.TURN, {"role": "assistant", "content": "ok"}, user("two"))

        assert unexpected_rewrites([request(0, *self.TURN), later]) == []

    def test_results_of_the_ended_turn_may_change(self) -> None:
        """A result takes another form once the user has spoken again."""
        later = request(1, *self.TURN[:2], result("a", "short"), user("two"))

        assert unexpected_rewrites([request(0, *self.TURN), later]) == []

    def test_results_of_the_running_turn_may_not_change(self) -> None:
        """The same change within the turn is reported."""
        later = request(1, *self.TURN[:2], result("a", "short"), openai_call("b"))

        (found,) = unexpected_rewrites([request(0, *self.TURN), later])
        assert "part 3 (tool)" in found

    def test_older_results_may_not_change(self) -> None:
        """A result of an earlier turn keeps its bytes."""
        second = (*self.TURN, user("two"), openai_call("b"), result("b", "x"))
        third = (*self.TURN[:2], result("a", "short"), *second[3:], user("three"))

        (found,) = unexpected_rewrites([request(0, *second), request(1, *third)])
        assert "part 3 (tool)" in found

    def test_what_was_said_may_not_change(self) -> None:
        """A user's words keep their bytes."""
        later = request(1, user("uno"), *self.TURN[1:], user("two"))

        (found,) = unexpected_rewrites([request(0, *self.TURN), later])
        assert "part 1 (user)" in found
