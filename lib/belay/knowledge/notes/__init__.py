"""Entries as lines of git notes: written, read, checked against files, taken in. Start with `outgoing`, `arrivals`."""
