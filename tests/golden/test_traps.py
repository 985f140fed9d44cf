"""Every trap that other reducers fall into has a case of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.golden.case_file import FOLDER, read_case

# What goes wrong elsewhere, and the case in which it must not go wrong here.
TRAPS = {
    "a line of prose that begins like code makes minutes code": (
        "prose/minutes_with_from_and_let_are_no_code"
    ),
    "one line of a diff makes a log a diff": "diff/one_diff_line_does_not_make_a_log_a_diff",
    "times of day are taken for search hits": "search/times_are_no_hits",
    "times in a table make it a search": "tables/psql_with_times_is_no_search",
    "no detector ever says CSV": "tables/csv_keeps_header_and_outlier",
    "no detector ever says TSV": "tables/tsv_keeps_the_contaminated_sample",
    "no detector ever says XML": "markup/junit_keeps_the_failure",
    "no detector ever says YAML": "config/openapi_keeps_paths_and_the_odd_operation",
    "a test run is typed again as a search": "tests/vitest_is_no_search",
    "the exit code never arrives": "logs/keeps_how_the_command_ended",
    "numbers are printed masked": "logs/numbers_are_never_masked",
    "rows wrapped in an object are cut in the middle": (
        "json/rows_in_an_object_leave_its_other_keys"
    ),
    "integers are rounded and repeated keys merged": "json/numbers_and_repeated_keys_stay_exact",
    "an outline has no methods and no line numbers": "code/python_keeps_methods_with_their_lines",
    "an outline ends after some entries": "code/typescript_keeps_types_and_late_methods",
    "comments of code are headings": "code/comments_are_no_headings",
    "a line is shown under the coordinates of another": "search/a_hit_stands_with_its_own_text",
    "a short text grows by its pointer": "files/short_listing_stays_whole",
    "a cut goes through a sentence": "prose/chinese_decision_stays_whole",
    "what a long string lost is not said": "json/clips_a_long_string_in_place",
    "repaints stay, and the error behind them is lost": "dense/progress_shows_its_last_state",
    "encoded data stays": "dense/base64_keeps_the_message_around_it",
    "trouble is known in English only": "logs/chinese_errors_are_errors",
    "errors that are none count as such": "logs/zero_errors_are_none",
    "the middle of a docker build is cut": "build/docker_keeps_the_middle",
    "the middle of tsc's errors is cut": "build/tsc_keeps_the_error_of_another_kind",
    "the middle of a plan is cut": "build/terraform_keeps_the_replacement",
    "the middle of a lint report is cut": "build/eslint_keeps_the_heading_of_the_error",
    "the middle of a cluster's pods is cut": "tables/kubectl_keeps_unhealthy_pods",
    "a few hits lose the one definition": "search/definition_before_uses",
    "repeated traces hide the one other cause": "traces/keeps_the_one_other_root_cause",
    "the first word of several commands types them all": "mixed/commands_are_typed_each_alone",
    "a file that one command names types another's output": (
        "mixed/a_file_one_command_names_types_no_other"
    ),
}


@pytest.mark.parametrize("path", TRAPS.values(), ids=list(TRAPS))
def test_a_trap_has_a_case_that_says_why(path):
    """The case stands there, says what it is about, and names facts where it is reduced."""
    case = read_case(FOLDER / f"{path}.case")
    assert case.sections["why"].strip()
    assert case.must_keep or case.expected is None


def test_no_case_stands_for_two_traps():
    """As many cases as traps."""
    assert [path for path, count in Counter(TRAPS.values()).items() if count > 1] == []
