"""Running text as it is read: wrapped lines joined, quoting signs taken out, offsets as before."""

import re
from collections.abc import Sequence

_WRAPPED_CHARS = 130
# Lines of which so much ends with a sentence are paragraphs, however short.
_CLOSED, _CLOSED_SHARE = re.compile(r"[.!?…。！？][\"'”’»)」』）]*\s*\Z"), 0.8
# Lines from here on are filled up, so that the next one goes on where they end.
_FILLED_CHARS = 50
_QUOTING = re.compile(r"^[ \t]*(?:>[> \t]*)", re.MULTILINE)
_BEGINS = re.compile(r"\s*(?:[-*•·#|]|\(?\d+[.)]\s)")


# Subtitles: the name or number of a part, its time, and who speaks.
CUE_TIME = re.compile(r"\s*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}\s*-->")
_CUE = re.compile(
    r"^(?:WEBVTT.*|NOTE\b.*"
    r"|(?:[\w/-]{1,60}[ \t]*\n)?[ \t]*(?:\d{1,2}:)?\d{1,2}:\d\d[.,]\d{2,3}[ \t]*-->.*)$"
    r"|</?[cvibu](?:[. ][^<>\n]{0,60})?>",
    re.MULTILINE,
)


def join_cues(text: str) -> str:
    """What subtitles say as one run of sentences, their times and speakers blank; offsets stay."""
    return _CUE.sub(lambda match: " " * len(match.group()), text).replace("\n", " ")


def join_wrapped(text: str) -> str:
    """The text with line ends inside paragraphs, and signs of quoting, as spaces.

    Offsets stay as they are. A line that is quoted otherwise than the one before begins anew.
    """
    lines = text.split("\n")
    signs = [match.group() if (match := _QUOTING.match(line)) else "" for line in lines]
    depths = [sign.count(">") for sign in signs]
    bodies = [" " * len(sign) + line[len(sign) :] for sign, line in zip(signs, lines, strict=True)]
    joined: list[str] = []
    for at, body in enumerate(bodies):
        below = bodies[at + 1] if at + 1 < len(bodies) else ""
        continues = (
            body.strip()
            and below.strip()
            and depths[at] == depths[at + 1]
            and len(body) >= _FILLED_CHARS
            and not _BEGINS.match(below)
        )
        joined.append(body + (" " if continues else "\n"))
    return "".join(joined)[: len(text)]


def is_wrapped(lines: Sequence[str]) -> bool:
    """True where sentences go on over the ends of lines, none of which is blank.

    Headings and greetings stand between paragraphs, so that what most of the text is counts.
    """
    total = sum(map(len, lines))
    if 2 * sum(len(line) for line in lines if len(line) >= _WRAPPED_CHARS) >= total:
        return False
    closed = sum(len(line) for line in lines if _CLOSED.search(line))
    return closed < _CLOSED_SHARE * total
