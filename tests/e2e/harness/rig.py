"""A gateway and the scripted model behind it, brought up and taken down together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.e2e.harness.gateway import Gateway, session_key
from tests.e2e.harness.host_config import HostOptions
from tests.e2e.harness.host_install import HostPaths
from tests.e2e.harness.model_request import Request
from tests.e2e.harness.private_host import PrivateHost
from tests.e2e.harness.scenario import scripted_agent
from tests.e2e.harness.scripted_model import Script, ScriptedModel
from tests.e2e.harness.workspace import fill_workspace

Install = Callable[[PrivateHost], None]


@dataclass(frozen=True, slots=True)
class Rig:
    """A running gateway and its model."""

    gateway: Gateway
    model: ScriptedModel

    def requests(self, session: str, *, agent: str = "main", since: int = 0) -> list[Request]:
        """Requests of one session so far, from number *since* on."""
        return list(self.model.requests_of(session_key(session, agent), since=since))


@contextmanager
def waiting_gateway(
    paths: HostPaths,
    options: HostOptions,
    *,
    install: Install | None = None,
    script: Script = scripted_agent,
    keep: bool = False,
) -> Iterator[Rig]:
    """Prepare a gateway that is not started; nothing of it is left afterwards.

    *install* puts something into the host.
    """
    with ScriptedModel(script) as model:
        gateway = Gateway(PrivateHost(paths, model.url, options), keep=keep)
        with gateway:
            fill_workspace(gateway.host.folders.workspace)
            if install is not None:
                install(gateway.host)
            yield Rig(gateway, model)


@contextmanager
def running_gateway(
    paths: HostPaths,
    options: HostOptions,
    *,
    install: Install | None = None,
    script: Script = scripted_agent,
    keep: bool = False,
) -> Iterator[Rig]:
    """Bring up a gateway; nothing of it is left afterwards, whatever happens inside.

    *install* puts something into the host before the gateway starts.
    """
    with waiting_gateway(paths, options, install=install, script=script, keep=keep) as rig:
        rig.gateway.start()
        yield rig
