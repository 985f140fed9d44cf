"""Optional embeddings: cards that are like a prompt in other words."""
