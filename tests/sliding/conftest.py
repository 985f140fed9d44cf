"""What tests of cards share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowctx.service.context import Context
from tests.support.host import open_context


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    made = open_context(tmp_path)
    yield made
    made.close()
