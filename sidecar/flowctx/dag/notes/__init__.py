"""Notes and digests as texts: written, examined, read back."""
