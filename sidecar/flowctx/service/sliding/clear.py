"""Clearing cards: deleted for good, on request or when they are past the window."""

from flowctx.service.context import Context
from flowctx.service.state import SessionTable
from flowctx.store.card_blocks import CardSelection, count_selected, delete_cards, expire_cards
from flowctx.store.purge import compact_file

# How often cards past the window are looked for; reading never shows them in between.
EXPIRY_EVERY_MS = 3_600_000


def clear_cards(
    context: Context, table: SessionTable, selection: CardSelection, *, dry_run: bool = False
) -> int:
    """Delete the selected cards and every injected block that shows one; return their number.

    Raises:
        StoreError: the store cannot be written.
    """
    if dry_run:
        return context.database.read(lambda connection: count_selected(connection, selection))
    count = context.database.write(lambda connection: delete_cards(connection, selection)).result()
    context.database.write_outside_transaction(compact_file).result()
    table.forget()
    return count


def expire_old_cards(context: Context) -> int:
    """Delete cards past the window; blocks that were sent keep their bytes.

    Raises:
        StoreError: the store cannot be written.
    """
    now = context.now_ms()
    if now < context.next_card_expiry_ms:
        return 0
    context.next_card_expiry_ms = now + EXPIRY_EVERY_MS
    before = now - context.settings.sliding.window_ms
    return context.database.write(lambda connection: expire_cards(connection, before)).result()
