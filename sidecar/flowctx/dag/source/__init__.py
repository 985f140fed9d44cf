"""What a note is made of: messages as lines of who said what, in which language."""
