"""The command line as a user who may write nothing: run apart, because root may write anything.

Usage: `python -m tests.support.cli_as_nobody ARGUMENT...`
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pkgutil import walk_packages

import flowctx
from flowctx.cli.main import main

NOBODY = 65534


def _load_all() -> None:
    """Commands load what they need late, when this process may not read it any more."""
    for module in walk_packages(flowctx.__path__, "flowctx."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    import_module("json5")


if __name__ == "__main__":
    _load_all()
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    main(sys.argv[1:])
