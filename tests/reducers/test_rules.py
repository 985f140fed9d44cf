"""The rule tables: they load, they are complete, and none of their patterns is slow."""

from __future__ import annotations

import time
from importlib.resources import files

import pytest

from flowctx.errors import RuleTableError
from flowctx.reducers import rules
from flowctx.reducers.cue_kinds import IN_CUES, OUTCOMES, STATEMENTS
from flowctx.reducers.cues import read_vocabulary
from flowctx.reducers.definitions import definitions
from flowctx.reducers.languages import languages, load_grammar
from flowctx.reducers.lexicon import lexicon_of
from flowctx.reducers.programs import prints_several, programs
from flowctx.reducers.reports import report_rules

TABLES = sorted(
    path.name.removesuffix(".toml")
    for path in (files("flowctx.reducers") / "rules").iterdir()
    if path.name.endswith(".toml")
)
REPORT_RULES = [(table, rule) for table in ("tests", "build") for rule in report_rules(table)]
RULE_IDS = [f"{table}/{rule.id}" for table, rule in REPORT_RULES]
# Lines that make careless patterns backtrack: runs, nests and near misses.
HOSTILE = [
    "a" * 500, " " * 500, "a " * 250, "a.a" * 166, "../" * 166, "- " * 250, " > " * 166,
    "((((" * 120,
    "::" * 250, "1:1:" * 125, "\t" * 500, "[[" * 250, "=" * 500, "x=" * 250, "a-1-" * 125,
    "\\" * 500,
    "error: " * 70, "Test " * 100, "at a.b(c.d:1) " * 30, "é" * 500, "信息" * 250,
]  # fmt: skip
SLOW_MS = 20.0


@pytest.mark.parametrize("table", TABLES)
def test_every_table_loads_and_names_its_rules_once(table):
    """Each list of rules in a table has ids, and no id is used twice."""
    loaded = rules.load_table(table)
    for key, value in loaded.items():
        if isinstance(value, list):
            assert len(rules.read_rules(table, key)) == len(value)


@pytest.mark.parametrize(("table", "rule"), REPORT_RULES, ids=RULE_IDS)
def test_the_example_of_a_rule_is_one_of_its_signs(table, rule):
    """A rule's example holds a hint and is a sign: it can be found at all."""
    (source,) = [each for each in rules.read_rules(table, "rule") if each["id"] == rule.id]
    example = source["example"]
    words = read_vocabulary(example)
    assert any(hint.text in f"\n{example}" and hint.is_possible(words) for hint in rule.hints)
    assert rule.signs.match(example)


@pytest.mark.parametrize(("table", "rule"), REPORT_RULES, ids=RULE_IDS)
def test_no_pattern_of_a_rule_is_slow_on_hostile_lines(table, rule):
    """The time of a pattern is bounded on lines that make careless ones backtrack."""
    for pattern in ("signs", "vital", "facts", "keep", "noise", "opens"):
        assert slowest(getattr(rule, pattern)) < SLOW_MS, pattern


def test_no_sign_of_a_language_is_slow_on_hostile_lines():
    """Nor that of a language, nor that of a definition."""
    for language in languages():
        assert slowest(language.signs) < SLOW_MS, language.id
    assert max(map(slowest, definitions())) < SLOW_MS


def test_each_program_is_known_by_its_example_alone():
    """The first line of its output is that of no other program, and no pattern is slow."""
    for rule in rules.read_rules("commands", "program"):
        known = [each.id for each in programs() if each.start.match(rule["example"])]
        assert known == [rule["id"]]
        assert any(hint in f"\n{rule['example']}" for hint in rule["hints"])
    patterns = [each for program in programs() for each in program[2:] if each is not None]
    assert max(map(slowest, patterns)) < SLOW_MS


@pytest.mark.parametrize(
    ("command", "several"),
    [
        ("cat a.json && pytest -v", True),
        ("git status; df -h", True),
        ("cd /app && pytest -q 2>&1 | tail -20", False),
        ("export A=1; make", False),
        ("cat a | sort | uniq -c", False),
        ("", False),
    ],
)
def test_commands_that_print_are_counted(command, several):
    """Changing the folder prints nothing, and a pipe makes one output."""
    assert prints_several(command) is several


def test_every_grammar_loads():
    """Each language that names a grammar has its wheel."""
    for language in languages():
        if language.grammar:
            assert load_grammar(*language.grammar) is not None, language.id


def test_a_missing_table_says_which():
    """Errors name the file and the rule."""
    with pytest.raises(RuleTableError) as raised:
        rules.load_table("nowhere")
    assert (raised.value.file, raised.value.rule) == ("nowhere.toml", "(whole file)")


@pytest.mark.parametrize("words", [[1], "word", [""]])
def test_lists_of_words_are_checked(words):
    """What is no list of words is refused with the rule's id."""
    with pytest.raises(RuleTableError) as raised:
        rules.read_words("cues", {"id": "xx", "error": words}, "error")
    assert raised.value.rule == "xx"


def test_a_broken_pattern_is_refused():
    """A regular expression that does not compile is a fault of the table."""
    with pytest.raises(RuleTableError):
        rules.read_pattern("outline", {"id": "xx", "pattern": "("}, "pattern")


def slowest(pattern) -> float:
    """Milliseconds of the slowest match on a hostile line, the best of three tries."""
    if pattern is None:
        return 0.0
    worst = 0.0
    for line in HOSTILE:
        tries = []
        for _ in range(3):
            start = time.perf_counter()
            pattern.match(line)
            tries.append(time.perf_counter() - start)
        worst = max(worst, min(tries))
    return worst * 1000


@pytest.mark.parametrize("kind", [*OUTCOMES, *STATEMENTS])
def test_phrases_of_every_language_are_found_by_a_word_of_theirs(kind):
    """Each language by itself can be looked up, and a phrase holds a whole word to find it by."""
    for rule in rules.read_rules("cues" if kind in IN_CUES else "statements", "language"):
        lexicon = lexicon_of(kind, frozenset([rule["id"]]))
        assert all(word in each.words for word, held in lexicon.phrases.items() for each in held)
