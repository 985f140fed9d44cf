"""Cross-session working memory: cards written behind a turn, recalled before the next."""
