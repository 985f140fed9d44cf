"""Settings that are changed while the gateway runs: taken over, and nothing stops working."""

from __future__ import annotations

import time

from tests.e2e.harness.rig import Rig
from tests.e2e.note_model import NoteModel
from tests.e2e.test_notes import COMMITTED, DEBUG_PROFILE, GROWN, WINDOW, grow, rows_of

__all__ = ["DEBUG_PROFILE", "WINDOW"]

_SETTING = "plugins.entries.flowctx.config.projectionThreshold"
_PATIENCE_S = 60.0
# What the host does behind a turn keeps it from reloading.
_QUIET_S = 3.0


def change(rig: Rig, value: int) -> list[str]:
    """Set a setting as a user does; what the host said once it had taken it over."""
    time.sleep(_QUIET_S)
    mark = rig.gateway.log.mark()
    rig.gateway.host.checked_cli("config", "set", _SETTING, str(value))
    end = time.monotonic() + _PATIENCE_S
    while time.monotonic() < end:
        said = [str(line) for line in rig.gateway.log.since(mark)]
        if any("reload applied" in line for line in said):
            return said
        time.sleep(0.2)
    raise AssertionError([line[:300] for line in said if "reload" in line])


def test_notes_are_written_after_changes_of_settings(
    note_rig: Rig, model: NoteModel, session: str
) -> None:
    """The host takes settings over without a restart, and still lets its model be called."""
    note_rig.gateway.turn("hello", session=session)
    change(note_rig, 900)
    note_rig.gateway.turn("a turn", session=session)
    change(note_rig, 950)
    grow(note_rig, session, GROWN)
    assert rows_of(note_rig, session, COMMITTED, least=1)
    assert model.calls_for(session)


def test_notes_are_written_after_a_restart_in_the_same_process(
    note_rig: Rig, model: NoteModel, session: str
) -> None:
    """What was begun for the gateway before is no longer of use, and nothing is lost with it."""
    note_rig.gateway.turn("hello", session=session)
    note_rig.gateway.restart_in_process()
    change(note_rig, 850)
    grow(note_rig, session, GROWN)
    assert rows_of(note_rig, session, COMMITTED, least=1)
    assert model.calls_for(session)
