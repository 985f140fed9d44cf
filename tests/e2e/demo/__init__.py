"""The same session in a real gateway, without and with flowctx: `python -m tests.e2e.demo`."""
