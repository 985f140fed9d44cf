"""Search: what is indexed behind the reply, and how questions are answered from it."""
