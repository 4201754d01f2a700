"""Commands about CLAUDE.md files: what belongs where, how they changed, known issues, the task, the section."""
