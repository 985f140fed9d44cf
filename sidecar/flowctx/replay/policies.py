"""The policies that a replay compares, and what each asks of the engine."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from flowctx.config import Settings
from flowctx.dag.prices import Prices
from flowctx.errors import InvalidRequestError
from flowctx.service.context import Context
from flowctx.store.database import Database

Policy = Literal["raw", "fresh", "reduce", "flowctx"]
POLICIES: tuple[Policy, ...] = ("raw", "fresh", "reduce", "flowctx")

SYSTEM_TOKENS = 7_000
CACHE_TTL_SECONDS = 300
WINDOW_TOKENS = 200_000
# The host keeps so much of the window free for the reply, and no more than a quarter of it.
_RESERVE_TOKENS, _RESERVE_SHARE = 20_000, 0.25
_NO_LIMIT = 1 << 40


@dataclass(frozen=True, slots=True)
class Plan:
    """How to replay.

    Attributes:
        policy: "raw" sends all history as it is; "fresh" begins a session with each
            recording; "reduce" reduces old results and folds nothing; "flowctx" is
            the engine with its settings.
        window: of the model, tokens.
        prices: for costs, and for the engine's own decisions.
        note_tokens: size of the notes that a summariser writes; 0 for digests.
    """

    policy: Policy = "flowctx"
    window: int = WINDOW_TOKENS
    settings: Settings = field(default_factory=Settings)
    prices: Prices = field(default_factory=Prices)
    note_tokens: int = 0
    system_tokens: int = SYSTEM_TOKENS
    cache_ttl_seconds: int = CACHE_TTL_SECONDS

    @property
    def budget(self) -> int:
        """Tokens that the host leaves for the view."""
        if self.policy != "flowctx":
            return _NO_LIMIT
        reserve = min(_RESERVE_TOKENS, int(self.window * _RESERVE_SHARE))
        return max(self.window - reserve - self.system_tokens, 1)

    @property
    def uses_engine(self) -> bool:
        """False where messages go as they are."""
        return self.policy in ("reduce", "flowctx")


@contextmanager
def open_engine(plan: Plan) -> Iterator[Context]:
    """The engine over a store of its own, which goes with it; nothing else is touched."""
    with tempfile.TemporaryDirectory(prefix="flowctx-replay-") as folder:
        context = Context(
            Path(folder),
            Database(Path(folder) / "flowctx.sqlite"),
            _settings(plan),
            # No reply waits, so all that is due is reduced at once.
            inline_seconds=3600.0,
            prices=plan.prices,
            cache_ttl_ms=plan.cache_ttl_seconds * 1000,
            note_tokens=plan.note_tokens,
        )
        # Nobody searches here, so nothing is indexed.
        context.index.close()
        try:
            yield context
        finally:
            context.close()


# No window holds a longer note.
MOST_NOTE_TOKENS = 100_000


def parse_prices(text: str) -> Prices:
    """Read "cached=0.1,write=1.25,out=5"; what is not named keeps its default.

    Raises:
        InvalidRequestError: a name is not known, or a value no price.
    """
    names = {"cached": "cached", "write": "write", "out": "output"}
    values: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, said = part.partition("=")
        try:
            price = float(said)
        except ValueError:
            price = -1.0
        is_known = name.strip() in names and names[name.strip()] not in values
        if not is_known or not 0 <= price < 1e6:
            message = f"{part!r} is no price, or is there twice."
            raise InvalidRequestError(message, hint="Write cached=0.1,write=1.25,out=5.")
        values[names[name.strip()]] = price
    return Prices(**values)


def parse_summariser(text: str) -> int:
    """Tokens of a note: "digest" costs nothing and gives 0, "fixed:N" gives N.

    Raises:
        InvalidRequestError: it is neither.
    """
    kind, _, size = text.partition(":")
    if text == "digest":
        return 0
    if kind == "fixed" and size.isascii() and size.isdigit() and 0 < int(size) <= MOST_NOTE_TOKENS:
        return int(size)
    message = f"{text!r} is no summariser."
    raise InvalidRequestError(message, hint='Take "digest" or "fixed:N", N tokens a note.')


def _settings(plan: Plan) -> Settings:
    settings = replace(plan.settings, session_continuity=False)
    if plan.policy == "reduce":
        # Under the plain gate with notes by a model the engine itself folds nothing.
        return replace(settings, fold_policy="ratio", background_summary=True)
    # Nobody writes notes here: at the gate the engine's digests stand for them.
    return replace(
        settings, background_summary=settings.background_summary and settings.fold_policy == "cost"
    )
