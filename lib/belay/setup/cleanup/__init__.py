"""Folders of earlier tools moved into .claude/, every step recorded and undone on request. Start with `cleanup`."""
