"""MEMORY.md and everything made from it: parsing, branches, health, drift, wrap-up, rebuild, handoff.

Start with `document.page` (a file as sections) and `memory_files` (how a file is changed safely).
"""
