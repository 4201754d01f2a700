"""The MCP server's process: a line in, a line out, until the input ends; nothing else is ever written to stdout.

It must answer first and may not fail: a server that exits at its start is not started again for
15 minutes (HOST §2.3). So nothing is opened, looked for or waited for here; what a call needs loads with the call.
"""

from __future__ import annotations

import os
import sys

from belay.mcp import protocol, tools
from belay.mcp.call import CallContext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

LINE_BYTES = 4 * 1024 * 1024
"""A longer line is not read: no call of ours needs a thousandth of it."""


def main() -> None:
    """Serve one client on stdin and stdout, then leave with status 0."""
    os.environ["CLAUDECODE"] = "1"  # whatever is answered here is read by Claude
    if sys.pycache_prefix == os.devnull:  # the door met compiled files that a full disk cut off
        from belay.core.environment import drop_torn

        drop_torn()
    try:
        server = tools.make_server(CallContext(os.environ))
        serve(sys.stdin.buffer, sys.stdout.buffer, lambda line: _reply_guarded(server, line))
    except (OSError, AttributeError, KeyboardInterrupt):
        pass  # the client is gone, its pipes were closed from the start, or it interrupts us
    os._exit(0)


def serve(source: BinaryIO, out: BinaryIO, reply: Callable[[bytes], bytes]) -> None:
    """Answer every line of a source."""
    for line in read_lines(source):
        answer = reply(line) if len(line) <= LINE_BYTES else refuse_long_line()
        if answer:
            out.write(answer + b"\n")
            out.flush()


def read_lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a source; of one over LINE_BYTES its beginning, a byte too long."""
    while line := source.readline(LINE_BYTES + 1):
        rest = line
        while len(rest) > LINE_BYTES and not rest.endswith(b"\n"):
            rest = source.readline(LINE_BYTES + 1)
        yield line


def refuse_long_line() -> bytes:
    """Return the answer to a line that was not read."""
    from belay.core import json_codec

    return json_codec.encode(protocol.make_error(None, protocol.REQUEST, f"a message is over {LINE_BYTES} bytes"))


def _reply_guarded(server: protocol.Server, line: bytes) -> bytes:
    """Return the answer to a line; where our own work breaks, log a bug report and answer with an error."""
    try:
        return server.reply(line)
    except Exception as error:
        from belay.safety import log

        log.log_failure("MCP server", error, os.environ)
        return protocol.answer_broken(line)
