"""What tokens cost, in units of one token of uncached input."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of one token relative to uncached input at list price.

    The defaults are those of Anthropic's five-minute cache: reads at a tenth,
    writes at a quarter above, output at five times the price of input.

    Attributes:
        cached: read from the provider's prefix cache.
        write: not in the cache, so read and written to it.
        output: written by the model.
    """

    cached: float = 0.1
    write: float = 1.25
    output: float = 5.0

    def prompt(self, tokens: int, cached_tokens: int) -> float:
        """What a prompt costs of which so many tokens are read from the cache."""
        return self.cached * cached_tokens + self.write * (tokens - cached_tokens)
