"""What compression takes out of MEMORY.md, where it goes, and what wastes tokens in it."""
