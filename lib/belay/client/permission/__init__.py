"""Which shell commands only the person may allow. Start with `acceptance`."""
