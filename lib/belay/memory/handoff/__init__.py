"""HANDOFF.md for the people who come next. Start with `document`; `sections` holds what it says."""
