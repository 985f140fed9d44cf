"""Which messages fold next, and where folds stand."""
