"""Work in a thread while a session's start does something else: a question to git then costs nothing on two cores."""

from __future__ import annotations

import threading

from belay.core.errors import BelayError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Result = TypeVar("Result")


def start(work: Callable[[], Result]) -> Callable[[], Result]:
    """Start work in a thread; return what waits for it and returns its result, or raises its BelayError."""
    results: list[Result] = []
    errors: list[BelayError] = []

    def run() -> None:
        try:
            results.append(work())
        except BelayError as error:
            errors.append(error)

    def wait() -> Result:
        thread.join()
        if errors:
            raise errors[0]
        return results[0] if results else work()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return wait
