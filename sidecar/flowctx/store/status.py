"""Whether the store can be used, and refusing what would take a stand-in for it."""

from dataclasses import dataclass
from typing import Literal

from flowctx.errors import StoreUnavailableError


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """Whether the store can be used.

    Attributes:
        state: "ok"; "read-only": what is there can be read, nothing is added;
            "unavailable": a stand-in in memory is used.
        reason: why, and what to do; empty when ok.
    """

    state: Literal["ok", "read-only", "unavailable"] = "ok"
    reason: str = ""

    def require_file(self) -> None:
        """Refuse to go on where an answer would tell of a stand-in as if it were the store.

        Raises:
            StoreUnavailableError: the file cannot be used; its message is for the model, too.
        """
        if self.state == "unavailable":
            message = (
                "flowctx's store is not available now: what it holds is not lost, but cannot be"
                " looked up, and nothing can be kept in it."
            )
            raise StoreUnavailableError(message, hint=self.reason)
