"""Which tests of the real gateway one worker must run, because they share what is dear to start.

The mark of pytest-xdist for this has no effect under pytest 9.2: it is carried in
a test's name, which can no longer be changed.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling

# By file: tests that use a gateway of the whole run, named after its fixture.
_GATEWAYS = {
    "shared_rig": ("test_harness", "test_turns"),
    "flow_rig": ("test_commands", "test_recall", "test_redundancy", "test_sessions", "test_view"),
    "rough_rig": ("test_faults", "test_lifecycle", "test_long"),
}
# Some tests compare what both have to show.
_TOGETHER = {"flow_rig": "shared_rig"}
_OF_FILE = {file: _TOGETHER.get(rig, rig) for rig, files in _GATEWAYS.items() for file in files}
# Each of these tests has a host of its own.
_ALONE = frozenset({"test_install"})


def group_of(node: str) -> str:
    """The group of a test by its node id; tests of other files stay together by file."""
    path, _, _ = node.partition("::")
    file = PurePosixPath(path).stem
    return node if file in _ALONE else _OF_FILE.get(file, path)


def group_of_rig(rig: str) -> str:
    """The group that a gateway of the whole run serves."""
    return _TOGETHER.get(rig, rig)


class GroupScheduling(LoadScopeScheduling):
    """Gives each group of tests to one worker."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
