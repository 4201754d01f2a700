"""Which side starts git: plain processes, or GitPython in the consolidator and in commands that walk a history."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from belay.repository.git import blame, process

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def gitpython_reader() -> Iterator[bool]:
    """Read git through GitPython inside the block, where it is installed; yield whether it is.

    Both sides put the same questions with the same guards, so callers need not know which one answers.
    """
    try:
        with process.hidden_variables():
            os.environ["GIT_PYTHON_REFRESH"] = "quiet"  # a missing git is reported when it is called
            from belay.repository.git import gitpython
    except ImportError:
        yield False
        return
    before = process.starter, blame.line_times
    process.starter, blame.line_times = gitpython.start, gitpython.line_times
    try:
        yield True
    finally:
        process.starter, blame.line_times = before
        gitpython.close_all()
