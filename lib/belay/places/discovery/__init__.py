"""The memory that matters for a path or a task, in the order of reading and within a budget. Start with `discovery`."""
