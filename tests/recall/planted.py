"""Planted facts and the crowd around them, in English and Chinese."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

_SERVICES = (
    "billing ledger invoice shipping search catalog checkout inventory notification pricing "
    "payment refund profile session gateway scheduler archive report import export loyalty "
    "voucher tax fraud address warehouse courier basket wishlist review media thumbnail "
    "translation feature telemetry metrics alert backup restore audit identity consent "
    "newsletter campaign referral partner supplier contract quota throttle"
)
_FACTS_EN = (
    ("The {s} database listens on port {n}.", "Which port does the database of {s} use?"),
    ("We decided to rotate the {s} signing key every {n} days.",
     "How often are signing keys of {s} being rotated?"),
    ("The nightly {s} migration failed with error E{n} on the staging host.",
     "What error did the migration for {s} fail with on staging?"),
    ("Marta owns the {s} rollout and wants it behind flag rollout_{n}.",
     "Who is the owner of the {s} rollouts?"),
    ("The {s} cache timeout was raised to {n} milliseconds after the outage.",
     "What timeout did we raise the {s} caching to?"),
)  # fmt: skip
_SERVICES_ZH = (
    "账单 发票 物流 搜索 目录 结算 库存 通知 定价 支付 退款 用户 会话 网关 调度 归档 "
    "报表 导入 导出 积分 优惠券 税务 风控 地址 仓库 快递 购物车 收藏 评价 媒体 缩略图 翻译 特性 "
    "遥测 指标 告警 备份 恢复 审计 身份 授权 订阅 活动 推荐 伙伴 供应商 合同 配额 限流 日志"
)
_FACTS_ZH = (
    ("{s}服务的数据库端口是{n}。", "{s}的数据库用的是哪个端口？"),
    ("我们决定每{n}天轮换一次{s}的签名密钥。", "{s}的签名密钥多久轮换一次？"),
    ("昨晚{s}迁移在预发环境失败，错误码是E{n}。", "{s}迁移失败的错误码是什么？"),
    ("{s}上线由李雷负责，开关叫做 rollout_{n}。", "谁负责{s}上线？"),
    ("故障之后{s}缓存的超时时间改成了{n}毫秒。", "{s}缓存的超时改成了多少？"),
)
_CROWD_EN = (
    "I looked at the {s} module and the tests for {t} are green now.",
    "Please check why the {s} page is slow, the database is fine.",
    "The deploy of {s} finished; next we look at the {t} migration.",
    "Port forwarding works again, the {t} logs show no error.",
    "Renamed the {s} helper and updated {t}; timeout unchanged.",
)
_CROWD_ZH = (
    "我看了{s}模块，{t}的测试现在都通过了。",
    "请看看{s}页面为什么慢，数据库没有问题。",
    "{s}已经部署完成，接下来看{t}的迁移。",
    "端口转发又正常了，{t}的日志里没有错误。",
    "把{s}的工具函数改名了，{t}也更新了，超时不变。",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A fact, and a question whose answer it is."""

    fact: str
    question: str


def planted_facts(language: str) -> list[Planted]:
    """Fifty facts, each of another service."""
    facts, services = (_FACTS_EN, _SERVICES) if language == "en" else (_FACTS_ZH, _SERVICES_ZH)
    made = []
    for at, service in enumerate(services.split()[:50]):
        fact, question = facts[at % len(facts)]
        number = 4000 + at * 37
        made.append(Planted(fact.format(s=service, n=number), question.format(s=service)))
    return made


def crowd(count: int, seed: int = 7) -> Iterator[str]:
    """Other things that were said about the same services, half of them in Chinese."""
    choose = random.Random(seed)
    for at in range(count):
        sentences, names = (_CROWD_ZH, _SERVICES_ZH) if at % 2 else (_CROWD_EN, _SERVICES)
        service, other = choose.choice(names.split()), choose.choice(names.split())
        yield choose.choice(sentences).format(s=service, t=other) + f" ({at})"
