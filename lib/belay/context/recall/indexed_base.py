"""A knowledge base opened by a command: once it is closed, the index that hooks look up knows what was changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from belay.core.errors import LockTimeout
from belay.knowledge.store import database, ledger_copy
from belay.knowledge.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project


def _settled(project: Project) -> None:
    try:
        ledger_copy.settle(project)
    except (OSError, LockTimeout):
        pass  # the next who opens it does


class Indexed(Store):
    """A Store of a project; of a database elsewhere (`--db FILE`) hooks know nothing, so it has no index."""

    __slots__ = ("project",)

    def __init__(self, project: Project | None, path: str, environ: Mapping[str, str], **more: Any) -> None:
        own = project is not None and os.path.abspath(path) == os.path.abspath(project.workshop)
        self.project = project if own else None
        if self.project:
            _settled(self.project)
        super().__init__(path, environ, **more)

    def close(self) -> None:
        """Bring the index up to the ledger where it is behind and that is cheap; then close the base."""
        from belay.context.recall import term_index

        try:
            if self.project:
                term_index.refresh(self.project, self)
        except (OSError, database.SqlError):
            pass  # derived: the consolidator writes it
        finally:
            super().close()
