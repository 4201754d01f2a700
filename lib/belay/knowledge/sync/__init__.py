"""The extra `qdrant`: a copy of the knowledge base at a Qdrant server."""
