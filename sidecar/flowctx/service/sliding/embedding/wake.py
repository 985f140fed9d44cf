"""Having the vectors made that cards lack."""

from flowctx.service.context import Context


def wake_vectors(context: Context) -> None:
    """Do it behind; nothing happens where embeddings are switched off."""
    sliding = context.settings.sliding
    context.vectors.wake(context.settings, context.now_ms() - sliding.window_ms)
