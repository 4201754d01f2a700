"""Door of the SubagentStart hook."""

import os
import sys

sys.path[0] = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lib")
from belay.hooks.run import main  # noqa: E402 - the line above says where belay is

main("subagent_start", "SubagentStart")
