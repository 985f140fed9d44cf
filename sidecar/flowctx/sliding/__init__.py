"""Cross-session working memory, the pure half: cards, walls, scores, the injected block."""
