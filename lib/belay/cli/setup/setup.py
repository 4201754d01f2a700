"""`belay setup`: build the environment, or say that it is there."""

from __future__ import annotations

import os

from belay.cli import output
from belay.core import environment
from belay.knowledge.vectors import piece_table
from belay.setup import launcher, word_pieces

_EXAMPLES = """
belay setup
belay setup --json
"""


@output.command("setup", examples=_EXAMPLES)
def command() -> output.Result:
    """Build Belay's own Python environment, once. The first session in Claude Code does it by itself."""
    env = environment.current(os.environ)
    if env is None or piece_table.load_table(os.environ) is None:
        env = launcher.build_in_foreground(os.environ)
    has_pieces = piece_table.load_table(os.environ) is not None
    data = {
        "state": "ready",
        "python": env.python,
        "version": env.version,
        "packages": env.packages,
        "word_pieces": has_pieces,
    }
    text = f"Belay is set up: {env.python} (Python {env.version})"
    log = word_pieces.log_file(os.environ)
    lacking = f"\nThe table of word pieces could not be made ({log}): searches go by words."
    return output.Result(data, text if has_pieces else text + lacking)
