"""Comments in JSON: read as a talk, shown as they are written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.comments import read_comments
from flowctx.reducers.pipeline import reduce_output

_TALK = (
    "I have not looked at it yet, there is so much to do this week.",
    "It was the same in the old house, if I remember that correctly.",
    "My sister says that hers does it as well when the wind blows.",
    "We could ask the people upstairs what they think about all of it.",
)
_STATED = "Root cause: the valve in the cellar was closed since 3 May."


def _comments(count: int, *, behind: bool = False, indent: int | None = 2) -> str:
    items = []
    for at in range(count):
        said = f'{_TALK[at % 4]}\n\nThat is what I know of number {at}, "more" or less.'
        body = {"body": _STATED if at == count // 2 else said}
        user = {"user": {"login": ("ana", "ben", "cleo")[at % 3], "id": at}}
        items.append({"id": at, **(body | user if behind else user | body), "url": f"x/{at}"})
    return json.dumps(items, indent=indent)


@pytest.mark.parametrize("indent", [2, None])
@pytest.mark.parametrize("behind", [False, True], ids=["name first", "name behind"])
def test_what_is_stated_is_shown(indent: int | None, behind: bool) -> None:
    """The one statement among many comments is shown, written as it is in the JSON."""
    result = reduce_output(ToolOutput(_comments(60, behind=behind, indent=indent), "exec"))

    assert isinstance(result, Reduction)
    assert result.type == "json/comments"
    assert _STATED in result.body
    assert ('"login": "ana"' in result.body) is not behind


@pytest.mark.parametrize(
    "key", ["level", "sha", "status", "path"], ids=lambda key: f"objects with {key}"
)
def test_other_objects_are_no_comments_noop(key: str) -> None:
    """Events, commits and reviews hold more than what is said."""
    assert read_comments(_comments(20).replace('"url"', f'"{key}"')) is None


def test_few_comments_are_no_talk_noop() -> None:
    """Of a few objects each is worth being seen."""
    assert read_comments(_comments(4)) is None


@given(st.lists(st.text(min_size=40, max_size=90), min_size=8, max_size=14))
def test_every_place_is_where_it_is_written(bodies: list[str]) -> None:
    """Whatever is said, its first characters are found where they are written."""
    words = [f"what is said here has words {body}" for body in bodies]
    text = json.dumps([{"user": f"u{at}", "body": each} for at, each in enumerate(words)])

    comments = read_comments(text)

    assert comments is not None
    for turn, start in zip(comments.turns, comments.starts[1::2], strict=True):
        assert turn.speaker.startswith("u")
        assert text.startswith("what is said", comments.place(start))
