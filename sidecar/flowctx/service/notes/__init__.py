"""Notes in the background: what is due, who writes it, and when it shows in the view."""
