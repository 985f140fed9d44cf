"""The families: one kind of content each, tried in the order `pipeline` lists them."""
