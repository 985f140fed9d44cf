"""Turn edges: where the view may change its form, and how it is folded there."""
