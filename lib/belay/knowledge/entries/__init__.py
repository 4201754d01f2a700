"""Entries as values: their rows, ids, files, duplicates, history, use, and what hooks read of them."""
