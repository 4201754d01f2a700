"""Entries in and out: export, import, transcripts, databases of earlier tools."""
