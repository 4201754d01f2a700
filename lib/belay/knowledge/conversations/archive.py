"""The files that conversations are kept in: a session each, JSON lines that only this user's Belay can have written.

The client deletes its transcripts, and the database is written again from files; so these are what lasts. A line is
sealed as the journal's are; the last one of each write says up to where the sources were read.
"""

from __future__ import annotations

import os

from belay.core import clock, files, signatures
from belay.knowledge.conversations import hiding
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypedDict

    from belay.knowledge.conversations.hiding import Hidden

    class Record(TypedDict, total=False):
        """One line: a prompt, an answer, an edited file, the title; or `read` (sources and bytes), or `dropped`.

        `commit`: HEAD at that time. `at`: source → bytes of it that were read; "journal", or a transcript's key.
        `until`: the last time that something was said, up to a `read` record.
        """

        kind: str
        time: str
        session: str
        mark: str
        text: str
        branch: str
        folder: str
        commit: str
        at: dict[str, int]
        until: str


PROMPT, ANSWER, EDITED, TITLE, READ, DROPPED = "prompt", "answer", "edited", "title", "read", "dropped"
END = ".jsonl"
SHORT = 8
"""Characters of a session's name by which people and Claude are told of it."""
_TAIL = 16 * 1024


class Archive:
    """The conversations of a project, in one folder."""

    __slots__ = ("_hidden", "environ", "folder")

    def __init__(self, folder: str, environ: Mapping[str, str]) -> None:
        self.folder, self.environ = folder, environ
        self._hidden: Hidden | None = None

    @property
    def index(self) -> str:
        """The database that makes them searchable; it can be written again from the files."""
        return os.path.join(self.folder, "index.db")

    def path(self, name: str) -> str:
        """Return the file of a session."""
        return os.path.join(self.folder, name + END)

    def list_names(self) -> list[str]:
        """Return the sessions that have a file."""
        return [name.removesuffix(END) for name in files.list_names(self.folder) if name.endswith(END)]

    @property
    def hidden(self) -> Hidden:
        """The texts that are not shown, as `hidden.json` has them."""
        if self._hidden is None:
            self._hidden = hiding.load_hidden(self.folder)
        return self._hidden

    def hide(self, texts: Iterable[str]) -> None:
        """Let these texts be shown no more, and no others: what was hidden and is not among them is shown again."""
        self._hidden = hiding.save_hidden(self.folder, texts, [(name, self.path(name)) for name in self.list_names()])

    def load(self, name: str) -> list[Record]:
        """Return what is shown of a session; [] for one that was dropped or is another user's."""
        remove = self.hidden.remove
        return [{**record, "text": remove(record.get("text", ""))} for record in self.load_kept(name)]

    def load_kept(self, name: str) -> list[Record]:
        """Return what is kept of a session, hidden texts included; complete writes only."""
        records = self._parse(name, files.read(self.path(name)))
        last = max((at for at, record in enumerate(records) if record["kind"] in (READ, DROPPED)), default=-1)
        return [record for record in records[: last + 1] if record["kind"] not in (READ, DROPPED)]

    def load_progress(self, name: str) -> Record | None:
        """Return the last `read` or `dropped` record of a session, None where there is none."""
        data = files.tail(self.path(name), _TAIL)
        last = self._parse(name, data.rstrip(b"\n").rpartition(b"\n")[2])
        if last and last[0]["kind"] in (READ, DROPPED):
            return last[0]
        records = self._parse(name, data)
        return next((record for record in reversed(records) if record["kind"] in (READ, DROPPED)), None)

    def append(self, name: str, records: Iterable[Record], at: Mapping[str, int]) -> None:
        """Add what was said, and up to where the sources were read, in one write."""
        before: Record = self.load_progress(name) or {}
        records = list(records)
        read = _make_read(records, at, before.get("until", ""))
        if not self._ends_whole(name):
            self.rewrite(name, self.load_kept(name), before.get("at", {}))
        files.make_folder(self.folder)
        files.append_line(self.path(name), self._seal(name, [*records, read]))

    def rewrite(self, name: str, records: Iterable[Record], at: Mapping[str, int]) -> None:
        """Put these records in the place of what is kept of a session."""
        self._make_private(name)
        records = list(records)
        files.write(self.path(name), self._seal(name, [*records, _make_read(records, at)]) + b"\n")

    def drop(self, name: str) -> None:
        """Leave of a session only that it is not wanted: its transcript may still be there."""
        self._make_private(name)
        files.write(self.path(name), self._seal(name, [{"kind": DROPPED, "time": clock.now()}]) + b"\n")

    def find(self, given: str) -> list[str]:
        """Return the sessions whose name begins so; a name that fits as it is comes alone."""
        names = self.list_names()
        return [given] if given in names else [name for name in names if name.startswith(given)]

    def _parse(self, name: str, data: bytes) -> list[Record]:
        mark = signatures.sign_name(self.environ, name)
        lines: list[Any] = journal.parse(data)[0]
        return [line for line in lines if mark and line.get("mark") == mark and isinstance(line.get("kind"), str)]

    def _make_private(self, name: str) -> None:
        """Make a file that only this user may read, unless there is one: a write in place keeps its rights."""
        files.make_folder(self.folder)
        files.create(self.path(name))

    def _ends_whole(self, name: str) -> bool:
        """Whether the last line of a file closes a write, or there is no file."""
        data = files.tail(self.path(name), _TAIL)
        if not data:
            return not os.path.exists(self.path(name))
        last = self._parse(name, data.rstrip(b"\n").rpartition(b"\n")[2])
        return data.endswith(b"\n") and bool(last) and last[-1]["kind"] in (READ, DROPPED)

    def _seal(self, name: str, records: Iterable[Record]) -> bytes:
        stamp = {"session": name, "mark": signatures.sign_name(self.environ, name)}
        return b"\n".join(journal.seal({**record, **stamp}) for record in records)


def _make_read(records: Iterable[Record], at: Mapping[str, int], until: str = "") -> Record:
    last = max([until, *(record.get("time", "") for record in records)])
    return {"kind": READ, "time": clock.now(), "at": dict(at), "until": last}


def shorten(name: str, names: Iterable[str]) -> str:
    """Return the beginning of a session's name that no other one has; the name where it is short itself."""
    others = [other for other in names if other != name and other.startswith(name[:SHORT])]
    size = SHORT
    while size < len(name) and any(other.startswith(name[:size]) for other in others):
        size += 1
    return name[:size]
