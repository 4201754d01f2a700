"""The knowledge base workshop.db: entries and document sections, searched, reviewed, exchanged.

The only package that speaks to SQLite; SQL that changes data is in `store` alone. Start with `store.store.Store`.
"""
