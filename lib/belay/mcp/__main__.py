"""Door of the MCP server: `python -S -E lib/belay/mcp/__main__.py`, started by bin/belay-mcp."""

import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from belay.mcp.server import main  # noqa: E402 - the line above says where belay is

main()
