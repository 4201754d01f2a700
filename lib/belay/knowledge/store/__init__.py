"""The database and its ledger: opened, migrated, repaired, written again. A change goes to the ledger first.

Start with `store.Store`; `schema.sql` and `migrations/` hold the tables.
"""
