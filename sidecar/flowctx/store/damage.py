"""A damaged file is set aside under a dated name; nothing of it is deleted."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

_SUFFIXES = ("", "-wal", "-shm")


def mark_damaged(path: Path) -> None:
    """Leave a mark that the file must not be opened again, for the next start."""
    with suppress(OSError):
        _mark(path).touch(mode=0o600)


def is_marked_damaged(path: Path) -> bool:
    """True when an earlier process found the file damaged."""
    return _mark(path).exists()


def files_set_aside(path: Path) -> list[Path]:
    """Damaged databases that were set aside and still lie beside the file, oldest first."""
    found = path.parent.glob(f"{path.name}.damaged-*")
    return sorted(file for file in found if not file.name.endswith(("-wal", "-shm")))


def set_aside(path: Path) -> Path:
    """Move a damaged database and its companions to a dated name, and return it.

    Raises:
        OSError: the folder does not let files be renamed.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    for suffix in _SUFFIXES:
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    _mark(path).unlink(missing_ok=True)
    return aside


def _mark(path: Path) -> Path:
    return path.with_name(f"{path.name}.is-damaged")
