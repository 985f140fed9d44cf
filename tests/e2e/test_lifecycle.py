"""Restarts, reloads, switching off and on, and taking out and putting back."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.e2e.conditions import let_downs
from tests.e2e.harness.gateway_connection import GatewayError
from tests.e2e.harness.install_flowctx import PLUGIN
from tests.e2e.harness.rig import Rig
from tests.e2e.harness.scenario import MARKER
from tests.e2e.sidecar_process import kill_sidecar, sidecar_pid

BIG = "run: bin/journalctl -u api --kb 14"
_TRIES = 40


@pytest.fixture
def mine(rough_rig: Rig) -> Rig:
    """A gateway that may be restarted and reconfigured."""
    return rough_rig


def restart(rig: Rig) -> None:
    rig.gateway.restart()


def restart_in_process(rig: Rig) -> None:
    rig.gateway.restart_in_process()


def restart_everything(rig: Rig) -> None:
    rig.gateway.stop()
    kill_sidecar(rig)
    rig.gateway.start()


def reload_plugin(rig: Rig) -> None:
    rig.gateway.call("plugins.reload", {"plugins": [{"pluginId": "flowctx"}]})


def set_enabled(rig: Rig, *, enabled: bool) -> None:
    """Switch the plugin; the host does one such thing at a time."""
    for _ in range(_TRIES):
        try:
            rig.gateway.call("plugins.setEnabled", {"pluginId": "flowctx", "enabled": enabled})
        except GatewayError as error:
            if "already running" not in str(error):
                raise
            time.sleep(0.5)
        else:
            return
    raise TimeoutError("the host would not switch the plugin")


def disable_and_enable(rig: Rig) -> None:
    set_enabled(rig, enabled=False)
    set_enabled(rig, enabled=True)


def uninstall_and_install(rig: Rig) -> None:
    rig.gateway.host.checked_cli("plugins", "uninstall", "flowctx", "--force")
    rig.gateway.host.install_plugin(PLUGIN)
    rig.gateway.restart()


@pytest.mark.parametrize(
    "happens",
    [
        restart,
        restart_in_process,
        restart_everything,
        reload_plugin,
        disable_and_enable,
        uninstall_and_install,
    ],
    ids=lambda happens: happens.__name__,
)
def test_the_same_bytes_before_and_after(
    mine: Rig, session: str, happens: Callable[[Rig], None]
) -> None:
    """What was sent before is sent again, byte for byte, and flowctx is in use again."""
    mine.gateway.turn(BIG, session=session)
    mine.gateway.turn("before", session=session)
    before = _texts(mine, session)
    mark = mine.gateway.log.mark()
    happens(mine)
    mine.gateway.turn("after", session=session)
    assert _texts(mine, session)[: len(before)] == before
    assert MARKER.search(mine.requests(session)[-1].tool_results[0].text)
    assert let_downs(mine, mark) == []
    sidecar_pid(mine)


def test_switched_off_turns_are_the_hosts_own(mine: Rig, session: str) -> None:
    """With the plugin disabled the host's own engine serves, and nothing is reduced."""
    mine.gateway.turn(BIG, session=session)
    set_enabled(mine, enabled=False)
    mine.gateway.turn("off", session=session)
    assert not MARKER.search(mine.requests(session)[-1].tool_results[0].text)
    set_enabled(mine, enabled=True)
    mine.gateway.turn("on", session=session)
    assert MARKER.search(mine.requests(session)[-1].tool_results[0].text)


def _texts(rig: Rig, session: str) -> list[tuple[str, str]]:
    """Role and text of all messages of the last request up to the user's last word."""
    messages = rig.requests(session)[-1].messages
    return [(message.role, message.text) for message in messages[1:]]
