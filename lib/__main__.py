"""Door of the command line: `python lib …`."""

import os
import sys

if "search" in sys.argv[1:4]:
    from belay.cli import quick_search

    if quick_search.search(sys.argv[1:], os.environ):
        quick_search.end()
if sys.flags.no_site:  # only a search can do without packages
    os.execv(sys.executable, [sys.executable, "-E", "-s", *sys.argv])

from belay.setup.launcher import enter

enter(sys.argv[1:], os.environ)

from belay.cli.main import main  # noqa: E402 - the line above makes sure that its packages are there

main()
