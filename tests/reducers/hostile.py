"""Texts made to hurt: bytes, nests, runs and sizes no tool should print."""

from __future__ import annotations

import random

_NOISE = random.Random("flowctx hostile")


def _bytes(size: int) -> str:
    return _NOISE.randbytes(size).decode("utf-8", "surrogateescape")


def _code_points(size: int) -> str:
    return "".join(chr(_NOISE.randrange(0x110000)) for _ in range(size))


_ROWS = ",".join(f'{{"id":{n},"v":"{n % 7}"}}' for n in range(40_000))
TEXTS: dict[str, str] = {
    "random bytes": _bytes(200_000),
    "random code points": _code_points(60_000),
    "random words without lines": " ".join(_NOISE.choices(("a", "bb", "1", "é"), k=300_000)),
    "one line of letters": "a" * 1_000_000,
    "one line of spaces": " " * 999_000 + "x",
    "one line of digits": "7" * 1_000_000,
    "one line of dots": "a." * 400_000,
    "one line of slashes": "../" * 250_000,
    "one line of colons": "a:1:" * 200_000,
    "one line of arrows": "x > " * 200_000 + "FAILED!",
    "one line of quotes": "\"'" * 300_000,
    "one line of ideographs": "错" * 200_000,
    "line ends": "\n" * 400_000 + "x" * 2000,
    "carriage returns": "spin\r" * 200_000 + "done" * 300,
    "backspaces": ("ab\b" * 3 + "\n") * 40_000,
    "escapes that never end": "\x1b]" * 200_000 + "\x1b[" * 100_000,
    "nul bytes": ("\x00" * 60 + "\n") * 5_000,
    "lone surrogates": "\ud83d row \udc00\n" * 20_000,
    "windows line ends": "level=info msg=ok n=1\r\n" * 20_000,
    "functions in one line": "".join(f"def f{n}(a): return a+{n};" for n in range(8_000)),
    "bundled functions": "".join(f"function f{n}(a){{return a + {n}}}" for n in range(8_000)),
    "deep arrays": "[" * 10_000 + "]" * 10_000,
    "deep arrays cut off": "[" * 200_000,
    "deep objects": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "objects cut off": '{"a":[{"b":' * 30_000,
    "array of numbers": "[" + ",".join(map(str, range(150_000))) + "]",
    "array of rows": "[" + _ROWS + "]",
    "array cut off": "[" + _ROWS + ',{"id":',
    "repeated keys": "{" + ",".join(f'"k":{n}' for n in range(60_000)) + "}",
    "great integers": "[" + ",".join("9" * 5000 for _ in range(60)) + "]",
    "deep elements": "<a>" * 30_000 + "</a>" * 30_000,
    "many elements": "<r>" + "<i n='1'>x</i>" * 40_000 + "</r>",
    "tags that never close": "<div class='a'>" * 40_000,
    "entities": '<!DOCTYPE x [<!ENTITY a "' + "b" * 50_000 + '">]><x>' + "&a;" * 5_000 + "</x>",
    "aliases": "a: &a [x,x,x]\n" + "".join(f"k{n}: &b{n} [*a,*a,*a]\n" for n in range(20_000)),
    "deep indentation": "".join(" " * (n % 400) + f"k{n}: v\n" for n in range(3_000)),
    "diff that lies": "--- a\n+++ b\n@@ -1,999999 +1,999999 @@\n" + "+x\n-y\n" * 60_000,
    "diff headers": "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" * 12_000,
    "csv of quotes": '"a""b",' * 20_000 + "\n" + '1,"2\n3",4\n' * 30_000,
    "table rules": "a | b\n---|---\n" * 30_000,
    "markdown headings": "# h\n\n## i\n\n" * 40_000,
    "fences": "```\n" * 100_000,
    "frames": "\tat a.b.c(D.java:1)\n" * 40_000,
    "tracebacks": 'Traceback (most recent call last):\n  File "a", line 1\nE: x\n' * 15_000,
    "hits": "src/a.py:1:def f(x)\n" * 40_000,
    "hits of dashes": "a-1-a-1-a-1-" * 30 + "\n" + "a-1-a-1-a-1-\n" * 30_000,
    "words of trouble": "error failed fatal panic 0 errors no error\n" * 20_000,
    "fault names": "AaBbCcDdError" * 30_000,
    "sentences": "z.B. usw. etc. i.e. No. 3. " * 30_000,
    "base64": ("QUJD" * 19 + "\n") * 12_000,
    "python that is not": "def f(:\n  (((\n class\n" * 20_000,
    "braces": "{[(" * 150_000,
    "minified": "function a(b){return b}" * 40_000,
    "own pointers": "[flowctx x · " * 60_000,
}  # fmt: skip
