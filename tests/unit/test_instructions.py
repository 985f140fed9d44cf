"""Which calls print files that instruct the agent."""

from __future__ import annotations

import pytest

from flowctx.view.instructions import is_instruction_file, prints_instructions


@pytest.mark.parametrize(
    "command",
    [
        "cat AGENTS.md",
        "cat AGENTS.md 2>/dev/null",
        "cd /w && cat AGENTS.md",
        "cat ~/.claude/CLAUDE.md; echo ok",
        "sed -n 1,900p ./AGENTS.md",
        "cat AGENTS.md | head -900",
        "cat AGENTS.md src/a.py",
        "ssh host cat AGENTS.md",
        "cat .cursor/rules/style.mdc",
        "head -n 40 'docs/SKILL.md' 2>&1",
        "ls -la\ncat .github/copilot-instructions.md",
        "Get-Content .\\AGENTS.md",
    ],
)
def test_printing_such_a_file_is_known_in_any_command_line(command: str) -> None:
    """Behind other commands, through pipes that pass it on, beside other files."""
    assert prints_instructions(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "grep -n TODO AGENTS.md",
        "cat AGENTS.md | wc -l",
        "cat AGENTS.md | grep never",
        "cat notes.md > AGENTS.md",
        "cat AGENTS.md.bak",
        "wc AGENTS.md",
        "git diff AGENTS.md",
        "cat AGENTS.mdx",
        "./concat AGENTS.md",
    ],
)
def test_what_does_not_print_it_is_reduced_as_usual(command: str) -> None:
    """Searching, counting, writing and comparing do not show how it reads."""
    assert not prints_instructions(command)


@pytest.mark.parametrize(
    ("path", "instructs"),
    [
        ("docs/AGENTS.md", True),
        ("'CLAUDE.local.md'", True),
        ("C:\\w\\SKILL.md", True),
        (".cursorrules", True),
        ("style.instructions.md", True),
        ("README.md", False),
        ("AGENTS.md/x", False),
    ],
)
def test_such_files_are_known_by_name(path: str, instructs: bool) -> None:
    """As the tools of the field name them."""
    assert is_instruction_file(path) is instructs
