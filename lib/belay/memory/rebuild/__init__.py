"""A MEMORY.md reconstructed from a project, each line with its source. Start with `proposal`."""
