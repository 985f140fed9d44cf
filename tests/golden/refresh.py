"""Rewrite the `%% output` sections of the golden cases; run from the project's root.

Sections written by hand stay. Read the difference before you commit it.
"""

from __future__ import annotations

import sys

from flowctx.model import Reduction
from flowctx.reducers.pipeline import reduce_output
from tests.golden.case_file import all_cases, write_output


def main() -> int:
    """Refresh every case whose reduction has changed, and name it."""
    for case in all_cases():
        result = reduce_output(case.output)
        if "rule" not in case.headers:
            continue
        body = result.body if isinstance(result, Reduction) else None
        if body != case.expected:
            write_output(case, body)
            sys.stdout.write(f"{case.path.relative_to(case.path.parents[2])}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
