"""What is new in the client's transcripts, and in journals that have none, into the archive: redacted, byte by byte.

A run may be ended after any record; the next one goes on where it stopped.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from belay.client import conversation, transcript_folders
from belay.core import clock, files
from belay.knowledge.conversations import archive
from belay.repository import projects
from belay.repository.git import reflog
from belay.safety.labels import make_label
from belay.safety.redaction import redact
from belay.session import journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from belay.client.conversation import Remark
    from belay.client.transcript_folders import Transcript
    from belay.core.paths import Project
    from belay.knowledge.conversations.archive import Archive, Record

DAYS = 400
"""Sessions that ended earlier are not kept."""
BATCH = 4_000_000
"""Characters that are held before they are written."""
QUIET = 16_000_000
"""Bytes of a transcript after which the place is written, however little was said in them."""
JOURNAL = "journal"
_KINDS = {
    conversation.TYPED: archive.PROMPT, conversation.ANSWER: archive.ANSWER,
    conversation.EDITED: archive.EDITED, conversation.TITLE: archive.TITLE,
}  # fmt: skip
_FIELDS = ("text", "branch", "folder", "commit")


class Collected(NamedTuple):
    """What a run did: sessions that got new text, those of them that had none before, whether some are left."""

    sessions: set[str]
    begun: set[str]
    left: bool = False


def collect(project: Project, kept: Archive, ends: float | None = None) -> Collected:
    """Bring the archive up to the transcripts and journals, the newest session first, until a moment (monotonic)."""
    progress = {name: kept.load_progress(name) for name in kept.list_names()}
    known = {name for name, read in progress.items() if read}
    found = transcript_folders.find_transcripts(project, kept.environ, known)
    oldest = clock.moment() - DAYS * clock.DAY
    work = _Collector(project, kept, ends)
    for one in reversed(found):
        if files.written_at(one.path) < oldest or _is_read(progress.get(one.name), one.key, one.size):
            continue
        if work.is_over():
            return Collected(work.sessions, work.sessions - known, left=True)
        work.read_transcript(one, progress.get(one.name))
    for name in sorted(set(journal.list_sessions(project.journals, oldest)) - {one.name for one in found}):
        if work.is_over():
            return Collected(work.sessions, work.sessions - known, left=True)
        work.read_journal(name, progress.get(name))
    return Collected(work.sessions, work.sessions - known, work.is_left)


def _is_read(read: Record | None, key: str, size: int) -> bool:
    return read is not None and (read["kind"] == archive.DROPPED or read.get("at", {}).get(key, -1) == size)


class _Collector:
    """One run: where it looks up commits, and what it wrote."""

    def __init__(self, project: Project, kept: Archive, ends: float | None) -> None:
        self.kept, self.ends, self.is_left = kept, ends, False
        self.sessions: set[str] = set()
        self.places = _Places(project, kept.environ)

    def is_over(self) -> bool:
        return self.ends is not None and time.monotonic() > self.ends

    def read_transcript(self, one: Transcript, read: Record | None) -> None:
        """Add what a transcript has gained; what the journal alone had said of its session is replaced."""
        at = dict((read or {}).get("at", {}))
        anew = at.pop(JOURNAL, None) is not None
        start, until = at.get(one.key, 0), ""
        if start > one.size:  # it was written anew
            start, until = 0, max((record.get("time", "") for record in self.kept.load(one.name)), default="")
        try:
            for records, place in self._read_batches(one.path, start, until):
                if records or anew or at.get(one.key) != place:
                    at[one.key] = place
                    self._write(one.name, records, at, anew=anew)
                anew = False
                if records:
                    self.sessions.add(one.name)
        except OSError:
            return

    def _read_batches(self, path: str, start: int, until: str) -> Iterator[tuple[list[Record], int]]:
        """Yield records, as many as one write takes, with the byte up to which they were read."""
        records: list[Record] = []
        size, first, last = 0, start, start
        for remark, place in conversation.scan_dialogue(path, start):
            record = self._make_record(remark, until) if remark else None
            if record:
                records.append(record)
                size += len(record.get("text", ""))
            if remark:
                continue
            last = place
            if size > BATCH or last - first > QUIET or self.is_over():
                yield records, last
                records, size, first = [], 0, last
                if self.is_over():
                    self.is_left = True
                    return
        yield records, last

    def _write(self, name: str, records: list[Record], at: Mapping[str, int], *, anew: bool) -> None:
        if anew:
            self.kept.rewrite(name, records, at)
        else:
            self.kept.append(name, records, at)

    def _make_record(self, remark: Remark, until: str) -> Record | None:
        """Return a remark as it is kept; None for what is known, and for what was said in another project."""
        if (until and remark.time <= until) or not self.places.is_inside(remark.folder):
            return None
        is_file = remark.kind == conversation.EDITED
        text = self.places.make_relative(remark.text) if is_file else remark.text
        return self._seal(
            _KINDS[remark.kind], remark.time, text, remark.branch, remark.folder,
            self.places.find_commit(remark.folder, remark.time) if remark.time else "",
        )  # fmt: skip

    def _seal(self, kind: str, when: str, text: str, branch: str, folder: str, commit: str) -> Record:
        record: Any = {"kind": kind, "time": when}
        said = make_label(text) if kind == archive.EDITED else redact(text)
        values = (said, "" if branch == "HEAD" else make_label(branch), make_label(folder), commit)
        record |= {key: value for key, value in zip(_FIELDS, values, strict=True) if value}
        return record  # type: ignore[no-any-return]

    def read_journal(self, name: str, read: Record | None) -> None:
        """Keep what the journal says of a session whose transcript is gone, or was never there."""
        size = sum(os.path.getsize(part) for part in journal.list_segments(self.kept_journal(name)))
        at = (read or {}).get("at", {})
        if read and (read["kind"] == archive.DROPPED or at.get(JOURNAL) == size or JOURNAL not in at):
            return
        own = self.places.sign(name)
        lines = [line for line in journal.read(self.kept_journal(name))[0] if own and line.get("mark") == own]
        records = [self._seal(*fields) for fields in _read_lines(lines)]
        if records:
            self.kept.rewrite(name, records, {JOURNAL: size})
            self.sessions.add(name)

    def kept_journal(self, name: str) -> str:
        return self.places.project.journal(name)


def _read_lines(lines: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, str, str, str, str]]:
    """Yield (kind, time, text, branch, folder, commit) of what a journal says of a conversation."""
    branch = folder = commit = ""
    for line in lines:
        kind, when = line.get("kind"), str(line.get("time", ""))
        if kind in ("start", "prompt"):
            branch, folder = str(line.get("branch", branch)), str(line.get("root", folder))
            commit = str(line.get("head", commit))
        if kind == "commit":
            commit = str(line.get("sha", ""))
        text = _find_text(line)
        if kind == "prompt" and text:
            yield archive.PROMPT, when, text, branch, folder, commit
        elif kind == "said" and text:
            yield archive.ANSWER, when, text, branch, folder, commit
        elif kind == "edit":
            for edited in line.get("files", ()):
                yield archive.EDITED, when, str(edited.get("path", "")), branch, folder, commit


def _find_text(line: Mapping[str, Any]) -> str:
    head, tail = str(line.get("text_head", "")), str(line.get("text_tail", ""))
    if not (head or tail):
        return str(line.get("text", ""))
    return f"{head}\n[… of {line.get('length', 'its')} characters only both ends are kept …]\n{tail}"


class _Places:
    """The folders that sessions worked in: whether they are the project's, and which commit was checked out when."""

    def __init__(self, project: Project, environ: Mapping[str, str]) -> None:
        self.project, self.environ = project, environ
        roots = (project.home, project.root, *projects.worktrees(project.common_dir))
        self.roots = tuple({place for root in roots for place in (root, os.path.realpath(root))})
        self.inside: dict[str, bool] = {}
        self.moves: dict[str, tuple[list[float], list[str]]] = {}

    def sign(self, name: str) -> str:
        from belay.core import signatures

        return signatures.sign_name(self.environ, name)

    def is_inside(self, folder: str) -> bool:
        """Whether a folder is the project's; one that is not named is."""
        if folder not in self.inside:
            paths = (folder, os.path.realpath(folder)) if "\0" not in folder else ()
            self.inside[folder] = not folder or any(
                path == root or path.startswith(root + os.sep) for path in paths for root in self.roots
            )
        return self.inside[folder]

    def make_relative(self, path: str) -> str:
        """Return an edited file's path from the root of its work tree; as it is where that is elsewhere."""
        if "\0" in path:
            return ""
        roots = sorted((root for root in self.roots if path.startswith(root + os.sep)), key=len)
        return path[len(roots[-1]) + 1 :].replace(os.sep, "/") if roots else path

    def find_commit(self, folder: str, when: str) -> str:
        """Return the commit that was checked out in a folder at a time; "" where git's log does not go back so far."""
        if folder not in self.moves:
            found = projects.find(folder, self.environ) if folder and os.path.isdir(folder) else None
            rows = reflog.list_moves(found.git_dir) if found and found.git_dir else []
            self.moves[folder] = ([moment for moment, _ in rows], [commit for _, commit in rows])
        moments, commits = self.moves[folder]
        at = bisect_right(moments, clock.seconds(when) + 1)
        return commits[at - 1] if at else ""
