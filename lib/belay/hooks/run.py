"""The one boundary of every hook: stdin in, reply out, exit 0 whatever happens (law d of the house)."""

from __future__ import annotations

import gc
import os
import sys

from belay.client.event import Reply, parse_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

STDIN_BYTES = 64 * 1024 * 1024


def main(name: str, event_name: str) -> None:
    """Run the handler `belay.hooks.<name>` on stdin and leave the process with status 0."""
    gc.disable()  # nothing here lives long enough to be collected; looking for it takes a fifteenth of a prompt's time
    raw = sys.stdin.buffer.read(STDIN_BYTES)
    reply = respond(name, event_name, raw, os.environ)
    try:
        sys.stdout.buffer.write(reply.plain.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except OSError:
        reply.then = None  # nobody heard it
    if reply.then:
        guarded(name, reply.then, os.environ)
    if sys.pycache_prefix == os.devnull:
        guarded(name, _drop_torn, os.environ)
    # Leaving without the interpreter's own tear-down saves a tenth of the hook's time; all files are closed by now.
    os._exit(0)


def _drop_torn() -> None:
    """Delete what the door met: compiled files that a full disk cut off."""
    from belay.core.environment import drop_torn

    drop_torn()


def respond(name: str, event_name: str, raw: bytes, environ: Mapping[str, str]) -> Reply:
    """Return the handler's reply, rendered; an empty one when it has none, broke, or Belay is switched off."""
    if environ.get("BELAY") == "off":
        return Reply()

    def answer() -> Reply | None:
        handler = __import__(f"belay.hooks.{name}", fromlist=["handle"])
        reply = handler.handle(parse_event(raw, environ))
        if not isinstance(reply, Reply):
            return None
        rendered = Reply(plain=reply.render(event_name))
        rendered.then = reply.then
        return rendered

    return guarded(name, answer, environ) or Reply()


def guarded(name: str, work: Callable[[], Reply | None], environ: Mapping[str, str]) -> Reply | None:
    """Return what the work returns; where it breaks, log a bug report, and where even that breaks, say nothing."""
    broken: list[Exception] = []

    def report() -> Reply | None:
        from belay.safety import log

        log.log_failure(f"hook {name}", broken[0], environ)
        return None

    for step in (work, report):
        try:
            return step()
        except Exception as error:
            broken.append(error)
    return None
