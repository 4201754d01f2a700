"""The status line as the client runs it after every message: the user's own command first, then Belay's line.

What breaks here prints nothing, and the shim that called us then runs the user's command alone.
"""

from __future__ import annotations

import os
import sys

from belay.client.status_input import parse_status
from belay.context import status_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STDIN_BYTES = 4 * 1024 * 1024


def main() -> None:
    """Print the status line for the JSON on stdin."""
    raw = sys.stdin.buffer.read(STDIN_BYTES)
    sys.stdout.buffer.write(answer(raw, os.environ))
    sys.stdout.buffer.flush()


def answer(raw: bytes, environ: Mapping[str, str]) -> bytes:
    """Return what is printed; where the shim calls, the lines of the user's own command come first."""
    status = parse_status(raw)
    status_line.save_mirror(status, environ)
    line = status_line.render_line(status_line.gather_fields(status, environ))
    own = line.encode("utf-8", "replace") + b"\n"
    folder = environ.get("BELAY_STATUSLINE", "")
    if not folder:
        return own
    from belay.client import status_line_wrapper

    return status_line_wrapper.run_user_command(folder, raw) + own
