"""One page about a session or a replay: self-contained, readable anywhere, no network."""
