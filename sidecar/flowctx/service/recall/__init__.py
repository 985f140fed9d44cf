"""Getting back what a view no longer shows: parts of originals, search, pins, working memory."""
