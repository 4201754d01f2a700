"""The knowledge base workshop.db: entries and document sections, searched, reviewed, exchanged.

The only package that speaks to SQLite. Start with `store.store.Store`.
"""
