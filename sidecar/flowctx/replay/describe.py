"""What a replayed session holds at its end."""

from typing import Any

from flowctx.replay.host import Host
from flowctx.service.outlook import look_at


def describe(host: Host) -> dict[str, Any]:
    """Its notes and largest results, as a report shows them."""
    row = host.state.row
    if row is None:
        return {"notes": [], "largest": []}
    return host.context.database.read(lambda connection: look_at(connection, row.id))
