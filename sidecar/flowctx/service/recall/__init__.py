"""Getting back what a view no longer shows, and keeping in view what must stay: parts, pins, notes."""
