"""Pages and manuals are told by what they say, whatever stands around it."""

from __future__ import annotations

import random

import pytest

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output

DICE = random.Random("documents")
NOUNS = ("route", "ledger", "window", "batch", "signal", "index", "branch", "handle")
VERBS = ("reads", "writes", "opens", "sorts", "prints", "copies", "merges", "follows")
SAID = (
    "Deprecated since 3.11: use open_ledger() instead.",
    "Values above 65,535 are silently truncated.",
    "Never call flush() from a signal handler.",
)


@pytest.fixture(autouse=True)
def _same_dice() -> None:
    """Each test throws the same, whichever ran before it."""
    DICE.seed("documents")


def sentence() -> str:
    noun, verb, other = DICE.choice(NOUNS), DICE.choice(VERBS), DICE.choice(NOUNS)
    return f"It {verb} the {noun} of the {other} and gives the {DICE.choice(NOUNS)} to the caller."


def reduced(text: str, command: str) -> Reduction:
    result = reduce_output(ToolOutput(text, "exec", command))
    assert isinstance(result, Reduction)
    return result


def readme(sections: int) -> list[str]:
    """Parts of a page that is mostly code, with a sentence or two to each function."""
    parts = []
    for n in range(sections):
        code = "\n".join(f"const {noun}{n} = lib.{noun}({n}, {{ deep: true }})" for noun in NOUNS)
        parts += [
            f"### {DICE.choice(NOUNS)}{n}(a, b)",
            sentence(),
            f"```js\n{code}\n```",
            sentence(),
        ]
    return parts


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("place", [30, 90, 150])
def test_what_holds_only_so_far_is_shown_on_a_page_of_code(place, said):
    parts = readme(44)
    parts.insert(place, said)
    result = reduced("\n\n".join(["# Ledger", *parts]), "cat README.md")
    assert result.type == "markdown" and said in result.body
    assert len(result.body) <= 4_000


def test_a_page_that_begins_with_a_picture_is_still_markdown():
    badges = "".join(
        f'<a href="https://b.example/{n}"><img src="{n}.svg"></a>\n' for n in range(24)
    )
    text = "\n\n".join([f'<p align="center">\n{badges}</p>', "## Use", *readme(30), "## More"])
    assert reduced(text, "cat README.md").type == "markdown"


def test_a_part_of_a_page_is_still_html():
    rows = "\n".join(f"<div><p>{sentence()}</p><ul><li>{n}</li></ul></div>" for n in range(60))
    assert reduced(rows, "").type == "html"


def manual(said: str) -> str:
    """A manual whose second section is none of those that all of them have."""
    lines = ["route(3)            Library Functions Manual            route(3)", "", "NAME"]
    lines += ["       route, unroute - find the way of a message", "", "LIBRARY"]
    lines += ["       Ledger library (libledger, -lledger)", "", "DESCRIPTION"]
    for n in range(70):
        lines += [f"       int route_{n}(struct way *w, int {DICE.choice(NOUNS)}, char **out);", ""]
        if n == 40:
            lines += [f"       {said}", ""]
        if n % 3 == 0:
            lines += [f"              {sentence()[:60]}", f"              {sentence()[:60]}", ""]
    return "\n".join([*lines, "SEE ALSO", "       ledger(7)"])


@pytest.mark.parametrize("said", SAID)
def test_a_manual_is_read_as_sentences(said):
    result = reduced(manual(said), "man route")
    assert result.type == "prose" and said in result.body
