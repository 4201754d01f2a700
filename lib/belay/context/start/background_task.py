"""Work in a thread while a session's start does something else: a question to git then costs nothing on two cores."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from belay.core.errors import BelayError

Result = TypeVar("Result")


class BackgroundTask(Generic[Result]):
    """Work in a thread; an error of it is raised where the result is read."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._results: list[Result] = []
        self._error: BelayError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._results.append(self._work())
        except BelayError as error:
            self._error = error

    def result(self) -> Result:
        """Wait for the work and return its result; raise its BelayError."""
        self._thread.join()
        if self._error:
            raise self._error
        return self._results[0] if self._results else self._work()
