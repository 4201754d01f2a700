"""What Claude is given: at a start (`start/`), at prompts and edits (`recall/`), and the status line."""
