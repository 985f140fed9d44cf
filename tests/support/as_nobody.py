"""A session over a store that this process may not write: run apart, as the user nobody.

Usage: `python -m tests.support.as_nobody FOLDER HASH`; prints what it saw as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from flowctx.errors import FlowctxError, StoreError
from flowctx.identity import resolve_session
from flowctx.model import ToolOutput
from flowctx.reducers.pipeline import reduce_output
from flowctx.service.retrieve import retrieve
from tests.support.host import HostSession, open_context
from tests.support.turns import BIG, turns

NOBODY = 65534


def main(folder: Path, hash_: str) -> None:
    reduce_output(ToolOutput(BIG))  # reads its tables while this process still may
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    context = open_context(folder)
    seen = {"state": context.database.status.state, "refused": "", "text": ""}
    host = HostSession(context)
    seen["views"] = [host.assemble(turns(count)) for count in (3, 4)]
    seen["small"] = host.assemble(turns(40), 6000)
    try:
        host.observe(turns(1)[0])
    except StoreError as error:
        seen["refused"] = type(error).__name__
    try:
        seen["text"] = retrieve(context.database, resolve_session("agent:main:main"), hash_).text
    except FlowctxError as error:
        seen["text"] = str(error)
    sys.stdout.write(json.dumps(seen))
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
