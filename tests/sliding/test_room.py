"""What a card tells within its tokens: nothing that decides is cut away."""

from __future__ import annotations

import pytest

from flowctx.sliding.clip import fit_parts
from flowctx.tokens import estimate_tokens
from tests.support.cards import live, texts_of, turn
from tests.support.host import HostSession, open_context


@pytest.fixture
def context(tmp_path):
    made = open_context(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("asked", "answered", "decision"),
    [
        (
            "どのデータベースを使いますか、比較してください",
            "比較しました。PostgreSQLを採用することに決めました。バックアップは東京に残します。",
            "! PostgreSQLを採用することに決めました",
        ),
        (
            "어떤 데이터베이스를 쓸까요? 비교해 주세요",
            "비교했습니다. PostgreSQL을 쓰기로 결정했습니다. 백업은 서울에 둡니다.",
            "! PostgreSQL을 쓰기로 결정했습니다",
        ),
    ],
)
def test_a_decision_is_told_to_its_end(context, asked, answered, decision):
    """In scripts that take a token a character the verb comes last, and decides."""
    live(HostSession(context), turn(asked, answered, 1))
    assert decision in texts_of(context)[0]


def test_a_title_without_spaces_says_as_much(context):
    """What was wanted is in the title, in any script."""
    live(HostSession(context), turn("帮我把数据库迁移到新的服务器上去", "数据库已经迁移完成。", 1))
    title = context.database.read(lambda c: c.execute("SELECT title FROM cards").get)
    assert title == "帮我把数据库迁移到新的服务器上去"


@pytest.mark.parametrize("shares", [(38, 12, 18, 18, 22, 38), (38, 38), (10, 60, 10), (5,)])
@pytest.mark.parametrize("word", ["word ", "数据"])
def test_parts_keep_to_the_tokens_of_all(shares, word):
    """However many are full, they take no more than a card has, and hardly less."""
    parts = [(word * 200, share) for share in shares]
    text = " · ".join(fit_parts(parts, 120))
    assert 100 <= estimate_tokens(text) <= 120
