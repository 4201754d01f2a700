"""A memory file as sections, rows and items; edits are line slices, every other byte stays.

Start with `page.parse`, then `facts` (what a file says) and `edits` (how it is changed).
"""
