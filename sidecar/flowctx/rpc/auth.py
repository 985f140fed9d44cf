"""Every call carries the token of the state directory; others are turned away."""

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

import grpc

TOKEN_KEY = "flowctx-token"  # noqa: S105 - the name of a metadata key


class TokenInterceptor(grpc.aio.ServerInterceptor):
    """Turns away calls that lack the token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._refuse: Any = grpc.unary_unary_rpc_method_handler(_refuse)
        self._refuse_stream: Any = grpc.stream_stream_rpc_method_handler(_refuse_stream)

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Let the call through, or replace its handler by a refusal."""
        given = dict(handler_call_details.invocation_metadata or ()).get(TOKEN_KEY, "")
        said = given if isinstance(given, bytes) else given.encode()
        if hmac.compare_digest(said, self._token):
            return await continuation(handler_call_details)
        handler = await continuation(handler_call_details)
        return self._refuse_stream if handler and handler.request_streaming else self._refuse


_MESSAGE = "The token of this state directory is missing or wrong; read it from run/token."


async def _refuse(_request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, _MESSAGE)


async def _refuse_stream(_requests: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, _MESSAGE)
    yield  # makes it the generator that a stream's handler has to be
