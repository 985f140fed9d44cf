"""The closer estimate against a real vocabulary, and that it takes any text in linear time."""

from __future__ import annotations

import json
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.close_tokens import estimate_closely
from tests.reducers.probes import ALL

SHIM = Path(__file__).resolve().parents[2] / "plugin-shim"
COUNTER = Path(__file__).with_name("count_tokens.mjs")
_MAX_CHARS = 4_000
# Texts by kind; none of them was used to find the weights.
_KINDS = {
    "chinese": ("chinese_log",),
    "japanese and korean": ("japanese_log", "korean_log"),
    "european": ("german_log", "russian_log", "french_log", "spanish_log", "german_minutes"),
    "prose": ("readme", "wrapped_report", "changelog_rst", "markdown_table", "html_advisory"),
    "code": ("go_source", "java_source", "rust_source", "sql_schema", "git_show_rename",
             "grep_definition_go", "rg_with_headings"),
    "tests and builds": ("jest_failure", "unittest_error", "cargo_test_failure", "rspec_failure",
                         "maven_failure", "pytest_many_failures", "cmake_link_error",
                         "gradle_compile_error", "mypy_one_other", "ansible_failure"),
    "logs": ("nginx_access", "app_log_debug", "pino_log", "dmesg_oom", "training_log_nan",
             "compose_logs", "actions_log"),
    "data": ("json_nested_rows", "json_graphql_errors", "docker_inspect", "tsv_runs",
             "csv_semicolon_german", "prometheus_metrics", "xml_sitemap", "openapi_yaml"),
    "tables and dumps": ("docker_ps", "psql_expanded", "coverage_report", "trivy_table",
                         "hexdump", "pem_bundle", "cprofile", "strace"),
}  # fmt: skip


def _counted(texts: list[str], vocabulary: str) -> list[int]:
    done = subprocess.run(
        ["node", str(COUNTER), vocabulary],
        cwd=SHIM,
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    counts: list[int] = json.loads(done.stdout)
    return counts


@pytest.mark.skipif(
    not (SHIM / "node_modules" / "js-tiktoken").is_dir(), reason="js-tiktoken is not installed"
)
@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base"])
def test_it_is_close_to_a_real_vocabulary(vocabulary: str) -> None:
    """Calibrated by one factor it is 12 % off on average, and no kind is far off."""
    by_name = {probe.name: probe.text[:_MAX_CHARS] for probe in ALL}
    names = [name for kind in _KINDS.values() for name in kind]
    assert len(names) >= 49
    counts = dict(zip(names, _counted([by_name[n] for n in names], vocabulary), strict=True))
    estimates = {name: estimate_closely(by_name[name]) for name in names}
    factor = sum(counts.values()) / sum(estimates.values())
    errors = [abs(factor * estimates[name] / counts[name] - 1) for name in names]
    assert mean(errors) <= 0.12
    kinds = defaultdict(float)
    for kind, members in _KINDS.items():
        kinds[kind] = factor * mean(estimates[name] / counts[name] for name in members)
    assert {kind: ratio for kind, ratio in kinds.items() if not 0.8 <= ratio <= 1.4} == {}


@given(st.text(st.characters(codec=None)))
def test_it_takes_any_text(text: str) -> None:
    """Lone surrogates and all else give a number; no text is below nothing."""
    assert estimate_closely(text) >= 0
    assert estimate_closely(text + "word") >= estimate_closely(text)


def test_a_long_line_takes_linear_time() -> None:
    """Four times the text takes nowhere near sixteen times as long."""

    def taken(size: int) -> float:
        text = "a1 -_" * size + " " * size + "\n" * size + "-" * size
        began = time.perf_counter()
        estimate_closely(text)
        return time.perf_counter() - began

    small, large = min(taken(20_000) for _ in range(3)), min(taken(80_000) for _ in range(3))
    assert large < 10 * small
