"""Texts by kind and script, and their tokens by a real vocabulary."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.reducers.probes import ALL

SHIM = Path(__file__).resolve().parents[2] / "plugin-shim"
_COUNTER = Path(__file__).with_name("count_tokens.mjs")
_MAX_CHARS = 4_000
VOCABULARIES = ("o200k_base", "cl100k_base")
HAS_VOCABULARY = (SHIM / "node_modules" / "js-tiktoken").is_dir()
# Texts by kind; none of them was used to find the weights.
KINDS = {
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


def counted(texts: list[str], vocabulary: str) -> list[int]:
    """Tokens of each text."""
    done = subprocess.run(
        ["node", str(_COUNTER), vocabulary],
        cwd=SHIM,
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    counts: list[int] = json.loads(done.stdout)
    return counts


def texts_by_name() -> dict[str, str]:
    """The texts of all kinds, cut to where kinds of one length can be compared."""
    made = {probe.name: probe.text[:_MAX_CHARS] for probe in ALL}
    return {name: made[name] for kind in KINDS.values() for name in kind}
