"""Commands about MEMORY.md: show, diff, health, compress, branch, handoff, rebuild."""
