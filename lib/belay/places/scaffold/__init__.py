"""A CLAUDE.md made or completed from a template, with what the code of its folder holds. Start with `scaffolding`."""
