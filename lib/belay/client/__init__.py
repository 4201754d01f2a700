"""Claude Code as Belay meets it: hook events, tool calls, transcripts, the status line, its processes.

Every fact of the client is known here and nowhere else. Start with `event`.
"""
