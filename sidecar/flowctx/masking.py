"""Masking secrets in what leaves the store: dumps and exports.

By their shape only: a secret that looks like any word cannot be told.
"""

import re

MASK = "***"

_SHAPES = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----"
    # Prefixes that issuers give their keys so that they can be found.
    r"|\b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|\b(?:ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|npm|hf|dop_v1|shpat)[-_][A-Za-z0-9_-]{16,}"
    r"|\bgithub_pat_[A-Za-z0-9_]{20,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|\bAIza[A-Za-z0-9_-]{30,}"
    # JSON web tokens: three parts, the first two are JSON in base64.
    r"|\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    re.DOTALL,
)
_NAMED = re.compile(
    r"(?P<name>(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key"
    r"|authorization|credentials?)[\"']?\s*(?:=>|[:=])\s*[\"']?(?:bearer |basic )?)"
    r"(?P<value>[^\s\"',;&}\\]{6,})",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"(?P<name>\b[a-z][a-z0-9+.-]*://[^\s/:@]+:)(?P<value>[^\s/@]+)(?=@)")
_BEARER = re.compile(r"(?P<name>\bbearer\s+)(?P<value>[A-Za-z0-9._~+/=-]{12,})", re.IGNORECASE)


def mask_secrets(text: str) -> str:
    """The text with keys, tokens and passwords replaced by `MASK`."""
    text = _SHAPES.sub(MASK, text)
    for pattern in (_IN_URL, _BEARER, _NAMED):
        text = pattern.sub(rf"\g<name>{MASK}", text)
    return text
