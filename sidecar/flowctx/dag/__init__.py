"""Folding older history: where folds stand, and what a digest without a model says."""
