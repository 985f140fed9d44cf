"""What a replay counts."""

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from flowctx.dag.prices import Prices
from flowctx.replay.provider import Prompt


@dataclass(slots=True)
class Probes:
    """What became of probes from folded and reduced messages.

    Attributes:
        visible: stands in the view.
        one_step: behind a hash or node that the view names.
        found: stored, and no view names where.
        lost: nowhere.
    """

    visible: int = 0
    one_step: int = 0
    found: int = 0
    lost: int = 0


@dataclass(slots=True)
class Figures:
    """Of one task, or of all.

    Attributes:
        calls: one for each assistant message.
        tokens_in: of all prompts, system part included.
        cached_tokens: of those, read from the provider's cache.
        cost: of prompts and summary calls, in tokens of uncached input. What the
            agent itself writes is the same under every policy and left out.
        cost_usd: the same at the list price of input.
        rounds: views in which bytes that had been sent changed.
        resent_tokens: of views, sent again because something before them changed.
        summary_tokens: read and written by calls that summarise.
        notes: folds made.
        peak_prompt_tokens: of the largest prompt.
        seconds: taken by the replay.
    """

    calls: int = 0
    tokens_in: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    cost_usd: float = 0.0
    rounds: int = 0
    resent_tokens: int = 0
    summary_tokens: int = 0
    notes: int = 0
    peak_prompt_tokens: int = 0
    seconds: float = 0.0
    probes: Probes = field(default_factory=Probes)

    def add_call(self, prompt: Prompt, prices: Prices) -> None:
        """Count one call."""
        self.calls += 1
        self.tokens_in += prompt.tokens
        self.cached_tokens += prompt.cached_tokens
        self.cost += prices.prompt(prompt.tokens, prompt.cached_tokens)
        self.peak_prompt_tokens = max(self.peak_prompt_tokens, prompt.tokens)

    def document(self) -> dict[str, Any]:
        """As `--json` prints it."""
        values = asdict(self)
        rounded = {"cost": 1, "cost_usd": 6, "seconds": 3}
        return {
            name: round(value, rounded[name]) if name in rounded else value
            for name, value in values.items()
        }


def total(parts: list[Figures]) -> Figures:
    """All tasks together."""
    whole = Figures()
    for part in parts:
        for each in fields(Figures):
            name = each.name
            if name == "peak_prompt_tokens":
                whole.peak_prompt_tokens = max(whole.peak_prompt_tokens, part.peak_prompt_tokens)
            elif name != "probes":
                setattr(whole, name, getattr(whole, name) + getattr(part, name))
        for each in fields(Probes):
            held = getattr(whole.probes, each.name) + getattr(part.probes, each.name)
            setattr(whole.probes, each.name, held)
    return whole
