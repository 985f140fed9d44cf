"""Clearing cards through the sidecar where one runs, else on the store itself."""

from flowctx.cli.purging import store_alone
from flowctx.errors import SidecarUnreachableError
from flowctx.paths import StatePaths
from flowctx.rpc.client import SidecarClient
from flowctx.service.sliding.clear import clear_cards
from flowctx.service.state import SessionTable
from flowctx.store.card_blocks import CardSelection
from flowctx.store.reader import require_store


def run_clear(paths: StatePaths, selection: CardSelection, *, dry_run: bool) -> int:
    """Delete the selected cards and return their number.

    Raises:
        FlowctxError: they could not be deleted.
    """
    try:
        return SidecarClient(paths).clear_cards(selection, dry_run=dry_run)
    except SidecarUnreachableError:
        require_store(paths.database)
        with store_alone(paths) as context:
            return clear_cards(context, SessionTable(), selection, dry_run=dry_run)
