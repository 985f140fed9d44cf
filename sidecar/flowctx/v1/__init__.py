"""Generated from proto/flowctx/v1/flowctx.proto by `make proto`."""
