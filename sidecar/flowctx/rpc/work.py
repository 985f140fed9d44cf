"""Running the services' blocking work off the event loop, with errors told as statuses."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn, TypeVar

import grpc

from flowctx.errors import (
    FlowctxError,
    InvalidRequestError,
    SchemaTooNewError,
    StoreError,
)

Result = TypeVar("Result")
ServicerContext = grpc.aio.ServicerContext[Any, Any]

# Calls that may run at the same time; each session's are serial anyway.
RPC_WORKERS = 8

_STATUS: tuple[tuple[type[FlowctxError], grpc.StatusCode], ...] = (
    (InvalidRequestError, grpc.StatusCode.INVALID_ARGUMENT),
    (SchemaTooNewError, grpc.StatusCode.FAILED_PRECONDITION),
    (StoreError, grpc.StatusCode.FAILED_PRECONDITION),
    (FlowctxError, grpc.StatusCode.INTERNAL),
)

log = logging.getLogger("flowctx.rpc")


class WorkPool:
    """Threads for the services' work."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(RPC_WORKERS, thread_name_prefix="rpc")

    async def run(self, work: Callable[[], Result], context: ServicerContext) -> Result:
        """Run work in a thread; an error of ours ends the call with its status."""
        try:
            return await self.run_quietly(work)
        except FlowctxError as error:
            await _abort(context, error)
        except Exception as error:
            log.exception("a call failed")
            await context.abort(grpc.StatusCode.INTERNAL, f"{type(error).__name__}: {error}")
            raise

    async def run_quietly(self, work: Callable[[], Result]) -> Result:
        """Run work in a thread; errors are the caller's."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Wait for what is under way."""
        self._threads.shutdown(wait=True, cancel_futures=True)


async def _abort(context: ServicerContext, error: FlowctxError) -> NoReturn:
    for kind, code in _STATUS:
        if isinstance(error, kind):
            await context.abort(code, str(error))
    raise error
