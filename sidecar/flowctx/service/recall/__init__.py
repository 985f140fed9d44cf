"""Getting back what a view no longer shows, and keeping in it what must stay."""
