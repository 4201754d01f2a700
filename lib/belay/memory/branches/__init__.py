"""A branch's own memory: its overlay file, folding it into MEMORY.md, the merge driver. Start with `overlay`."""
