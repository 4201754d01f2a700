"""What happened since a memory was written, and where it disagrees with the project. Start with `session_diff`."""
