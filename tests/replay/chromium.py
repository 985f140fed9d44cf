"""A headless Chromium, where there is one, and what its pictures show."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from collections import Counter
from pathlib import Path

Colour = tuple[int, int, int]
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome")
     if (path := shutil.which(name))), None
)  # fmt: skip
_DARK = "--blink-settings=preferredColorScheme=0"


def colours(page: Path, width: int, *, dark: bool) -> Counter[Colour]:
    """How often each colour is in the picture of a page."""
    shot = page.with_suffix(f".{width}.png")
    size = [f"--window-size={width},1800", f"--screenshot={shot}"]
    _run([*size, *([_DARK] if dark else []), page.as_uri()])
    return _pixels(shot.read_bytes())


def measure(page: Path, expression: str, width: int) -> str:
    """What a JavaScript expression gives on a page, a copy of which is made for it."""
    copy = page.with_suffix(".measured.html")
    script = f"<script>document.title = String({expression})</script></body>"
    copy.write_text(page.read_text("utf-8").replace("</body>", script), "utf-8")
    dom = _run([f"--window-size={width},1800", "--dump-dom", copy.as_uri()])
    return dom.partition("<title>")[2].partition("</title>")[0]


def _run(arguments: list[str]) -> str:
    assert CHROMIUM is not None
    fixed = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    done = subprocess.run(
        [CHROMIUM, *fixed, *arguments], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout


def _pixels(png: bytes) -> Counter[Colour]:
    """Colours of a PNG of 8 bits a channel, without interlacing: what Chromium writes."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind in (2, 6)) == (8, True)
    channels = 4 if kind == 6 else 3
    at, packed = 8, b""
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + length]
        at += 12 + length
    raw, stride = zlib.decompress(packed), width * channels
    above, seen = bytes(stride), Counter[Colour]()
    for row in range(height):
        start = row * (stride + 1)
        above = _unfilter(raw[start], raw[start + 1 : start + 1 + stride], above, channels)
        # Every fourth row and column shows all that is larger than a line.
        if row % 4 == 0:
            for x in range(0, stride, 4 * channels):
                seen[(above[x], above[x + 1], above[x + 2])] += 1
    return seen


def _unfilter(kind: int, line: bytes, above: bytes, channels: int) -> bytes:
    out = bytearray(line)
    for at, value in enumerate(line):
        left = out[at - channels] if at >= channels else 0
        up, corner = above[at], above[at - channels] if at >= channels else 0
        predicted = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
        out[at] = (value + predicted) & 255
    return bytes(out)


def _paeth(left: int, up: int, corner: int) -> int:
    near = left + up - corner
    return min((left, up, corner), key=lambda each: abs(near - each))
