"""Search by words and meaning over entries and documents.

Start with `search.search`; `candidates` collects, `ranking` scores.
"""
