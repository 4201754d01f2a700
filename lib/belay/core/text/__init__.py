"""Texts: terms, token counts, YAML and JSON edits, and the composer that keeps injected text in its budget."""
