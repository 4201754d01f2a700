"""Door of the MCP server: `python -S -E lib/belay/mcp/__main__.py`, started by bin/belay-mcp."""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
try:
    from belay.mcp.server import main
except (EOFError, ValueError, TypeError):  # a full disk cut compiled files off
    sys.pycache_prefix = os.devnull
    from belay.mcp.server import main

main()
