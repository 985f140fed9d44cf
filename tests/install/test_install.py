"""The installer against the real host: what it changes, and that all of it can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.private_host import PrivateHost
from tests.e2e.harness.rig import running_gateway
from tests.install.checkout import Checkout, plugins_of, put_openclaw_on_path, set_engine

pytestmark = pytest.mark.e2e

_SETTINGS = "plugins.entries.flowctx.config"
# Stands for a plugin that a change of the host broke.
_BROKEN = 'throw new Error("this plugin does not load");\n'


def test_fresh_checkout_is_built_installed_and_used(tmp_path: Path, host_paths: HostPaths) -> None:
    """One command in an unbuilt checkout, a restart, a message: flowctx is in use."""
    checkout = Checkout(tmp_path / "my checkout")
    with running_gateway(host_paths, HostOptions()) as rig:
        host = rig.gateway.host
        env = put_openclaw_on_path(host)
        done = checkout.install(env)
        assert done.code == 0, done.stderr
        plugins = plugins_of(host)
        assert plugins["slots"] == {"contextEngine": "flowctx"}
        assert plugins["entries"]["flowctx"]["llm"] == {"allowAgentIdOverride": True}
        assert plugins["load"]["paths"] == [str(checkout.folder / "plugin-shim")]
        for told in ("context engine  flowctx (was not set)", "gateway restart", "--uninstall"):
            assert told in done.stdout

        rig.gateway.restart_in_process()
        rig.gateway.turn("hello", session="first")
        rig.gateway.turn("hello again", session="first")
        status = checkout.run(env, checkout.program, "status")
        assert status.code == 0, status.stdout
        assert "in use" in status.stdout.splitlines()[0]

        removed = checkout.install(env, "--uninstall")
        assert removed.code == 0, removed.stderr
        assert rig.gateway.turn("still there?", session="first").text


def test_twice_and_back_leaves_the_configuration_as_it_was(
    built: Checkout, host: PrivateHost
) -> None:
    """A second run changes nothing; undoing restores the engine named before the first one.

    The host's own uninstall leaves an entry under which installing enables nothing
    (HOST J2): a plugin that was left disabled is enabled.
    """
    env = put_openclaw_on_path(host)
    set_engine(host, "legacy")
    host.edit_config({"plugins": {"entries": {"flowctx": {"enabled": False}}}})
    assert built.install(env, "--no-build", "--yes").code == 0
    host.checked_cli("config", "set", f"{_SETTINGS}.projectionThreshold", "2000")
    first = plugins_of(host)
    assert first["entries"]["flowctx"]["config"] == {"projectionThreshold": 2000}
    assert first["entries"]["flowctx"]["enabled"] is True
    assert first["slots"] == {"contextEngine": "flowctx"}
    assert built.install(env, "--no-build").code == 0
    assert plugins_of(host) == first
    stored = host.folders.state / "flowctx" / "flowctx.sqlite"
    stored.write_bytes(b"data of the user")

    done = built.install(env, "--uninstall")
    assert done.code == 0, done.stderr
    left = plugins_of(host)
    assert left["slots"] == {"contextEngine": "legacy"}
    assert "flowctx" not in left.get("entries", {})
    assert "load" not in left
    assert stored.read_bytes() == b"data of the user"
    assert str(stored.parent) in done.stdout
    again = built.install(env, "--uninstall")
    assert (again.code, again.stderr) == (0, "")
    assert plugins_of(host) == left


def test_engine_is_left_as_asked_and_when_set_by_hand(built: Checkout, host: PrivateHost) -> None:
    """--no-engine leaves the slot, --config-only takes it later.

    A slot that somebody changed after that is theirs: undoing leaves it and says so.
    """
    env = put_openclaw_on_path(host)
    too_early = built.install(env, "--config-only")
    assert (too_early.code, too_early.stderr) == (
        1,
        "error: the plugin is not installed; run ./install.sh without --config-only\n",
    )
    set_engine(host, "legacy")
    assert built.install(env, "--no-build", "--no-engine").code == 0
    assert plugins_of(host)["slots"] == {"contextEngine": "legacy"}
    assert built.install(env, "--config-only").code == 0
    assert plugins_of(host)["slots"] == {"contextEngine": "flowctx"}

    set_engine(host, "theirs")
    undone = built.install(env, "--uninstall")
    assert "The context engine stays theirs, which flowctx did not set." in undone.stdout
    assert plugins_of(host)["slots"] == {"contextEngine": "theirs"}


def test_engine_is_named_and_undoing_takes_it_back(built: Checkout, host: PrivateHost) -> None:
    """--engine names another one, undoing takes it out; one that OpenClaw has not is refused."""
    env = put_openclaw_on_path(host)
    unknown = built.install(env, "--no-build", "--engine", "fooengine")
    assert unknown.code == 1
    assert unknown.stderr.startswith("error: OpenClaw has no context engine fooengine;")
    assert not (host.folders.state / "flowctx").exists()
    assert built.install(env, "--no-build", "--engine", "legacy").code == 0
    assert built.install(env, "--config-only").code == 0
    assert built.install(env, "--config-only", "--engine", "legacy").code == 0
    assert plugins_of(host)["slots"] == {"contextEngine": "legacy"}
    undone = built.install(env, "--uninstall")
    assert "The context engine is as before: not set." in undone.stdout
    assert "contextEngine" not in plugins_of(host).get("slots", {})


def test_plugin_that_does_not_load_is_told(tmp_path: Path, host: PrivateHost) -> None:
    """A bundle that fails in the host is an error with the command that shows why."""
    checkout = Checkout(tmp_path / "checkout")
    checkout.borrow_build()
    (checkout.folder / "plugin-shim" / "dist" / "index.js").write_text(_BROKEN)
    done = checkout.install(put_openclaw_on_path(host), "--no-build")
    assert done.code == 1
    assert done.stderr.splitlines()[-1] == (
        "error: OpenClaw cannot load the plugin; see: openclaw plugins inspect flowctx --runtime;"
        " ./install.sh --uninstall undoes it"
    )


def test_plugins_that_are_switched_off_stop_before_anything_is_written(
    built: Checkout, host: PrivateHost
) -> None:
    """Where OpenClaw loads no plugin at all, that is told instead of installing one."""
    host.edit_config({"plugins": {"enabled": False}})
    before = host.read_config()
    done = built.install(put_openclaw_on_path(host), "--no-build")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr == (
        "error: OpenClaw's plugins are switched off;"
        " run: openclaw config set plugins.enabled true\n"
    )
    assert host.read_config() == before


def test_broken_configuration_stops_before_anything_is_written(
    built: Checkout, host: PrivateHost
) -> None:
    """A configuration the host cannot read is left alone, byte for byte."""
    host.folders.config.write_text('{"plugins": ')
    done = built.install(put_openclaw_on_path(host), "--no-build")
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr == (
        "error: OpenClaw's configuration cannot be read; run: openclaw config validate\n"
    )
    assert host.folders.config.read_text() == '{"plugins": '
    assert not (host.folders.state / "flowctx").exists()
