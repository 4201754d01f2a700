"""Door of the PreCompact hook."""

import os
import sys

sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib")
try:
    __import__("module_finder").install()
    from belay.hooks.run import main
except (EOFError, ValueError, TypeError):  # a full disk cut compiled files off
    sys.pycache_prefix = os.devnull
    from belay.hooks.run import main

main("pre_compact", "PreCompact")
