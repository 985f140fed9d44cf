"""An endpoint of embeddings on loopback, in OpenAI's protocol: some words mean the same to it."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# Words of one row point the same way; any other word points nowhere.
_MEANINGS = (
    ("car", "automobile", "garage", "tyres"),
    ("doctor", "physician", "clinic", "vaccination"),
    ("rent", "landlord", "flat", "lease"),
)


@dataclass(slots=True)
class Endpoint:
    """What it does, and what it was asked.

    Attributes:
        status: of its answers.
        delay_s: how long it thinks.
        raw: answered instead of embeddings.
        location: where it sends callers to.
        refused: a request with this in a text is answered 400.
    """

    url: str = ""
    status: int = 200
    delay_s: float = 0.0
    raw: bytes = b""
    location: str = ""
    refused: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """All texts it was asked for, in order."""
        return [text for body in self.asked for text in body["input"]]

    def answer(self, body: dict[str, Any]) -> bytes:
        """Embeddings for a request, the last text's first."""
        rows = [{"index": at, "embedding": vector(text)} for at, text in enumerate(body["input"])]
        return self.raw or json.dumps({"data": rows[::-1]}).encode()


def vector(text: str) -> list[float]:
    """One number for each meaning, and one that all texts share."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return [float(len(words & set(row))) for row in _MEANINGS] + [0.3]


@contextmanager
def open_endpoint() -> Iterator[Endpoint]:
    """Serve until the block ends."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body)
            endpoint.headers.append({"path": self.path, **dict(self.headers.items())})
            time.sleep(endpoint.delay_s)
            bad = endpoint.refused and any(endpoint.refused in text for text in body["input"])
            self.send_response(400 if bad else endpoint.status)
            if endpoint.location:
                self.send_header("Location", endpoint.location)
            self.end_headers()
            self.wfile.write(endpoint.answer(body))

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
