"""Settings: every key read, clamped and reported; nothing in a configuration raises."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.config import ALIASES, SETTINGS, Settings, parse_settings
from flowctx.service.hello import read_settings
from flowctx.setting import Setting, attribute_of
from flowctx.sliding_settings import GROUP

NUMBERS = [setting for setting in SETTINGS if setting.low is not None]
SWITCHES = [setting for setting in SETTINGS if isinstance(setting.default, bool)]
WORDS = [setting for setting in SETTINGS if isinstance(setting.default, str)]
WHOLE = [setting for setting in NUMBERS if isinstance(setting.default, int)]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
BY_KEY = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
BY_NUMBER = pytest.mark.parametrize("setting", NUMBERS, ids=lambda setting: setting.key)
# Keeps the rule between the two "keep" keys out of tests of one key alone.
OPEN = {"summaryKeepRecentTurns": 100, "projectionKeepRecentTurns": 0}


def read(setting: Setting, value: object) -> tuple[object, list[str]]:
    """The value a key gets, and what is said about it."""
    raw = {**OPEN, setting.key: value}
    settings, problems = parse_settings(raw)
    return getattr(settings, attribute_of(setting.key)), [p.message for p in problems]


def test_the_table_and_the_settings_agree():
    """Every key has an attribute with its default, a description, and a sane range."""
    attributes = {field.name: field.default for field in fields(Settings) if field.name != GROUP}
    assert attributes == {attribute_of(s.key): s.default for s in SETTINGS}
    assert all(setting.effect for setting in SETTINGS)
    for setting in NUMBERS:
        assert setting.high is not None and setting.low <= setting.default <= setting.high
    assert len(NUMBERS) + len(SWITCHES) + len(WORDS) == len(SETTINGS) == 34


@BY_KEY
def test_what_is_used_instead_is_named(setting):
    """No message ends where the value should stand, and none names its key once more."""
    for wrong in (None, 5_000_000_000, "", [3]):
        for said in read(setting, wrong)[1]:
            assert not said.rstrip().endswith(("using", ";")) and setting.key not in said


def test_nothing_written_is_all_defaults():
    """An empty configuration is the defaults, without a word."""
    assert parse_settings({}) == (Settings(), ())


@BY_KEY
def test_a_default_written_down_is_taken_as_it_is(setting):
    """Writing a default changes nothing and is no problem."""
    assert parse_settings({setting.key: setting.default}) == (Settings(), ())


@pytest.mark.parametrize("setting", SWITCHES, ids=lambda setting: setting.key)
def test_a_switch_takes_true_and_false_only(setting):
    """A number or a word is no switch; the default stands."""
    assert read(setting, not setting.default) == (not setting.default, [])
    for wrong in (1, 0, "true", "false", None, [], {}):
        value, said = read(setting, wrong)
        assert value is setting.default and len(said) == 1 and "not true or false" in said[0]


@BY_NUMBER
def test_a_number_is_clamped_at_both_ends(setting):
    """The ends are in the range; beyond them the end is taken and named."""
    for end, beyond in ((setting.low, setting.low - 1), (setting.high, setting.high + 1)):
        assert read(setting, end) == (end, [])
        value, said = read(setting, beyond)
        assert value == end and type(value) is type(setting.default)
        assert len(said) == 1 and "outside" in said[0]


@BY_NUMBER
@pytest.mark.parametrize(
    "wrong", ["12", None, True, [], {}, float("nan"), float("inf"), -float("inf")], ids=repr
)
def test_what_is_no_number_falls_back_to_the_default(setting, wrong):
    """Wrong types, true, NaN and infinities are not numbers here."""
    value, said = read(setting, wrong)
    assert value == setting.default and len(said) == 1 and "not a number" in said[0]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (None, "null"),
        (True, "true"),
        ("yes", '"yes"'),
        ([None, True], "a list"),
        ({"a": None}, "an object"),
        (float("nan"), "NaN"),
        ("x" * 500, '"' + "x" * 39 + "…" + '"'),
    ],
    ids=lambda value: repr(value)[:12],
)
def test_a_wrong_value_is_named_as_it_is_written(written, told):
    """The message speaks JSON, as the configuration does, and stays short."""
    _, (problem,) = parse_settings({"freshTailWindow": written})
    assert problem.message == f"{told} is not a number; using 64"


@BY_NUMBER
@pytest.mark.parametrize(
    "huge", [10**30, -(10**30), 10**4000, 10**5000, 1e300, -1e300], ids=lambda n: "big"
)
def test_huge_numbers_are_clamped(setting, huge):
    """A number of any size ends up inside the range, told in a line."""
    value, said = read(setting, huge)
    assert value == (setting.high if huge > 0 else setting.low)
    assert len(said) == 1 and len(said[0]) < 300


@pytest.mark.parametrize("setting", WHOLE, ids=lambda setting: setting.key)
def test_a_fraction_where_a_whole_number_belongs(setting):
    """A fraction is rounded down and said; one that is whole is taken."""
    value, said = read(setting, setting.high - 0.5)
    assert value == setting.high - 1 and type(value) is int and "whole" in said[0]
    assert read(setting, float(setting.high)) == (setting.high, [])


def test_unknown_keys_are_named_and_ignored():
    """A key nobody knows changes nothing and is named once."""
    settings, problems = parse_settings({"projektion": False, "Projection": False})
    assert settings == Settings()
    assert [(p.key, p.message) for p in problems] == [
        ("projektion", "unknown key, ignored"),
        ("Projection", "unknown key, ignored"),
    ]


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_is_read_and_gives_way_to_its_key(alias):
    """The older name works; with both, the newer one is taken and the older named."""
    key = ALIASES[alias]
    assert parse_settings({alias: 7}) == (Settings(fresh_tail_window=7), ())
    for raw in ({alias: 7, key: 9}, {key: 9, alias: 7}):
        settings, (problem,) = parse_settings(raw)
        assert settings.fresh_tail_window == 9 and problem.key == alias
    _, (problem,) = parse_settings({alias: 99})
    assert problem.key == alias


@pytest.mark.parametrize(
    ("raw", "keep", "named"),
    [
        pytest.param({"projectionKeepRecentTurns": 5}, 2, "projectionKeepRecentTurns", id="above"),
        pytest.param({"summaryKeepRecentTurns": 0}, 0, "summaryKeepRecentTurns", id="lowered"),
        pytest.param(
            {"projectionKeepRecentTurns": 5, "summaryKeepRecentTurns": 5}, 5, "", id="equal"
        ),
        pytest.param(
            {"projectionKeepRecentTurns": 500, "summaryKeepRecentTurns": 3},
            3,
            "projectionKeepRecentTurns",
            id="clamped first",
        ),
    ],
)
def test_what_is_kept_verbatim_is_kept_from_folding(raw, keep, named):
    """`projectionKeepRecentTurns` never exceeds `summaryKeepRecentTurns`, and it is said."""
    settings, problems = parse_settings(raw)
    assert settings.projection_keep_recent_turns == keep
    assert {problem.key for problem in problems} == ({named} if named else set())


@given(st.dictionaries(st.sampled_from([*(s.key for s in SETTINGS), *ALIASES, "x", ""]), JSON))
def test_any_configuration_gives_settings_inside_their_ranges(raw):
    """Whatever is written, all numbers are in range, all types right, all problems short."""
    settings, problems = parse_settings(raw)
    for setting in SETTINGS:
        value = getattr(settings, attribute_of(setting.key))
        assert type(value) is type(setting.default)
        assert setting.low is None or setting.low <= value <= setting.high
    assert all(problem.message and len(problem.message) < 300 for problem in problems)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"[]", id="a list"),
        pytest.param(b"nonsense", id="no JSON"),
        pytest.param(b"\xff", id="no UTF-8"),
        pytest.param(b'{"debug": NaN}', id="a number JSON has not"),
        pytest.param(b"[" * 5000, id="an abyss"),
    ],
)
def test_a_configuration_that_is_no_object_counts_as_none(raw):
    """The shim's configuration may be anything; work goes on under the defaults."""
    settings, problems = read_settings(raw)
    assert settings == Settings() and len(problems) == 1


@pytest.mark.parametrize("depth", [100, 900, 1000])
def test_a_value_nested_deep_is_no_more_than_wrong(depth):
    """A nested value is named in a short line, whatever its depth and size."""
    raw = json.dumps({"debug": 0}).replace("0", "[" * depth + "]" * depth).encode()
    settings, problems = read_settings(raw)
    assert settings == Settings() and len(problems) == 1
    assert len(problems[0].message) < 300
