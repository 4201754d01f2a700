"""The MCP server, started once and asked one question, as the client does at its start."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from belay.core import paths
from belay.core.errors import BelayError
from belay.core.plain_text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

SECONDS = 10.0
"""A start takes a tenth of a second; the client waits 30."""
_QUESTION = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "doctor", "version": "1"}},
}


def find_problem(environ: Mapping[str, str]) -> BelayError | None:
    """Return why the server does not answer, with the mend; None where it does."""
    program = paths.resource("bin", "belay-mcp")
    line = json.dumps(_QUESTION).encode() + b"\n"
    try:
        done = subprocess.run(
            [program], input=line, env=dict(environ), capture_output=True, timeout=SECONDS, check=False
        )
    except OSError as error:
        return BelayError(program, f"{program} cannot be started ({error.strerror})", f"chmod +x '{program}'")
    except subprocess.TimeoutExpired:
        return BelayError(program, f"{program} gave no answer in {SECONDS:.0f} s", "see which Python it starts")
    if _is_answer(done.stdout):
        return None
    said = one_line(done.stderr.decode("utf-8", "replace")).strip()
    ended = f"{program} ended with code {done.returncode} and no answer"
    return BelayError(program, f"{ended}: {said}" if said else ended, "belay setup, or python3 3.10 or newer on PATH")


def _is_answer(said: bytes) -> bool:
    try:
        answer = json.loads(said.partition(b"\n")[0])
    except ValueError:
        return False
    return isinstance(answer, dict) and "result" in answer
