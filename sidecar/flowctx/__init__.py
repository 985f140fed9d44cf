"""flowctx: a context engine for OpenClaw whose memory fades with distance."""

__version__ = "0.1.0"
