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
    broken: Exception | None = None
    for step in (_answer, _report):
        try:
            return step(name, event_name, raw, environ, broken)
        except Exception as error:
            broken = error
    return ""


def _answer(name: str, event_name: str, raw: bytes, environ: Mapping[str, str], _: Exception | None) -> str:
    module = __import__(f"belay.handlers.{name}", fromlist=["handle"])
    reply = module.handle(parse(raw, environ))
    return reply.render(event_name) if isinstance(reply, Reply) else ""


def _report(name: str, _: str, __: bytes, environ: Mapping[str, str], broken: Exception | None) -> str:
    """Log what broke; where even that breaks (a half-updated plugin), the hook stays silent."""
    from belay import log

    if broken:
        log.failure(f"hook {name}", broken, environ)
    return ""
