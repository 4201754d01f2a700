"""Commands about entries of the knowledge base: record, search, read, change, review."""
