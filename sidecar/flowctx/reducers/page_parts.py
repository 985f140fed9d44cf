"""Parts of pages told by what is written in them: forms that send, notices of rights."""

import re

_SENDING = re.compile(r"method=[\"']?post|type=[\"']?hidden", re.IGNORECASE)
# Whose text it is and on what terms, which stands in most pages.
_LICENSING = re.compile(
    r"\bcopyright\b|©|&copy;|\bwithout any warranty|\bpublic licen[cs]e\b|\bsoftware foundation\b",
    re.IGNORECASE,
)
_MAX_FORM_CHARS = 600


def sends(markup: str) -> bool:
    """True for a short form that sends something; others are searches and surveys."""
    return len(markup) <= _MAX_FORM_CHARS and bool(_SENDING.search(markup))


def says_whose(text: str, start: int, end: int) -> bool:
    """True for a notice of rights, or a list of authors with their addresses."""
    has_addresses = text.count("mailto:", start, end) > 1
    return has_addresses or bool(_LICENSING.search(text, start, end))
