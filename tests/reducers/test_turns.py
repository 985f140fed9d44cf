"""Heads of turns: lines that name a speaker and a time, and what is none."""

import time
from itertools import pairwise

import pytest

from flowctx.reducers.turns import read_turns

_SAID = "We looked at it together and found nothing that would explain it."


def _talk(*heads: str) -> list[str]:
    return [line for head in heads for line in (*head.split("\n"), "", _SAID, "")]


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("ana-k commented 3 days ago", id="a thread, printed for people"),
        pytest.param("ana-k (Member) • Mar 3, 2031 • Edited", id="with a role"),
        pytest.param("ana-k  [10:42 AM]", id="a chat"),
        pytest.param("ana-k — 02.03.2031 10:42", id="a chat with dashes"),
        pytest.param("Ana Kos  00:12:33", id="a recording"),
        pytest.param("[00:12:33] Ana Kos:", id="the time first"),
        pytest.param("ana-k\nMarch 3, 2031, 10:42am #4", id="a forum"),
        pytest.param("From: Ana Kos <a@example.org>\nSent: 3 March 2031 10:42", id="a mail"),
        pytest.param("De: Ana Kos <a@example.org>\nEnvoyé: 3 mars 2031 10:42", id="in French"),
        pytest.param("author:\tana-k\nassociation:\tnone\n--", id="fields of a comment"),
        pytest.param("ana-k 3 hours ago | parent | next [–]", id="a forum of news"),
        pytest.param("[–]ana-k 12 points 3 hours ago", id="with points"),
        pytest.param("[3/2 10:42 AM] Ana Kos", id="a short date first"),
        pytest.param("Ana Kos added a comment - 02/Mar/31 10:42 AM", id="a tracker"),
        pytest.param("Comment 7 Ana Kos 2031-03-02 10:42:11 UTC", id="counted"),
        pytest.param("[02-Mar-31 10:42 AM] ana-k#1234", id="with a number"),
        pytest.param("Ana Kos :palm_tree:  10:42 AM", id="with a state"),
        pytest.param("On 3 March 2031 at 10:42 Ana Kos <a@example.org> wrote:", id="quoted"),
        pytest.param("Am 3. März 2031 um 10:42 schrieb Ana Kos <a@example.org>:", id="in German"),
        pytest.param("田中 2031年3月3日 10:42", id="in Japanese"),
    ],
)
def test_heads_begin_turns(head: str) -> None:
    """Each head begins a turn of its speaker, and what follows is the body."""
    lines = _talk(head, head, head, head)

    turns = read_turns(lines)

    assert len(turns) == 4
    assert {turn.speaker for turn in turns} <= {"ana-k", "Ana Kos", "田中"}
    assert all(_SAID in lines[turn.body : turn.end] for turn in turns)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("1. Read this document fully", id="a step"),
        pytest.param("Found 1 error.", id="a total"),
        pytest.param("Released on 2031-03-03 by the usual people, see below", id="a sentence"),
        pytest.param("Finished in 10:42 minutes", id="a duration"),
        pytest.param("From: the beginning", id="a field that is no mail"),
        pytest.param("author:\tana-k", id="a field alone"),
    ],
)
def test_no_heads_noop(line: str) -> None:
    """What is no head begins no turn, however often it stands there."""
    assert read_turns(_talk(line, line, line, line)) == []


@pytest.mark.parametrize(
    "line",
    [
        *("a" * 110, "a " * 55, "1" * 110, "1:1:" * 27, "[" * 110, "On 1 " + "a " * 50 + ":"),
        *("a.a" * 36, "a (" * 36, "1 a" * 36, "From: " + "a " * 50 + "<", "- " * 55, "信息 1" * 27),
    ],
)
def test_no_head_is_slow_to_tell(line: str) -> None:
    """Lines that make careless patterns backtrack are told as fast as others."""
    lines = [f"{line[:100]}{at % 10}:{at % 10}0" for at in range(200)] + [line] * 200
    began = time.process_time()
    read_turns(lines)
    # Other work of the machine costs processor time as well; backtracking takes minutes.
    assert time.process_time() - began < 1.0


def test_turns_follow_each_other() -> None:
    """Turns are in order, and none reaches into the next."""
    turns = read_turns(_talk(*(f"ana-k  10:{minute}" for minute in range(10, 40))))

    assert len(turns) == 30
    assert all(one.end == other.start for one, other in pairwise(turns))
