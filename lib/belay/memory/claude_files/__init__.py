"""CLAUDE.md files beside the code: how they changed, the issues they name, tasks and a section written on request."""
