"""A session whose files may not grow for a while: run apart, because the limit is a process's.

Usage: `python -m tests.support.full_disk FOLDER limit|start`; prints what it saw as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from flowctx.service.context import Context
from flowctx.store import database
from flowctx.store.messages import visible_messages
from tests.support.host import HostSession, open_context
from tests.support.turns import turns

LITTLE_BYTES = 4_096


def limit_files(size: int) -> None:
    """Let no file of this process grow beyond a size."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


def rows_of(context: Context, host: HostSession) -> int:
    row = host.state.row
    return len(context.database.read(lambda c: visible_messages(c, row.id))) if row else 0


def main(folder: Path, when: str) -> None:
    database.REOPEN_SECONDS = 0
    if when == "start":
        limit_files(LITTLE_BYTES)
    context = open_context(folder)
    seen: dict[str, object] = {"before": context.database.status.state}
    host, late = HostSession(context), HostSession(context, "agent:main:explicit:late")
    host.assemble(turns(1))
    host.settle()
    limit_files(LITTLE_BYTES)
    seen["views"] = [len(host.assemble(turns(count))) for count in range(2, 12)]
    late.assemble(turns(1))
    seen |= {"while": context.database.status.state, "reason": context.database.status.reason}
    limit_files(resource.RLIM_INFINITY)
    for count in (2, 3, 3):
        late.assemble(turns(count))
        host.assemble(turns(12))
        host.settle()
    host.assemble(turns(12))
    seen |= {
        "after": context.database.status.state,
        "why restart": context.database.why_restart,
        "reduced at last": host.answer.reduced if host.answer else 0,
        "rows": rows_of(context, host),
        "new session rows": rows_of(context, late),
    }
    sys.stdout.write(json.dumps(seen))
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
