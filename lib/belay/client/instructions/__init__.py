"""Which texts Claude Code itself puts before a session, and which it reads on the way. Start with `loaded_files`."""
