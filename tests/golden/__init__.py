"""Golden cases: an input, what must become of it, and what must not be lost."""
