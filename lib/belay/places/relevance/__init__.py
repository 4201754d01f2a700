"""Which folders of a project a text speaks of, and what in the project says so. Start with `ranking`."""
