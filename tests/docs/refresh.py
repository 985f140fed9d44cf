"""Writes the made parts of the README anew: `python -m tests.docs.refresh`."""

from tests.docs.readme import README, refreshed

if __name__ == "__main__":
    README.write_text(refreshed(README.read_text()))
