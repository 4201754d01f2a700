"""One session in one project: it appends to its journal, and folds its state when somebody needs it."""

from __future__ import annotations

import os
import time

from belay.client import processes
from belay.core import clock, paths, signatures
from belay.core import files as core_files
from belay.core.constants import TAIL_BYTES
from belay.repository import projects
from belay.session import journal
from belay.session import state as session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, overload

    from typing_extensions import Unpack

    from belay.client.event import Event
    from belay.session import records
    from belay.session.records import CaptureRecord, DraftRecord
    from belay.session.state_types import State


_BEGINNING = 64 * 1024
"""Bytes of a journal that hold the mark of its first records."""
_FIRST = 3
"""Records of which one was made before the user's key was, if none in those bytes has its mark."""


class Session:
    """A session's journal and state; `trouble` says why a record could not be written.

    `cwd` is the folder of its process, "" where another process looks at the session. A hook's session `hurries`: it
    reads only the end of a long journal whose state was lost, and a process of its own folds the rest.
    """

    __slots__ = ("_cwd", "_folds_rest", "_head", "_mark", "_state", "environ", "hurries", "name", "project", "trouble")

    def __init__(
        self, project: paths.Project, name: str, environ: Mapping[str, str], cwd: str = "", *, hurries: bool = False
    ) -> None:
        self.project, self.name, self.environ, self._cwd = project, name, environ, cwd
        self.trouble = ""
        self.hurries, self._folds_rest = hurries, False
        self._mark: str | None = None
        self._head: tuple[str, str] | None = None
        self._state: State | None = None

    @classmethod
    def from_event(cls, event: Event) -> Session | None:
        """Return the session of a hook call, or None outside a project."""
        here = _find_project(event.cwd, event.environ)
        if here is None or not _is_bound_to(here, event):
            from belay.session import binding  # most calls come from where the session began

            here = binding.find_bound(event, here)
        return cls(here, event.session, event.environ, event.cwd, hurries=True) if here else None

    def named(self, name: str, project: paths.Project | None = None) -> Session:
        """Return another session as this process sees it, of this project or of another one."""
        return Session(project or self.project, name, self.environ, hurries=self.hurries)

    @property
    def head(self) -> tuple[str, str]:
        """(branch, commit) of the work tree; both "" without git."""
        if self._head is None:
            git_dir = self.project.git_dir
            self._head = projects.head(git_dir, self.project.common_dir) if git_dir else ("", "")
        return self._head

    @property
    def branch(self) -> str:
        return self.head[0] or ("detached" if self.project.git_dir else "")

    @property
    def folder(self) -> str:
        """The folder it started in, a path from the root, "" for the root: by the environment, else by the journal."""
        if not self._cwd:
            return projects.find_folder(self.project, self.state["folder"])
        return projects.folder_in(self.project.root, self.environ.get("CLAUDE_PROJECT_DIR", ""), self._cwd)

    @property
    def mark(self) -> str:
        """The mark of the records that this process writes: forged ones do not have it."""
        if self._mark is None:
            self._mark = signatures.sign_record(self.environ, self.name)
        return self._mark

    def is_own(self, record: Mapping[str, Any]) -> bool:
        """Whether a record of the session was written by this user's Belay."""
        mark = record.get("mark", "")
        return bool(mark == self.mark or signatures.is_own(self.environ, self.name, mark))

    def place(self) -> records.Place:
        """Return where the session is, for start and prompt records."""
        return {
            "branch": self.branch,
            "head": self.head[1],
            "root": projects.make_label(self.project.root, self.state["root"]),
            "folder": projects.make_label(self.folder, self.state["folder"]),
            "client": processes.name_client(),
        }

    if TYPE_CHECKING:

        @overload
        def log(self, kind: Literal["start"], /, **fields: Unpack[records.StartRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["prompt"], /, **fields: Unpack[records.PromptRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["machine"], /, **fields: Unpack[records.MachineRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["capture"], /, **fields: Unpack[CaptureRecord]) -> CaptureRecord: ...

        @overload
        def log(self, kind: Literal["close"], /, **fields: Unpack[records.CloseRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["near"], /, **fields: Unpack[records.NearRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["aside"], /, **fields: Unpack[records.AsideRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["filed"], /, **fields: Unpack[records.FiledRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["milestone"], /, **fields: Unpack[records.MilestoneRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["intent"], /, **fields: Unpack[records.IntentRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["edit"], /, **fields: Unpack[records.EditRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["command"], /, **fields: Unpack[records.CommandRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["lesson"], /, **fields: Unpack[records.LessonRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["todos"], /, **fields: Unpack[records.TodosRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["said"], /, **fields: Unpack[records.SaidRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["plan"], /, **fields: Unpack[records.PlanRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["commit"], /, **fields: Unpack[records.CommitRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["budget"], /, **fields: Unpack[records.BudgetRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["recalled"], /, **fields: Unpack[records.RecalledRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["compact"], /, **fields: Unpack[records.CompactRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["kept"], /, **fields: Unpack[records.KeptRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["continued"], /, **fields: Unpack[records.ContinuedRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["delivered"], /, **fields: Unpack[records.DeliveredRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["reflex"], /, **fields: Unpack[records.ReflexRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["end"], /, **fields: Unpack[records.EndRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["wrap-up-document"], /, **fields: Unpack[DraftRecord]) -> DraftRecord: ...

        @overload
        def log(self, kind: Literal["wrap-up"], /, **fields: Unpack[records.WrapUpRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["unwrapped"], /, **fields: Unpack[records.UnwrappedRecord]) -> records.Record: ...

        @overload
        def log(self, kind: Literal["done", "compacted", "folded", "asked"], /) -> records.Record: ...

    def log(self, kind: str, /, **fields: Any) -> Any:
        """Append one record, synced; where that is impossible `trouble` says why and the session goes on."""
        record = {"kind": kind, "session": self.name, "mark": self.mark, **fields}
        try:
            record = journal.append(self.project.journal(self.name), record)
        except OSError as error:
            self.trouble = f"{error.filename or self.project.store}: {error.strerror or error}"
            return {"time": clock.now(), **record}
        self._state = None
        if not self.mark:
            self.trouble = f"{signatures.key_file(self.environ)}: cannot be read or made"
        return record

    def own_records(self) -> list[records.Record]:
        """Return the records of its journal that this user's Belay wrote."""
        lines: list[Any] = journal.read(self.project.journal(self.name))[0]
        return [line for line in lines if self.is_own(line)]

    @property
    def announced(self) -> list[int]:
        """The thresholds that were announced since the last compaction."""
        return self.state["announced"]

    @property
    def state(self) -> State:
        """The state up to now; where the session hurries, perhaps without what came before (`is_partial`)."""
        if self._state is None and not self.hurries:
            self._state = self._file().load_current()
        elif self._state is None:
            self._state, is_complete = self._file().load_within(TAIL_BYTES)
            if not is_complete and not self._folds_rest:
                lock_path = os.path.join(self.project.states, "fold.lock")
                processes.run_detached(lambda: self._file().fold_rest(lock_path))
            self._folds_rest = not is_complete
        return self._state

    @property
    def is_partial(self) -> bool:
        """Whether the state lacks a part of the journal, which another process folds now: it is not to be saved."""
        return bool(self.state) and self._folds_rest

    def _file(self) -> session_state.StateFile:
        journal_path = self.project.journal(self.name)
        return session_state.StateFile(self.project.state(self.name), journal_path, self.name, self.mark, self.is_own)

    def reload(self) -> None:
        """Forget the state: another process may have written since."""
        self._state = None

    def save(self) -> None:
        """Save the state; a failure costs the next reader a longer read, nothing else."""
        try:
            if not self.is_partial:
                self._file().save(self.state)
        except OSError as error:
            self.trouble = self.trouble or f"{error.filename or self.project.states}: {error.strerror or error}"


def _find_project(folder: str, environ: Mapping[str, str]) -> paths.Project | None:
    """Return the project of a folder, with the knowledge base that an environment variable may name."""
    project = projects.find(folder, environ)
    if project and (environ.get("WORKSHOP_DB") or environ.get("WORKSHOP_ROOT")):
        from belay.repository import database_location

        database_location.settle(project, environ)
    return project


def _is_bound_to(project: paths.Project, event: Event) -> bool:
    """Whether a session belongs to a project: by its journal where it began, else by what its start noted down."""
    begun = event.environ.get("CLAUDE_PROJECT_DIR", "")
    is_there = event.cwd == begun and os.path.exists(project.journal(event.session))
    noted = b"" if is_there else core_files.read(event.binding_file).partition(b"\n")[2]
    return noted == os.fsencode(project.root) if noted else begun in ("", event.cwd)


def find_others(session: Session, days: float, most: int = 20) -> list[Session]:
    """Return the project's other sessions written in the last days, the newest first, at most so many."""
    if not session.mark:
        return []  # without a key any clone's journal would pass for this user's
    names = journal.list_sessions(session.project.journals, time.time() - days * clock.DAY)[::-1]
    others: list[Session] = []
    for name in names:
        other = session.named(name)
        if len(others) == most:
            break
        if name != session.name and _is_mine(other):
            others.append(other)
    return sorted(others, key=lambda other: other.state["active"], reverse=True)


def at_its_work_tree(session: Session) -> Session:
    """Return the session at the work tree it worked in: a linked worktree shares the journals, not the files."""
    root = projects.find_root(session.project, session.state["root"])
    is_elsewhere = root != session.project.root and os.path.isdir(root)
    project = _find_project(root, session.environ) if is_elsewhere else None
    return session.named(session.name, project) if project else session


def _is_mine(session: Session) -> bool:
    """Whether a journal begins with this user's mark: a clone may bring large ones, which are never folded here."""
    begun = core_files.read(session.project.journal(session.name), _BEGINNING)
    return session.mark.encode() in begun or any(map(session.is_own, journal.parse(begun)[0][:_FIRST]))
