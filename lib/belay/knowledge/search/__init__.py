"""Search by words over entries and documents. Start with `search.search`; `candidates` collects, `ranking` scores."""
