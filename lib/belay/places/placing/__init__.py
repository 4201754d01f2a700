"""Where a learning belongs: the root's memory, the orchestration's, or that of a feature. Start with `placing`."""
