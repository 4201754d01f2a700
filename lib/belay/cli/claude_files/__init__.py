"""Commands about CLAUDE.md files: how they changed, their known issues, the task at work, the memory section."""
