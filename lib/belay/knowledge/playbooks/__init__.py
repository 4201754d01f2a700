"""Patterns of CLAUDE.md with how often they helped or harmed."""
