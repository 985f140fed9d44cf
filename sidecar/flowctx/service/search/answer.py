"""What the model is told of a search."""

from contextlib import suppress
from datetime import UTC, datetime

from flowctx.errors import StoreError
from flowctx.identity import SessionRef
from flowctx.service.context import Context
from flowctx.service.search.find import Found, Hit, search
from flowctx.store.connection import Connection
from flowctx.store.recall.hits import ensure_retrievable

_NOTHING = "Nothing was found in {scope}. Try other words, or fewer filters."
_EMPTY = (
    "Pass words to look for. Filters: tool:exec file:src/app.py role:user after:2026-11-30"
    ' session:all; "quoted phrases" must be there as they are.'
)


def answer_search(context: Context, ref: SessionRef, query: str, limit: int) -> Found:
    """Search, and let what was found be retrieved by its hash.

    Raises:
        StoreError: the store cannot be read.
    """
    found = search(context.database, ref, query, limit)
    if found.sources and context.database.keeps_originals:
        now = context.now_ms()

        def write(connection: Connection) -> None:
            for source in found.sources:
                ensure_retrievable(connection, source, now)

        # What cannot be stored now is found all the same.
        with suppress(StoreError):
            context.database.write(write).result()
    return found


def search_answer(found: Found, query: str) -> str:
    """The hits as lines, with what was searched."""
    if not query.strip():
        return _EMPTY
    problems = [f"({problem})" for problem in found.problems]
    if not found.hits:
        return "\n".join([_NOTHING.format(scope=found.scope), *problems])
    head = f"{len(found.hits)} found in {found.scope}, best first:"
    lines = [line for number, hit in enumerate(found.hits, 1) for line in _lines(number, hit)]
    return "\n".join([head, *lines, *problems])


def _lines(number: int, hit: Hit) -> list[str]:
    when = datetime.fromtimestamp(hit.time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    who = f"{hit.role} {hit.tool}".strip()
    where = f"node={hit.node}" if hit.node else f"hash={hit.hash}"
    return [f"{number}. {when} · {who} · {hit.session} · {where}", f"   {hit.snippet}"]
