"""Every request of a replay as JSON lines, so that anyone can recompute every figure.

The first line of `requests.jsonl` states system tokens, prices and policy. Each
further line is a request: `kept` messages of the request before it, then the
`messages` that stand behind them, each as it is sent with its estimated tokens;
or the call of a summariser. `shared_tokens` is what the provider still had.
"""

from dataclasses import asdict
from pathlib import Path
from types import TracebackType

import orjson

from flowctx.replay.policies import Plan
from flowctx.replay.provider import Item, Prompt

FILE_NAME = "requests.jsonl"


class Dump:
    """Writes requests into a folder; use it as a context manager."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / FILE_NAME).open("wb")
        self._write(
            {
                "policy": plan.policy,
                "window": plan.window,
                "system_tokens": plan.system_tokens,
                "cache_ttl_seconds": plan.cache_ttl_seconds,
                "prices": asdict(plan.prices),
            }
        )

    def __enter__(self) -> "Dump":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def request(self, task: int, prompt: Prompt, *, new_tokens: int, is_first: bool) -> None:
        """Write one call; `new_tokens` came since the one before, `is_first` in its turn."""
        self._write(
            {
                "task": task,
                "opens_turn": is_first,
                "time_ms": prompt.time_ms,
                "tokens": prompt.tokens,
                "shared_tokens": prompt.cached_tokens,
                "new_tokens": new_tokens,
                "kept": prompt.kept,
                "messages": [_message(item) for item in prompt.added],
            }
        )

    def summary(self, task: int, read_tokens: int, written_tokens: int) -> None:
        """Write one call of a summariser."""
        self._write({"task": task, "summary": [read_tokens, written_tokens]})

    def _write(self, value: object) -> None:
        self._file.write(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))


def _message(item: Item) -> dict[str, object]:
    return {"tokens": item.tokens, "message": orjson.Fragment(item.body)}
