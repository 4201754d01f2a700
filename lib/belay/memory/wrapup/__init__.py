"""Saving a session: the audit, the form, and the files that a filled form changes. Start with `saving`."""
