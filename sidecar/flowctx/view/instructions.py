"""Files that instruct the agent: their wording is the point, so they are never reduced."""

import re

_NAME = re.compile(
    r"(?:\A|[/\\\s])(?:(?:AGENTS|CLAUDE|GEMINI|SKILL|SOUL|IDENTITY|TOOLS|MEMORY|USER|HEARTBEAT"
    r"|BOOTSTRAP|copilot-instructions)(?:\.local)?\.mdc?|\.(?:cursor|windsurf|cline)rules"
    r"|\.cursor/rules/[^/\s]+\.mdc?|[^/\s]+\.instructions\.md)\s*\Z",
    re.IGNORECASE,
)
# Commands one after the other; pipes tie the parts of one together.
_SEPARATOR = re.compile(r"&&|\|\||;|\n")
_DISCARDS = re.compile(r"\d?>{1,2}\s*(?:/dev/null|&\d)")
# What prints files as they are, also through another program like ssh; no look inside a word.
_PRINTS = re.compile(
    r"(?<![\w./-])(?:cat|head|tail|less|more|bat|nl|type|Get-Content|sed -n|awk)(?![\w.-])"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_PASSES_ON = re.compile(r"\s*(?:cat|head|tail|less|more|nl)\b(?:\s+-?[\w=]+)*\s*\Z")
_MAX_COMMAND_CHARS = 4000


def is_instruction_file(path: str) -> bool:
    """True for the path of a file that instructs the agent."""
    return bool(_NAME.search(path.strip().strip("'\"")))


def prints_instructions(command: str) -> bool:
    """True when a command line prints such a file, perhaps among other things."""
    plain = _DISCARDS.sub(" ", command[:_MAX_COMMAND_CHARS])
    return any(map(_prints_one, _SEPARATOR.split(plain)))


def _prints_one(command: str) -> bool:
    first, *stages = command.split("|")
    printed = _PRINTS.search(first)
    if printed is None or not all(map(_PASSES_ON.match, stages)):
        return False
    # What is written to a file is not printed.
    words = printed["rest"].split()
    return ">" not in printed["rest"] and any(map(is_instruction_file, words))
