"""`belay setup`: builds the environment, or says that it stands."""

from __future__ import annotations

import os

from belay.cli import face
from belay.core import environment
from belay.setup import launcher

_EXAMPLES = """
belay setup
belay setup --json
"""


@face.command("setup", examples=_EXAMPLES)
def command() -> face.Result:
    """Build Belay's own Python environment, once. The first session in Claude Code does it by itself."""
    env = environment.current(os.environ) or launcher.foreground(os.environ)
    data = {"state": "ready", "python": env.python, "version": env.version, "packages": env.packages}
    return face.Result(data, f"Belay is set up: {env.python} (Python {env.version})")
