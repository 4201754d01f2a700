"""Snapshots of sessions for git notes: taken from sessions, and written again as sessions in a fresh clone."""
