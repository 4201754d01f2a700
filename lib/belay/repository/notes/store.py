"""Reading and writing the notes of a repository: by git's own commands, under one lock for all its work trees.

`git notes append` loses lines when several run at once, and says nothing.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from belay.core import lock, paths
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import shown
from belay.repository import projects
from belay.repository.git import process
from belay.repository.git import status as git_status
from belay.repository.notes import binding, consent, lines
from belay.repository.notes.consent import REF, REFS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from belay.repository.notes.consent import Record
    from belay.repository.notes.lines import Found

INCOMING = "refs/notes/belay-incoming"
"""Where a pull puts the remote's notes until they are joined."""
DEADLINE = 20.0
"""Seconds that a writer waits for the others; no hook waits for it."""
REF_BYTES = 4 * 1024 * 1024
"""The most that all notes together may have; `prune` drops the oldest ones."""
MOST_NOTES = 20_000
_READ_BYTES = 16 * 1024 * 1024
_OPTIONS = tuple(
    part
    for pair in (
        "user.name=Belay", "user.email=belay@localhost", "author.name=Belay", "author.email=belay@localhost",
        "committer.name=Belay", "committer.email=belay@localhost", "commit.gpgSign=false", "push.gpgSign=false",
        "core.logAllRefUpdates=false", "i18n.commitEncoding=utf-8", "gc.auto=0", "maintenance.auto=false",
    )
    for part in ("-c", pair)
)  # fmt: skip


class Note(NamedTuple):
    """A note: the commit it is of, its blob, and the bytes of that."""

    commit: str
    blob: str
    size: int


@contextmanager
def writing(project: paths.Project) -> Iterator[None]:
    """Hold the lock of the repository's notes. Raises LockTimeout, OSError, or BadInput without a repository."""
    folder = projects.own_folder(project)
    if not folder:
        raise BadInput(project.root, "has no git repository that can keep notes", "run it in a git work tree")
    with lock.hold(os.path.join(folder, "notes.lock"), DEADLINE):
        for ref in (*REFS, INCOMING):
            _refuse_pointer(project, ref)
        yield


def _refuse_pointer(project: paths.Project, ref: str) -> None:
    """Refuse a ref that only points to another one: a repository that came as an archive may aim it at a branch."""
    target = process.run(project.root, "symbolic-ref", "-q", ref, ok=(0, 1, 128)).strip()
    if target:
        raise BelayError(ref, f"points to {shown(target)}", f"git symbolic-ref --delete {ref}")


def run(project: paths.Project, *args: str, data: bytes = b"", ok: tuple[int, ...] = (0,)) -> str:
    """Return what a git command prints that writes notes: own identity, no hooks, no signing, no reflog."""
    return process.run(project.root, *_OPTIONS, *args, data=data, ok=ok)


def list_notes(project: paths.Project, ref: str = REF) -> list[Note]:
    """Return every note of a ref; [] without the ref. Raises BelayError where there are too many."""
    if not find_tip(project, ref):
        return []
    answer = process.read_all(project.root, "notes", f"--ref={ref}", "list", seconds=process.TIMEOUT)
    rows = [line.split(" ") for line in answer.split("\n") if line]
    pairs = [(row[1], row[0]) for row in rows if len(row) == 2]
    if len(pairs) > MOST_NOTES:
        raise BelayError(ref, f"has over {MOST_NOTES} notes", f"look at it: git notes --ref={ref} list")
    sizes = git_status.find_sized_blobs(project.root, [blob for _, blob in pairs])
    return [Note(commit, blob, size) for (commit, blob), (sha, size) in zip(pairs, sizes, strict=True) if sha]


def find_tip(project: paths.Project, ref: str = REF) -> str:
    """Return the commit of a ref, "" without one."""
    return process.run(project.root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", ok=(0, 1)).strip()


def read_notes(project: paths.Project, notes: Iterable[Note]) -> dict[str, bytes]:
    """Return commit → text of notes; those over twice the cap are left out, and all after 16 MiB."""
    wanted, total = [], 0
    for note in notes:
        total += note.size if note.size <= 2 * lines.NOTE_BYTES else 0
        if note.size <= 2 * lines.NOTE_BYTES and total <= _READ_BYTES:
            wanted.append(note)
    bodies = git_status.read_blobs(project.root, [note.blob for note in wanted]) if wanted else []
    return {note.commit: body for note, body in zip(wanted, bodies, strict=True)}


def read_breadcrumbs(project: paths.Project, environ: Mapping[str, str]) -> tuple[list[Found], int, int]:
    """Return the breadcrumbs, the newest first; how many lines are none; how many notes are too large to read."""
    notes = list_notes(project)
    texts = read_notes(project, notes)
    found: list[Found] = []
    broken = 0
    for commit, text in texts.items():
        rows, bad = lines.parse(environ, commit, text)
        found += rows
        broken += bad
    unique = {row["id"] + row["commit"]: row for row in found}
    own = [row for row in unique.values() if row["own"]]
    for row, is_of_here in zip(own, binding.check(project, [(row["head"], row["root"]) for row in own]), strict=True):
        row["own"] = is_of_here
    return sorted(unique.values(), key=lambda row: row["time"], reverse=True), broken, len(notes) - len(texts)


def append(project: paths.Project, environ: Mapping[str, str], line: bytes) -> str:
    """Append a line to the note of HEAD; return the commit, "" where it waits for the first one.

    Lines that waited go with it. Raises BelayError or OSError.
    """
    with writing(project):
        commit = projects.head(project.git_dir, project.common_dir)[1]
        if not commit:
            consent.change(project, environ, lambda record: _keep(record, line))
            return ""
        pending = [row.encode() for row in consent.load(project, environ).get("pending", [])]
        write(project, commit, [*_read_rows(project, commit), *pending, line])
        if pending:
            consent.change(project, environ, _forget_pending)
    return commit


def _keep(record: Record, line: bytes) -> None:
    record["pending"] = [*record.get("pending", []), line.decode("utf-8", "replace")][-16:]


def _forget_pending(record: Record) -> None:
    record["pending"] = []


def read_rows(project: paths.Project, ref: str) -> dict[str, list[bytes]]:
    """Return commit → lines of all notes of a ref, those left out that are too large to read."""
    texts = read_notes(project, list_notes(project, ref))
    return {commit: [row for row in text.split(b"\n") if row.strip()] for commit, text in texts.items()}


def _read_rows(project: paths.Project, commit: str) -> list[bytes]:
    blob = process.run(project.root, "notes", f"--ref={REF}", "list", commit, ok=(0, 1)).strip()
    text = process.read_start(project.root, "cat-file", "blob", blob, most=4 * lines.NOTE_BYTES) if blob else ""
    return text.encode("utf-8", "surrogateescape").split(b"\n")


def write(project: paths.Project, commit: str, rows: Iterable[bytes], ref: str = REF) -> None:
    """Write the note of a commit; without lines it goes. The caller holds the lock."""
    text = lines.join(rows)
    if text:
        run(project, "notes", f"--ref={ref}", "add", "-f", "-F", "-", commit, data=text)
    else:
        run(project, "notes", f"--ref={ref}", "remove", "--ignore-missing", commit)
