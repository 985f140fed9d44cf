"""Fixtures of the services: a context over a new store, closed afterwards."""

from collections.abc import Iterator

import pytest

from flowctx.service.context import Context
from tests.support.host import open_context


@pytest.fixture
def context(tmp_path) -> Iterator[Context]:
    made = open_context(tmp_path)
    yield made
    made.close()
