"""What was said in sessions, kept redacted and searchable. Start with `step`; `archive` holds the files."""
