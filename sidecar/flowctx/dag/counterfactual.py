"""What a call would have cost without flowctx, by the same model as the fold policy.

Without flowctx a prompt is longer by what the view left out, and its history
only grows, so that it is read from the cache wherever the provider has one. A
call that only asks flowctx for something would not have been made.
"""

from dataclasses import dataclass

from flowctx.dag.prices import Prices


@dataclass(frozen=True, slots=True)
class Usage:
    """What the provider reports for one call, tokens.

    Attributes:
        fresh: input that was neither read from the cache nor written to it.
        read, written: from and to the cache.
        output: by the model.
        price_usd: of a token of plain input; 0 where the host gives none.
    """

    fresh: int
    read: int
    written: int
    output: int
    price_usd: float = 0.0

    @property
    def prompt(self) -> int:
        """Tokens of the whole prompt."""
        return self.fresh + self.read + self.written

    def cost(self, prices: Prices) -> float:
        """Of the prompt, in tokens of plain input; replies cost the same either way."""
        return self.fresh + prices.cached * self.read + prices.write * self.written


@dataclass(frozen=True, slots=True)
class Call:
    """One call and what is known around it.

    Attributes:
        left_out: tokens by which the view was shorter than the history; below 0 where
            it was longer.
        new: estimated tokens of the messages since the call before.
        has_cache: the provider reads and writes a cache in this session.
        is_expired: the call before is longer ago than the cache lives.
        is_own: it does nothing but call flowctx's tools.
        opens_turn: it is the first with its view.
    """

    usage: Usage
    left_out: int
    new: int
    has_cache: bool
    is_expired: bool
    is_own: bool
    opens_turn: bool


def cost_without(call: Call, prices: Prices) -> tuple[int, float]:
    """Tokens and cost of the prompt without flowctx.

    What the provider reports stands, but for what flowctx changed: the history
    it left out would have been there, read from the cache if that was alive, and
    what was sent anew behind a rewritten turn would have been read from it, too.
    """
    usage = call.usage
    if call.is_own:
        return 0, 0.0
    left_out = max(call.left_out, -usage.prompt)
    tokens = usage.prompt + left_out
    if not call.has_cache:
        return tokens, usage.cost(prices) + left_out
    if call.is_expired or not usage.read:
        return tokens, usage.cost(prices) + prices.write * left_out
    resent = max(usage.prompt - usage.read - call.new, 0) if call.opens_turn else 0
    spared = (prices.write - prices.cached) * resent
    return tokens, usage.cost(prices) + prices.cached * left_out - spared
