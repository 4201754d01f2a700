"""Door of the command line: `python lib …`."""

from belay.cli.main import main

main()
