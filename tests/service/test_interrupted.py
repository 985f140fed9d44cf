"""A turn that was broken off is an old one as soon as the user writes anew."""

from __future__ import annotations

import pytest

from flowctx.service.context import Context
from tests.support.host import HostSession
from tests.support.turns import text_at, turn, turns

# What the host prompts for a model that goes on with its turn, each in a form of its own.
GOES_ON = [
    "",
    "Continue the current task from the existing transcript, preserving completed work.",
    "The previous attempt did not produce a user-visible answer.",
    "do 2",
]


def broken_off(number: int):
    """A turn whose answer never came."""
    return turn(number)[:-1]


def test_its_results_are_reduced_in_the_first_view_of_the_next_turn(context: Context) -> None:
    """Nothing of it is carried raw through the turn after, to change in the one after that."""
    host = HostSession(context)
    history = [*turns(2), *broken_off(2)]
    host.prompt = "do 3"
    view = host.assemble(history)
    assert "flowctx_retrieve" in text_at(view, len(view) - 1)
    host.prompt = "do 4"
    later = host.assemble([*history, *turn(3)])
    assert later[: len(view)] == view and host.answer is not None and host.answer.round == ""


@pytest.mark.parametrize("prompt", GOES_ON)
def test_it_stays_verbatim_while_the_host_goes_on_with_it(context: Context, prompt: str) -> None:
    """A retry hands over the running turn; it is the task at hand."""
    host = HostSession(context)
    host.prompt = prompt
    history = [*turns(2), *broken_off(2)]
    assert host.assemble(history)[-1] == history[-1]


def test_what_was_reduced_stays_so_when_the_next_turn_is_tried_again(context: Context) -> None:
    """A retry with the same list and another prompt changes no byte."""
    host = HostSession(context)
    history = [*turns(2), *broken_off(2)]
    host.prompt = "do 3"
    view = host.assemble(history)
    host.prompt = GOES_ON[2]
    assert host.assemble(history) == view
