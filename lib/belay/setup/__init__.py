"""Belay's own environment, its removal, the demo. Start with `start` (hooks) or `launcher` (commands)."""
