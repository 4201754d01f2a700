"""Rows of memory files, and which of them are known: written here or accepted. Start with `known_rows.Sieve`."""
