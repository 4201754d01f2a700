"""The one boundary of every hook: stdin in, reply out, exit 0 whatever happens (law d of the house)."""

from __future__ import annotations

import os
import sys

from belay.event import Reply, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STDIN_BYTES = 64 * 1024 * 1024


def main(name: str, event_name: str) -> None:
    """Run the handler `belay.handlers.<name>` on stdin and leave the process with status 0."""
    answer = respond(name, event_name, sys.stdin.buffer.read(STDIN_BYTES), os.environ)
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except OSError:
        pass
    # Leaving without the interpreter's own tear-down saves a tenth of the hook's time; all files are closed by now.
    os._exit(0)


def respond(name: str, event_name: str, raw: bytes, environ: Mapping[str, str]) -> str:
    """Return what the hook prints: the handler's reply, or nothing when it has none or broke."""
    if environ.get("BELAY") == "off":
        return ""
    try:
        reply = _handler(name)(parse(raw, environ))
        return reply.render(event_name) if isinstance(reply, Reply) else ""
    except Exception as error:
        return _broken(name, error, environ)


def _handler(name: str):  # type: ignore[no-untyped-def]
    module = __import__(f"belay.handlers.{name}", fromlist=["handle"])
    return module.handle


def _broken(name: str, error: Exception, environ: Mapping[str, str]) -> str:
    from belay import log

    log.failure(f"hook {name}", error, environ)
    return ""
