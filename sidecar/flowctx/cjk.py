"""Chinese, Japanese and Korean for a full-text index that knows only words between spaces.

These scripts put no spaces between words, or glue particles to them. Each run
of such characters becomes its overlapping pairs and, last, its final
character: 支付服务 is indexed as 支付 付服 服务 务. A word of two characters is
then one term, a longer one a phrase, and a single character the prefix of terms.
"""

import re
import unicodedata
from collections.abc import Iterator

_RUN = re.compile(
    "[\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd]+"
)


def spaced(text: str) -> str:
    """The text as it is indexed: runs of these scripts as pairs between spaces.

    Also brings full-width letters and other compatible forms to one form (NFKC).
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8"))
    return _RUN.sub(lambda run: f" {' '.join(pairs(run.group()))} ", plain)


def pairs(run: str) -> list[str]:
    """The overlapping pairs of a run of characters, and its last character alone."""
    return [run[at : at + 2] for at in range(len(run))]


def runs(text: str) -> Iterator[str]:
    """The runs of these scripts in a text, in order."""
    return (run.group() for run in _RUN.finditer(unicodedata.normalize("NFKC", text)))


def is_spaceless(text: str) -> bool:
    """True for a text that is one such run."""
    return _RUN.fullmatch(text) is not None
