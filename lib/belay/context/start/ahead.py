"""A question to git that is asked while the start does something else; on two cores the answer costs nothing more."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from belay.core.errors import BelayError

Answer = TypeVar("Answer")


class Ahead(Generic[Answer]):
    """Work begun in a thread; what keeps it from an answer is raised where the answer is asked for."""

    def __init__(self, work: Callable[[], Answer]) -> None:
        self._work = work
        self._found: list[Answer] = []
        self._error: BelayError | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found.append(self._work())
        except BelayError as error:
            self._error = error

    def answer(self) -> Answer:
        """Return what the work came to, waiting for it; raise the BelayError it ended with."""
        self._thread.join()
        if self._error:
            raise self._error
        return self._found[0] if self._found else self._work()
