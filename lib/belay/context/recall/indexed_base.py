"""A knowledge base opened by a command: what was just said is taken in first, the hooks' index written last."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay.core.errors import LockTimeout
from belay.knowledge.store import database, ledger_copy
from belay.knowledge.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project


def _settle(project: Project) -> None:
    try:
        ledger_copy.settle(project)
    except (OSError, LockTimeout):
        pass  # whoever opens it next does


def take_in(project: Project, environ: Mapping[str, str]) -> None:
    """Make entries of what was captured since the base was last read, so that a reader finds what was just said."""
    from belay.knowledge.review import fresh_captures

    try:
        if fresh_captures.has_news(project):
            from belay.knowledge.review import promotion

            promotion.take_in(project, environ)
    except OSError:
        pass  # the consolidator does it


class IndexedStore(Store):
    """A Store of a project; a database elsewhere (`--db FILE`) has no index, for no hook reads it."""

    __slots__ = ("project",)

    def __init__(self, project: Project | None, path: str, environ: Mapping[str, str], **more: Any) -> None:
        own = project is not None and os.path.abspath(path) == os.path.abspath(project.workshop)
        self.project = project if own else None
        if self.project:
            _settle(self.project)
            take_in(self.project, environ)
        super().__init__(path, environ, **more)

    def close(self) -> None:
        """Bring the index up to date where that is cheap; then close the base."""
        from belay.context.recall import term_index

        try:
            if self.project:
                term_index.update_if_cheap(self.project, self)
        except (OSError, database.SqlError):
            pass  # derived: the consolidator writes it
        finally:
            super().close()
