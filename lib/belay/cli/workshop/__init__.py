"""Verbs of Workshop 2 that Belay has under another name: they work, or say what to call."""
