"""What the command line can see from outside: sidecar, store, host configuration."""

from flowctx.errors import FlowctxError, StoreError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient
from flowctx.rpc.obstacles import find_obstacle
from flowctx.service.status import SidecarFacts
from flowctx.store.reader import StoreReader


def look_at_sidecar(paths: StatePaths) -> SidecarFacts:
    """Call the sidecar; one that does not answer is described, never started."""
    try:
        client = SidecarClient(paths)
        store, activity = client.ping()
    except FlowctxError as error:
        reasons = (str(error).rstrip("."), find_obstacle(paths).rstrip("."))
        return SidecarFacts(is_answering=False, trouble=": ".join(filter(None, reasons)))
    seen = client.endpoint
    gateways = activity.pop("gateways", None)
    return SidecarFacts(
        True,
        seen.version,
        seen.pid,
        seen.address,
        store=store,
        gateways=gateways,
        activity=activity,
    )


def look_at_store(paths: StatePaths) -> StoreReader | StoreError:
    """The store, or why it cannot be opened."""
    try:
        return StoreReader(paths.database)
    except StoreError as error:
        return error
