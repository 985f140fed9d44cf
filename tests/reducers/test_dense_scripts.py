"""A view takes half of the tokens at most, also where a few of the lines hold most of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowctx.model import Reduction, ToolOutput
from flowctx.reducers.pipeline import reduce_output
from flowctx.tokens import estimate_tokens

# Sentences that differ in more than their numbers, so that each is worth showing.
DENSE = {
    "chinese": (
        "错误：无法连接到数据库",
        "警告：磁盘空间不足",
        "失败：证书已经过期",
        "超时：队列没有响应",
    ),
    "japanese": (
        "エラー：接続できません",
        "警告：容量が不足しています",
        "失敗：証明書の期限切れです",
    ),
    "korean": (
        "오류: 연결할 수 없습니다",
        "경고: 디스크 공간이 부족합니다",
        "실패: 인증서가 만료되었습니다",
    ),
}
WORDS = ("cache", "queue", "index", "router", "worker", "gate")


def mixture(script: str, *, plain: int, dense: int) -> str:
    """So many lines of ASCII, and among them so many of a script whose characters are words."""
    lines = [
        f"step {n}: the {WORDS[n % 6]} took {n * 7} ms and was left as it is" for n in range(plain)
    ]
    said = DENSE[script]
    for n in range(dense):
        line = "，".join((said[n % len(said)], WORDS[n % 6], said[(n + 1) % len(said)], str(n)))
        lines.insert(plain * n // dense, line)
    return "\n".join(lines)


def share(text: str) -> float:
    result = reduce_output(ToolOutput(text))
    assert isinstance(result, Reduction)
    return estimate_tokens(result.body) / estimate_tokens(text)


@pytest.mark.parametrize("dense", [4, 8, 16, 30])
@pytest.mark.parametrize("script", DENSE)
def test_dense_lines_among_plain_ones_take_half_of_the_tokens_at_most(script, dense):
    assert share(mixture(script, plain=60, dense=dense)) <= 0.5


@given(st.sampled_from(sorted(DENSE)), st.integers(40, 160), st.integers(1, 30))
def test_a_mixture_of_scripts_takes_half_of_the_tokens_at_most(script, plain, dense):
    assert share(mixture(script, plain=plain, dense=dense)) <= 0.5
