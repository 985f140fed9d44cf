"""What flowctx does, use case by use case, over the store and the pure parts."""
