"""The project's documents in the knowledge base: found, cleaned, cut into sections. Start with `indexer`."""
