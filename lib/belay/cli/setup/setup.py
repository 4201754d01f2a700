"""`belay setup`: build the environment, or say that it is there."""

from __future__ import annotations

import os

from belay.cli import output
from belay.core import environment
from belay.setup import launcher

_EXAMPLES = """
belay setup
belay setup --json
"""


@output.command("setup", examples=_EXAMPLES)
def command() -> output.Result:
    """Build Belay's own Python environment, once. The first session in Claude Code does it by itself."""
    env = environment.current(os.environ) or launcher.build_in_foreground(os.environ)
    data = {"state": "ready", "python": env.python, "version": env.version, "packages": env.packages}
    return output.Result(data, f"Belay is set up: {env.python} (Python {env.version})")
