"""Vectors from an endpoint that speaks OpenAI's protocol: `POST <url>/embeddings`."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from flowctx.embedding_settings import EmbeddingSettings
from flowctx.service.sliding.embedding.encoder import EncoderError, TextRefusedError

# A batch takes a second on a slow machine; what takes longer is not there.
TIMEOUT_SECONDS = 15.0
# Sixteen vectors of 4,096 numbers, as JSON writes them, take 1.5 MB.
_MOST_BYTES = 16_000_000
# What servers answer to a text that is too long for them, or that they cannot read.
_TEXT_REFUSED = frozenset({400, 413, 422})


class _NoRedirect(HTTPRedirectHandler):
    """A key goes to the address it was given for, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: the redirection becomes an error."""


@dataclass(frozen=True, slots=True)
class EndpointEncoder:
    """One endpoint and model.

    Attributes:
        url: of the call.
        model: that is asked for.
        key: sent as bearer token; empty for none.
    """

    url: str
    model: str
    key: str

    @classmethod
    def of(cls, settings: EmbeddingSettings) -> "EndpointEncoder":
        """The endpoint that the settings name.

        Raises:
            EncoderError: the environment does not hold the key they name.
        """
        name = settings.api_key_env
        key = os.environ.get(name, "") if name else ""
        if name and not key:
            message = f"The gateway's environment has no {name}."
            raise EncoderError(message, hint="Set it where the gateway is started.")
        return cls(f"{settings.url.rstrip('/')}/embeddings", settings.model, key)

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors, in the order of the texts.

        Raises:
            EncoderError: the endpoint cannot be reached, refuses, or answers something else.
        """
        try:
            return _vectors_in(json.loads(self._ask(texts)))
        except HTTPError as error:
            error.close()
            kind = TextRefusedError if error.code in _TEXT_REFUSED else EncoderError
            message = f"{self.url} answered {error.code}."
            raise kind(message) from None
        except (OSError, HTTPException) as error:
            message = f"{self.url} cannot be reached ({error})."
            raise EncoderError(message) from None
        except (ValueError, KeyError, TypeError, RecursionError):
            message = f"{self.url} answered no embeddings."
            raise EncoderError(message) from None

    def _ask(self, texts: Sequence[str]) -> bytes:
        body = json.dumps({"model": self.model, "input": list(texts)}).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(self.url, body, headers)  # noqa: S310 - http and https alone get here
        with build_opener(_NoRedirect).open(request, timeout=TIMEOUT_SECONDS) as response:
            answer: bytes = response.read(_MOST_BYTES)
            return answer


def _vectors_in(answer: Any) -> list[list[float]]:
    rows = sorted(answer["data"], key=lambda row: int(row["index"]))
    return [[float(value) for value in row["embedding"]] for row in rows]
