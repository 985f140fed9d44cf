"""Words and shapes of text: tables of every language, and what is read off them."""
