"""What makes vectors: an endpoint, or a model on this machine."""

import hashlib
import os
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from flowctx.embedding_settings import EmbeddingSettings
from flowctx.errors import FlowctxError, StoreError
from flowctx.store.card_vectors import CardVector, require_extension

_HINT = "Install what it needs: `.venv/bin/pip install -r sidecar/requirements-embedding.lock`."
_PRINT_BYTES = 16
_PEAK = 127


class EncoderError(FlowctxError):
    """Raised when no vectors can be made."""


class TextRefusedError(EncoderError):
    """Raised when one of the texts may be why no vectors were made."""


class Encoder(Protocol):
    """Texts to vectors of any length, one for each text."""

    def encode(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors; may raise `EncoderError`."""


@dataclass(frozen=True, slots=True)
class NamedEncoder:
    """An encoder under the name by which the store knows its vectors."""

    model: bytes
    encoder: Encoder

    def vectors_of(self, texts: Sequence[str]) -> list[CardVector]:
        """Vectors as they are stored.

        Raises:
            EncoderError: none could be made.
        """
        rows = self.encoder.encode(texts)
        if len(rows) != len(texts):
            message = f"It made {len(rows)} vectors of {len(texts)} texts."
            raise EncoderError(message)
        return [CardVector(self.model, _as_bytes(row)) for row in rows]

    def vectors_as_far_as_possible(self, texts: Sequence[str]) -> list[CardVector]:
        """The same; a text of which no vector can be made has an empty one.

        Raises:
            EncoderError: none could be made of any text.
        """
        try:
            return self.vectors_of(texts)
        except TextRefusedError:
            vectors = [self._vector_or_none(text) for text in texts]
            if not any(vector.values for vector in vectors):
                raise
            return vectors

    def _vector_or_none(self, text: str) -> CardVector:
        try:
            return self.vectors_of([text])[0]
        except TextRefusedError:
            return CardVector(self.model, b"")


def open_encoder(settings: EmbeddingSettings) -> NamedEncoder:
    """The encoder that the settings name.

    Raises:
        EncoderError: it cannot be used; the message says why.
    """
    try:
        require_extension()
        if settings.path:
            return _local(Path(settings.path).expanduser())
    except ImportError as error:
        message = f"{error.name or error} is not installed."
        raise EncoderError(message, hint=_HINT) from None
    except StoreError as error:
        message = f"Vectors cannot be compared: {error}"
        raise EncoderError(message) from error
    except Exception as error:
        # What reads models raises exceptions of every kind.
        message = f"The model in {settings.path} cannot be used ({error})."
        raise EncoderError(message) from error
    from flowctx.service.sliding.embedding.endpoint import EndpointEncoder

    return NamedEncoder(_print_of(settings.url, settings.model), EndpointEncoder.of(settings))


def _local(folder: Path) -> NamedEncoder:
    # More threads only take turns with the ones that reduce; numpy reads this as it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from flowctx.service.sliding.embedding.bert import BertEncoder

    encoder = BertEncoder(folder)
    # Weights that are missing show when they are used.
    encoder.encode(["probe"])
    return NamedEncoder(_print_of("local", *_contents(folder)), encoder)


def _contents(folder: Path) -> Iterator[str]:
    """What changes when another model is put into the folder."""
    for path in sorted(folder.glob("*.safetensors")):
        facts = path.stat()
        yield f"{path.name} {facts.st_size} {facts.st_mtime_ns}"


def _print_of(*parts: str) -> bytes:
    return hashlib.sha256("\n".join(parts).encode()).digest()[:_PRINT_BYTES]


def _as_bytes(row: Sequence[float]) -> bytes:
    """A signed byte for each dimension, the largest at 127: comparing goes by direction alone."""
    peak = max(map(abs, row), default=0.0)
    # False for a vector of nothing but zeros, and for one that holds no number.
    if not 0.0 < peak < float("inf"):
        message = "It made a vector without a direction."
        raise TextRefusedError(message)
    return array("b", (round(value / peak * _PEAK) for value in row)).tobytes()
