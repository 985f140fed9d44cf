"""How a turn ended, as its card tells."""

from __future__ import annotations

import pytest

from tests.support.cards import live, turn
from tests.support.host import HostSession


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("I did not close ticket BUG-102: it failed, permission denied.", "failed"),
        ("The upload to eu-west failed with a timeout.", "failed"),
        ("部署失败了，因为权限不足。", "failed"),
        ("The first try failed with a timeout. The service is deployed to staging now.", "ok"),
        ("I have fixed the failing test and it is merged.", "ok"),
        ("Ticket BUG-102 is closed.", "ok"),
    ],
)
def test_an_answer_that_only_tells_of_a_failure_is_one(context, answer, outcome):
    """By its own word a turn failed, unless the answer says what was done after all."""
    live(HostSession(context), turn("See to ticket BUG-102", answer, 1_000))
    query = "SELECT outcome FROM cards"
    assert context.database.read(lambda c: c.execute(query).get) == outcome
