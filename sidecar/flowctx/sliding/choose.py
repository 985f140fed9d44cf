"""Choosing the cards of a block: the newest, the most relevant, nothing twice, within budgets."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from flowctx.card import CardOutcome, StoredCard
from flowctx.sliding.clip import CUT, JOINT
from flowctx.sliding.score import Signals
from flowctx.sliding.terms import terms_of
from flowctx.sliding_settings import Level, SlidingSettings

# Share of common terms from which two cards tell the same.
SAME_SHARE = 0.55
_AROUND = ".,;:!?\"'()[]{}<>«»„“”。，、！？"
_DIGIT = re.compile(r"\d")
# Counters, dates and times of day differ between runs of the same work.
_RUN = re.compile(r"\d+|\d{1,2}:\d\d(:\d\d)?|\d{4}-\d\d-\d\d(T[\d:.Z]+)?|\d{1,2}\.\d{1,2}\.\d{4}")
# A card that answers less of the prompt than this is not about it.
LEAST_RELEVANCE = 0.12
# What is told in the middle of a session must answer more of it.
LEAST_TOPICAL = 0.3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card with everything that speaks for it.

    Attributes:
        level: how much of it may be shown.
        why: "recent", "relevant" or both; empty until it is chosen.
        times: how many near-duplicates it stands for, itself included.
    """

    stored: StoredCard
    level: Level
    signals: Signals
    why: str = ""
    times: int = 1


def choose(candidates: Sequence[Candidate], settings: SlidingSettings) -> list[Candidate]:
    """The newest and the most relevant candidates, best score first."""
    distinct = without_duplicates(candidates)
    newest = sorted(distinct, key=_newest_first)[: settings.recent_count]
    relevant = sorted(
        (each for each in distinct if each.signals.relevance >= LEAST_RELEVANCE),
        key=lambda each: (-each.signals.relevance, _newest_first(each)),
    )
    chosen = {each.stored.id: "recent" for each in newest}
    left = settings.relevant_count
    for each in relevant:
        if each.stored.id in chosen:
            chosen[each.stored.id] = "recent, relevant"
        elif left > 0:
            chosen[each.stored.id] = "relevant"
            left -= 1
    picked = [replace(e, why=chosen[e.stored.id]) for e in distinct if e.stored.id in chosen]
    picked.sort(key=lambda each: (-each.signals.score, _newest_first(each)))
    return picked[: settings.max_inject_entries]


def choose_relevant(candidates: Sequence[Candidate], settings: SlidingSettings) -> list[Candidate]:
    """The few candidates that are about a new topic, best score first.

    The news were told when the session began; here only what answers much counts.
    """
    about = [
        replace(each, why="relevant")
        for each in without_duplicates(candidates)
        if each.signals.relevance >= LEAST_TOPICAL
    ]
    about.sort(key=lambda each: (-each.signals.relevance, _newest_first(each)))
    count = min(settings.relevant_count, settings.max_inject_entries)
    return sorted(about[:count], key=lambda each: (-each.signals.score, _newest_first(each)))


def without_duplicates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of cards that tell the same one, the newest that may be told in full, with their number."""
    kept: list[tuple[Candidate, _Content]] = []
    for each in sorted(candidates, key=_newest_first):
        content = _content(each)
        twin = next((at for at, (_, other) in enumerate(kept) if _same(content, other)), None)
        if twin is None:
            kept.append((each, content))
        else:
            newer, held = kept[twin]
            shown = each if each.level == "full" != newer.level else newer
            kept[twin] = (replace(shown, times=newer.times + 1), held)
    return [each for each, _ in kept]


def within_budget(
    chosen: Sequence[Candidate], room: int, cost: Callable[[Candidate], int]
) -> list[Candidate]:
    """The best candidates whose lines fit into so many tokens together, oldest first."""
    kept: list[Candidate] = []
    for each in chosen:
        tokens = cost(each)
        if tokens <= room:
            kept.append(each)
            room -= tokens
    return sorted(kept, key=lambda each: (each.stored.card.time_ms, each.stored.id))


def _newest_first(each: Candidate) -> tuple[int, int]:
    return -each.stored.card.time_ms, -each.stored.id


@dataclass(frozen=True, slots=True)
class _Content:
    """What a card tells.

    Attributes:
        terms: of all of it.
        wish: the words of what was wanted in their order, without counters.
        is_cut: the wish goes on behind them.
        named: what its title names with digits, but for counters.
        outcome: how it ended.
    """

    terms: frozenset[str]
    wish: tuple[str, ...]
    is_cut: bool
    named: frozenset[str]
    outcome: CardOutcome


def _content(each: Candidate) -> _Content:
    card = each.stored.card
    words = (word.strip(_AROUND) for word in card.title.split())
    named = (word for word in words if _DIGIT.search(word) and not _RUN.fullmatch(word))
    # The title is cut sooner than the text, which begins with the wish as well.
    whole = card.text.split(JOINT)[0] if _goes_on(card.title, card.text) else ""
    wish = max(card.title, whole, key=len)
    is_cut = wish.endswith(CUT)
    told = [term for term in terms_of(wish) if not term.isdigit()]
    # What stands at a cut may be a part of a word.
    return _Content(
        frozenset(card.terms.split()),
        tuple(told[:-1] if is_cut else told),
        is_cut,
        frozenset(named),
        card.outcome,
    )


def _goes_on(title: str, text: str) -> bool:
    return title.endswith(CUT) and text.startswith(title.removesuffix(CUT))


def _same(one: _Content, other: _Content) -> bool:
    """True where two cards tell the same: another name, release or ending is other news."""
    return (
        (one.named, one.outcome) == (other.named, other.outcome)
        and _same_wish(one, other)
        and _alike(one.terms, other.terms, SAME_SHARE)
    )


def _same_wish(one: _Content, other: _Content) -> bool:
    if not (one.is_cut and other.is_cut):
        return one.wish == other.wish
    # Counters of another length let a wish be cut at another word.
    shared = min(len(one.wish), len(other.wish))
    return one.wish[:shared] == other.wish[:shared]


def _alike(one: frozenset[str], other: frozenset[str], share: float) -> bool:
    fewer, more = sorted((len(one), len(other)))
    if fewer < share * more or not fewer:
        return False
    shared = len(one & other)
    return shared >= share * (len(one) + len(other) - shared)
