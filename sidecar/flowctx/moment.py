"""Times as notes and cards write them."""

from datetime import UTC, datetime


def moment(time_ms: int) -> str:
    """A time as people read it, UTC to the minute; empty where there is none."""
    if time_ms <= 0:
        return ""
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d %H:%MZ")
