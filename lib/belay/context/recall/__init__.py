"""Recall: memory rows and entries that a prompt or an edit brings back, and whether they helped.

Start with `recall` (the hooks call it); `selection` runs once something was found.
"""
