"""A hash over the digests of messages: two runs have the same only if they are equal, in order."""

import hashlib
from collections.abc import Sequence

from flowctx.model import Message

CHAIN_BYTES = 16


def chain_of(messages: Sequence[Message], chain: bytes = b"") -> bytes:
    """The chain of some messages, or a chain gone on with them."""
    for message in messages:
        chain = hashlib.sha256(chain + message.digest).digest()[:CHAIN_BYTES]
    return chain
