"""Where a call's work happens: which project, its knowledge base, and what a new entry is stamped with.

Everything is looked up anew for each call. So a database that appears, or is replaced by a rebuild, is simply there,
and none is held open between calls.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.knowledge.store.store import Store
    from belay.repository.database_location import Place

WAIT = 3.0
"""Seconds a call waits for another writer; what is recorded meanwhile is in the ledger already."""


class CallContext:
    """The project of one server: the client's own, else the folder it was started in.

    `repairs`: lines to show with the next answer.
    """

    __slots__ = ("environ", "repairs")

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.repairs: list[str] = []

    def take_repairs(self) -> list[str]:
        """Return the repairs that were not shown yet, a line each."""
        lines, self.repairs = self.repairs, []
        return lines

    @property
    def folder(self) -> str:
        """The folder the session began in; "/", which is no project, where that is gone."""
        try:
            return self.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
        except OSError:
            return os.sep

    @property
    def session(self) -> str:
        """The session that the client names, "" for none: after --continue it may be an older one (HOST §7.19)."""
        from belay.client.event import session_name

        name = self.environ.get("CLAUDE_CODE_SESSION_ID", "")
        return session_name(name) if name else ""

    @property
    def place(self) -> Place:
        """The place of the knowledge base; NotAProject or ForeignText where there can be none."""
        from belay.repository import database_location

        return database_location.choose(self.folder, self.environ)

    def store(self, place: Place, create: bool = False) -> Store:
        """Open the knowledge base; one that is gone or damaged is written again from its ledger."""
        from belay.context.recall.indexed_base import IndexedStore

        more = {"create": create, "wait": WAIT, "on_repair": self._add_repair}
        return IndexedStore(place.project, place.path, self.environ, session=self.session, **more)

    def _add_repair(self, line: str) -> None:
        self.repairs.append(line)

    def head(self, place: Place) -> tuple[str, str]:
        """Return (branch, commit) of the project's work tree; both "" without git."""
        from belay.repository import projects

        project = place.project
        return projects.branch_and_commit(project) if project else ("", "")
