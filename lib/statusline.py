"""Door of the status line: `python -S -E lib/statusline.py`, without the command line's packages."""

from belay.context.status_line_command import main

main()
