"""When a round of folding pays: values in, a decision out.

Carrying a token of history costs its cached price with every call to come.
Rewriting the view at a turn edge costs, once, what must be sent anew: all that
stands behind the first change. So at each edge the forms the view could take
are compared by what the calls to come would pay for them:

    price of what is new in the view + (calls - 1) * cached price of the view
        + price of a summariser's calls + price of what is hidden, sent anew once

over the calls of the coming turn, for the next edge decides again; over those of
several turns where these are so small that it could decide nothing new. The last
term is what sight is worth: hidden text may be wanted back. The cheapest form
is taken, if it makes the view enough smaller.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from flowctx.dag.prices import Prices

Form = Literal["keep", "outline", "fold", "condense"]

# A round that gains less view than this hides more than it saves.
LEAST_GAIN_TOKENS = 2_000
# A view this small is left alone, even when the cache is cold: sight is worth more.
LEAST_VIEW_TOKENS = 8_000
# What a token that goes out of sight counts, in tokens that are sent anew. Measured on recorded
# sessions: at 0.5 more is hidden than the hit rate allows, from 2 on carrying costs more than
# sessions of their own would.
_WANTED_BACK = 1.0
# What the digest of a run of turns takes: a head, and a few lines for each turn.
_DIGEST_HEAD_TOKENS, _DIGEST_TURN_TOKENS, _DIGEST_MAX_TOKENS = 600, 900, 5_000
_CONDENSED_MAX_TOKENS = 5_000


@dataclass(frozen=True, slots=True)
class TurnCost:
    """A past turn that no digest covers.

    Attributes:
        tokens: it takes in the view as it stands.
        shared: of its head that the last prompt held as they stand.
        outlined_tokens: it would take with an outline of its steps; the same as
            `tokens` where there is nothing to outline.
        outlined_shared: of its head that the last prompt held, with an outline.
    """

    tokens: int
    shared: int
    outlined_tokens: int
    outlined_shared: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A view at a turn edge.

    Attributes:
        head_tokens: what stands before all digests and stays: summaries, notes.
        digests: tokens of each digest that covers whole turns, oldest first.
        turns: behind them, oldest first.
        foldable: how many of these, from the oldest on, may be digested.
    """

    head_tokens: int
    digests: tuple[int, ...]
    turns: tuple[TurnCost, ...]
    foldable: int

    @property
    def tokens(self) -> int:
        """Of the whole view."""
        return self.head_tokens + sum(self.digests) + sum(turn.tokens for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Pace:
    """What is known of the calls to come.

    Attributes:
        calls_ahead: that are expected before another round can pay: those of the coming
            turn, or of several that are small.
        cache_is_dead: nothing of the last prompt can be read from the cache.
        gate_tokens: a view of this size is folded in any case.
        note_tokens: what a summariser writes for a fold; 0 where none is asked.
        prices: of tokens.
    """

    calls_ahead: float
    cache_is_dead: bool
    gate_tokens: int
    note_tokens: int = 0
    prices: Prices = field(default_factory=Prices)


@dataclass(frozen=True, slots=True)
class Choice:
    """The form a view takes.

    Attributes:
        reason: of the round; empty to keep the view.
        tokens: expected of the view.
        saved: expected against keeping it, in tokens of uncached input.
    """

    form: Form
    reason: str
    tokens: int
    saved: float


@dataclass(frozen=True, slots=True)
class _Option:
    form: Form
    tokens: int
    shared: int
    summarised: int = 0


def choose_form(standing: Standing, pace: Pace, *, only_at_gate: bool = False) -> Choice:
    """Choose the form of a view at a turn edge.

    Args:
        standing: the view as it is.
        pace: of the session.
        only_at_gate: the plain gate: fold when the view has its size, never before.
    """
    keep, *others = _options(standing, pace)
    at_gate = standing.tokens >= pace.gate_tokens
    is_small = standing.tokens < LEAST_VIEW_TOKENS
    if not at_gate and (only_at_gate or is_small):
        return Choice("keep", "", keep.tokens, 0.0)
    wanted = [o for o in others if keep.tokens - o.tokens >= LEAST_GAIN_TOKENS]
    if not wanted:
        return Choice("keep", "", keep.tokens, 0.0)
    if at_gate:
        wanted = [option for option in wanted if option.form != "outline"] or wanted
    paid = _cost(keep, pace)

    def saving(option: _Option) -> float:
        hidden = keep.tokens - option.tokens
        return paid - _cost(option, pace) - _WANTED_BACK * pace.prices.write * hidden

    best = max(wanted, key=saving)
    saved = saving(best)
    if not at_gate and saved <= 0:
        return Choice("keep", "", keep.tokens, 0.0)
    return Choice(best.form, _reason(at_gate=at_gate, pace=pace), best.tokens, saved)


def digest_tokens(turns: int) -> int:
    """What a digest of so many turns may take."""
    return min(_DIGEST_HEAD_TOKENS + _DIGEST_TURN_TOKENS * turns, _DIGEST_MAX_TOKENS)


def condensed_tokens(digests: Sequence[int]) -> int:
    """What one digest in place of several may take."""
    return min(sum(digests), _CONDENSED_MAX_TOKENS) if len(digests) > 1 else sum(digests)


def _options(standing: Standing, pace: Pace) -> Iterator[_Option]:
    turns, foldable = standing.turns, standing.foldable
    older = standing.head_tokens + sum(standing.digests)
    kept = [(turn.tokens, turn.shared) for turn in turns]
    outlined = [(turn.outlined_tokens, turn.outlined_shared) for turn in turns]
    yield _Option("keep", standing.tokens, older + _shared(kept))
    yield _Option("outline", older + _tokens(outlined), older + _shared(outlined))
    if not foldable:
        return
    source = _tokens(kept[:foldable])
    digest = min(pace.note_tokens or digest_tokens(foldable), source)
    tail = digest + _tokens(outlined[foldable:])
    yield _Option("fold", older + tail, older, source)
    if may_condense(standing.digests):
        head = standing.head_tokens
        condensed = condensed_tokens(standing.digests)
        yield _Option("condense", head + condensed + tail, head, source + sum(standing.digests))


def may_condense(digests: Sequence[int]) -> bool:
    """True when one digest in place of these would be enough smaller."""
    return sum(digests) - condensed_tokens(digests) >= LEAST_GAIN_TOKENS


def _tokens(turns: Sequence[tuple[int, int]]) -> int:
    return sum(tokens for tokens, _ in turns)


def _shared(turns: Sequence[tuple[int, int]]) -> int:
    """Tokens of the turns' head that the last prompt held."""
    total = 0
    for tokens, shared in turns:
        total += shared
        if shared < tokens:
            break
    return total


def _cost(option: _Option, pace: Pace) -> float:
    prices, shared = pace.prices, 0 if pace.cache_is_dead else option.shared
    summary = option.summarised + prices.output * pace.note_tokens if pace.note_tokens else 0
    carried = prices.cached * option.tokens * max(pace.calls_ahead - 1, 0)
    is_summarised = option.form in ("fold", "condense")
    return prices.prompt(option.tokens, shared) + carried + (summary if is_summarised else 0)


def _reason(*, at_gate: bool, pace: Pace) -> str:
    if at_gate:
        return "the gate is reached"
    return "the cache is cold" if pace.cache_is_dead else "folding pays"
