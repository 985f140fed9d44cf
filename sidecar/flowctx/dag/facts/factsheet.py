"""Facts as lines of text: what a prompt lists, what code adds to a note, what a digest is made of.

Each line begins with a label in the conversation's language, so that the facts
can be read back from a note in any of the known languages.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from flowctx.dag.facts.facts import Constraint, Fact, Failure, FileTouch, Mention, MustKeep, Run
from flowctx.dag.wording.lexicon import lexicon

_ARROW = " → "
# So that a list that does not fit whole can be given in part.
_WORDS_A_LINE = 16


def constraint_lines(constraints: Iterable[Constraint], language: str) -> list[str]:
    """The user's own words, each on a line, with who said them where that is known."""
    label = lexicon(language).labels["constraint"]
    return [
        f"- [{label}{f': {said.sender}' if said.sender else ''}] {said.text}"
        for said in constraints
    ]


def failure_lines(failures: Iterable[Failure], language: str) -> list[str]:
    """What failed, and why."""
    label = lexicon(language).labels["failure"]
    return [f"- [{label}] {failure_text(failure)}" for failure in failures]


def failure_text(failure: Failure) -> str:
    """An attempt with its reason, on one line."""
    return f"{failure.text}{_ARROW}{failure.reason}" if failure.reason else failure.text


def state_lines(facts: Iterable[Fact], label: str, language: str) -> list[str]:
    """Facts under the label "done", "decided", "next" or "goal"."""
    words = lexicon(language).labels[label]
    return [f"- [{words}] {fact.text}" for fact in facts]


def identifier_lines(mentions: Sequence[Mention], language: str) -> list[str]:
    """Identifiers, a line a kind."""
    label = lexicon(language).labels["identifiers"]
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for mention in mentions:
        by_kind[mention.kind].append(mention.text)
    return [
        f"- [{label}: {kind}] {'  '.join(words[at : at + _WORDS_A_LINE])}"
        for kind, words in by_kind.items()
        for at in range(0, len(words), _WORDS_A_LINE)
    ]


def file_lines(files: Sequence[FileTouch], language: str) -> list[str]:
    """Files, those written and those only read."""
    label = lexicon(language).labels["files"]
    by_action: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        by_action[file.action].append(file.text)
    return [f"- [{label}: {action}] {'  '.join(paths)}" for action, paths in by_action.items()]


def run_lines(runs: Iterable[Run]) -> list[str]:
    """Commands with their outcome."""
    return [
        f"- `{run.text}`{_ARROW}{run.status}{f' ×{run.times}' if run.times > 1 else ''}"
        for run in runs
    ]


def fact_lines(facts: MustKeep, language: str) -> list[str]:
    """All facts, in the order of a note's sections."""
    return [
        *state_lines(facts.asks, "goal", language),
        *constraint_lines(facts.constraints, language),
        *state_lines(facts.done, "done", language),
        *state_lines(facts.decided, "decided", language),
        *failure_lines(facts.failed, language),
        *run_lines(facts.runs),
        *identifier_lines(facts.identifiers, language),
        *file_lines(facts.files, language),
        *state_lines(facts.open, "next", language),
    ]
