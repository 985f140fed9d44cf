"""A message in a line, for digests: what was asked, said, or came out."""

import re

from flowctx.message import ParsedMessage, text_of, well_formed

GIST_MAX_CHARS = 400
# Only the head of a long text is searched for its telling line.
_SEARCHED_CHARS = 200_000
_TELLING = re.compile(
    r"\b(?:error|failed|failure|fatal|exception|traceback|panic|denied|refused|timed? ?out)\b"
    r"|错误|失败|エラー|失敗|오류|실패|fehler|erreur|échec|ошибка",
    re.IGNORECASE,
)
_EXIT = re.compile(r"\(Command exited with code (-?\d+)\)\s*\Z")


def gist_of(parsed: ParsedMessage) -> str:
    """What a message says, on one line of at most `GIST_MAX_CHARS` characters."""
    text = well_formed(text_of(parsed.value)[:_SEARCHED_CHARS])
    if parsed.message.is_result:
        return _result_gist(parsed, text)
    return _cut(text)


def _result_gist(parsed: ParsedMessage, text: str) -> str:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return "no output"
    exit_ = _EXIT.search(text[-80:])
    failed = parsed.message.is_error or (exit_ is not None and exit_.group(1) != "0")
    told = next((line for line in lines if _TELLING.search(line)), lines[0])
    status = f"exit {exit_.group(1)}: " if exit_ else "failed: " if failed else ""
    size = f" ({len(lines)} lines)" if len(lines) > 1 else ""
    return f"{_cut(status + told)}{size}"


def _cut(text: str) -> str:
    line = " ".join(text[: GIST_MAX_CHARS * 4].split())
    return line if len(line) <= GIST_MAX_CHARS else f"{line[: GIST_MAX_CHARS - 1]}…"
