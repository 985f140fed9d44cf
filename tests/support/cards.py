"""Sessions that leave cards, for tests: turns as the host writes them."""

from __future__ import annotations

from typing import Any

from flowctx.service.sliding.inject import Coming  # noqa: F401 - kept beside what it feeds

Body = dict[str, Any]
