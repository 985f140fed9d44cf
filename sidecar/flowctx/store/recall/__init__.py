"""Tables behind search, pins and working memory."""
