"""Replay of recorded sessions through the engine, without a gateway and without network.

In order: `sources` reads recordings, `host` hands them to the engine turn by
turn, `provider` says what each model call reads from the cache, `run` adds it
up, `probes` looks whether what was folded can still be had.
"""
