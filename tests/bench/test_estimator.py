"""How far the token estimates are from real vocabularies, by script and kind."""

from __future__ import annotations

from statistics import mean

import pytest

from flowctx.close_tokens import estimate_closely
from flowctx.tokens import estimate_tokens
from tests.bench.results import table, write_section
from tests.support.vocabulary import HAS_VOCABULARY, KINDS, VOCABULARIES, counted, texts_by_name

HEAD = ["kind", "texts", "plain", "close", "close, calibrated", "mean absolute error, calibrated"]


@pytest.mark.skipif(not HAS_VOCABULARY, reason="js-tiktoken is not installed")
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_estimates(vocabulary: str) -> None:
    """Estimated tokens for each counted one."""
    texts = texts_by_name()
    counts = dict(zip(texts, counted([*texts.values()], vocabulary), strict=True))
    plain = {name: estimate_tokens(text) / counts[name] for name, text in texts.items()}
    close = {name: estimate_closely(text) / counts[name] for name, text in texts.items()}
    factor = sum(counts.values()) / sum(close[name] * counts[name] for name in texts)
    rows = [
        [kind, str(len(names)), *_ratios(names, plain, close, factor)]
        for kind, names in [*KINDS.items(), ("all", tuple(texts))]
    ]
    told = (
        f"Tokens estimated for each that the vocabulary counts, mean over the texts of a kind."
        f" Calibrated: times {factor:.2f}, one factor for all texts, as the ledger finds it for"
        " a model."
    )
    write_section(f"Token estimates against {vocabulary}", [told, "", *table(HEAD, rows)])


def _ratios(
    names: tuple[str, ...], plain: dict[str, float], close: dict[str, float], factor: float
) -> list[str]:
    fitted = [factor * close[name] for name in names]
    return [
        f"{mean(plain[name] for name in names):.2f}",
        f"{mean(close[name] for name in names):.2f}",
        f"{mean(fitted):.2f}",
        f"{mean(abs(ratio - 1) for ratio in fitted):.1%}",
    ]
