"""What must survive a fold, found without a model."""
