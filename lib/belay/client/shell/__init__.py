"""A shell command line, read by its words alone: its steps, their wrappers, and what each step runs.

Start with `steps.parse`; no shell is started.
"""
