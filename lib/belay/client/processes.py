"""Leaving the client: work that outlives a hook, and whether the client of a session is still alive.

The client kills a hook's whole tree at its time limit, setsid children too; a double-forked child survives (HOST §2.3).
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NICE = 10


def run_detached(work: Callable[[], None]) -> bool:
    """Run `work` in a double-forked, niced process of its own session; False where the system cannot fork.

    What breaks there is written to the log: nobody else sees it.
    """
    if not hasattr(os, "fork"):
        return False
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return True
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        _quiet()
        os.nice(NICE)
        gc.enable()  # a hook collects nothing, but this process lives on
        work()
    finally:
        try:
            _logged(sys.exc_info()[1])
        finally:
            os._exit(0)  # whatever broke: the child must never go on as a second hook


def _logged(error: BaseException | None) -> None:
    if error is not None:
        from belay.safety import log

        log.log_failure("detached work", error, os.environ)


def _quiet() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    os.chdir(os.sep)


def name_client() -> str:
    """Return the name of the process that started us, "pid.start": a pid that is used again has another start."""
    pid = os.getppid()
    return f"{pid}.{_start(pid)}"


def is_alive(name: str) -> bool:
    """Whether a process named by `client` still runs; an empty or foreign name does not."""
    pid, _, start = name.partition(".")
    if not (pid.isascii() and pid.isdigit()) or int(pid) <= 1:
        return False
    if start:
        return _start(int(pid)) == start
    return os.name != "nt" and _signalled(int(pid))


def _signalled(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


_OVER = (b"Z", b"X", b"x")
"""States of a process that is dead and only waits for its parent to notice (proc(5))."""


def _start(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return ""
    return fields[19].decode("ascii", "replace") if len(fields) > 19 and fields[0] not in _OVER else ""
