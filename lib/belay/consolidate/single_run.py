"""One consolidator at a time, and none in vain: one that is turned away leaves a mark, and the other runs once more."""

from __future__ import annotations

import os

from belay.core import files, lock
from belay.core.errors import LockTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Result = TypeVar("Result")

LOCK = "consolidate.lock"
RUNS = 4
"""How often one process runs at most, where others want it again and again."""


def run_alone(folder: str, work: Callable[[], Result]) -> Result | None:
    """Call `work` under the lock of a folder, and again if others were turned away meanwhile.

    Returns what the first call returned, None where another process is at work; that one will see the mark. The mark is
    looked for after the lock is free again, so that none is missed.
    """
    mark, result = os.path.join(folder, "consolidate.again"), None
    for _ in range(RUNS):
        done = _call(folder, mark, work)
        if done is None and result is None:
            files.write(mark, b"", sync=False)
            done = _call(folder, mark, work)
        result = done if result is None else result
        if done is None or not os.path.exists(mark):
            break
    return result


def _call(folder: str, mark: str, work: Callable[[], Result]) -> Result | None:
    try:
        with lock.hold(os.path.join(folder, LOCK), deadline=0.0):
            if os.path.exists(mark):
                os.unlink(mark)
            return work()
    except LockTimeout:
        return None
