"""Door of the command line: `python lib …`."""

import os
import sys


def run() -> None:
    """Answer a search without packages; any other command in Belay's environment, which is built if it is missing."""
    if "search" in sys.argv[1:4]:
        from belay.cli import quick_search

        if quick_search.search(sys.argv[1:], os.environ):
            quick_search.end()
    if sys.flags.no_site:  # only a search can do without packages
        os.execv(sys.executable, [sys.executable, "-E", "-s", *sys.argv])
    from belay.cli import plain_help
    from belay.setup.launcher import enter

    if enter(sys.argv[1:], os.environ, asks_help=plain_help.is_asked(sys.argv[1:])):
        print(plain_help.render(sys.argv[1:]))
        sys.exit()
    from belay.cli.main import main

    main()


try:
    run()
except (EOFError, ValueError, TypeError):
    sys.pycache_prefix = os.devnull
    from belay.core.environment import drop_torn

    if not drop_torn():
        raise
    run()
