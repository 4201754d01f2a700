"""One session: its journal, its state, captures, working buffer, continuation and recovery.

The journal is the truth. Start with `session.Session`; `journal` writes records (`records` has their types), `state`
folds them (`state_types`).
"""
