"""Reading and writing the notes of a repository: by git's own commands, under one lock for all its work trees.

`git notes append` loses lines when several run at once, and says nothing.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from belay.core import json_codec, lock, paths
from belay.core.errors import BadInput, BelayError
from belay.core.plain_text import shown
from belay.repository import projects
from belay.repository.git import process
from belay.repository.git import status as git_status
from belay.repository.notes import consent, lines
from belay.repository.notes.consent import REF

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
        for ref in (REF, INCOMING):
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
        raise BelayError(ref, f"has over {MOST_NOTES} notes", "look at it: git notes --ref=breadcrumbs list")
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
        _write(project, commit, [*_read_rows(project, commit), *pending, line])
        if pending:
            consent.change(project, environ, _forget_pending)
    return commit


def _keep(record: Record, line: bytes) -> None:
    record["pending"] = [*record.get("pending", []), line.decode("utf-8", "replace")][-16:]


def _forget_pending(record: Record) -> None:
    record["pending"] = []


def _read_rows(project: paths.Project, commit: str) -> list[bytes]:
    blob = process.run(project.root, "notes", f"--ref={REF}", "list", commit, ok=(0, 1)).strip()
    text = process.read_start(project.root, "cat-file", "blob", blob, most=4 * lines.NOTE_BYTES) if blob else ""
    return text.encode("utf-8", "surrogateescape").split(b"\n")


def _write(project: paths.Project, commit: str, rows: list[bytes]) -> None:
    text = lines.join(rows)
    if text:
        run(project, "notes", f"--ref={REF}", "add", "-f", "-F", "-", commit, data=text)
    else:
        run(project, "notes", f"--ref={REF}", "remove", "--ignore-missing", commit)


def prune(project: paths.Project, environ: Mapping[str, str], *, gone: bool = True) -> tuple[int, int]:
    """Remove notes; return how many were of commits that are gone, and how many of the oldest were over the cap.

    In a shallow clone commits are missing that are not gone: there only the cap counts.
    """
    with writing(project):
        notes = list_notes(project)
        shallow = process.run(project.root, "rev-parse", "--is-shallow-repository").strip() == "true"
        lost = {note.commit for note in notes if gone and not shallow} - _list_existing(project, notes)
        left = [note for note in notes if note.commit not in lost]
        over = _list_oldest(project, environ, left)
        data = "".join(f"{commit}\n" for commit in [*lost, *over]).encode()
        if data:
            run(project, "notes", f"--ref={REF}", "remove", "--ignore-missing", "--stdin", data=data)
    return len(lost), len(over)


def _list_existing(project: paths.Project, notes: list[Note]) -> set[str]:
    data = "".join(note.commit + "\n" for note in notes).encode()
    answer = process.run(project.root, "cat-file", "--batch-check=%(objectname)", data=data) if data else ""
    return {line for line in answer.split("\n") if line and " " not in line}


def _list_oldest(project: paths.Project, environ: Mapping[str, str], notes: list[Note]) -> list[str]:
    """Return the commits whose notes are over the cap of all: unreadable ones first, then the oldest ones."""
    total = sum(note.size for note in notes)
    if total <= REF_BYTES:
        return []
    texts = read_notes(project, notes)
    times = {commit: _find_time(environ, commit, text) for commit, text in texts.items()}
    over = []
    for note in sorted(notes, key=lambda note: times.get(note.commit, "")):
        if total <= REF_BYTES:
            break
        total -= note.size
        over.append(note.commit)
    return over


def _find_time(environ: Mapping[str, str], commit: str, text: bytes) -> str:
    return max((row["time"] for row in lines.parse(environ, commit, text)[0]), default="")


def scrub(project: paths.Project, environ: Mapping[str, str], what: str) -> int:
    """Remove every line that holds a text or has an id, and the ref's history with it; return how many lines."""
    with writing(project):
        dropped: set[str] = set()
        for commit, text in read_notes(project, list_notes(project)).items():
            rows = text.split(b"\n")
            bad = [row for row in rows if row.strip() and _holds(row, what)]
            dropped |= {lines.make_id(row) for row in bad}
            if bad:
                _write(project, commit, [row for row in rows if row not in bad])

        def edit(record: Record) -> None:
            waiting = record.get("pending", [])
            record["pending"] = [row for row in waiting if not _holds(row.encode(), what)]
            dropped.update(lines.make_id(row.encode()) for row in waiting if row not in record["pending"])
            record["scrubbed"] = [*dict.fromkeys([*record.get("scrubbed", []), *sorted(dropped)])]

        consent.change(project, environ, edit)
        if dropped:
            _forget_history(project)
    return len(dropped)


def _holds(row: bytes, what: str) -> bool:
    if lines.make_id(row) == what:
        return True
    escaped = json_codec.dumps(what)[1:-1]
    text = row.decode("utf-8", "replace")
    return what in text or escaped in text


def _forget_history(project: paths.Project) -> None:
    """Give the ref one commit without a parent: older ones would still hold what was scrubbed."""
    tip = find_tip(project)
    if tip:
        new = run(project, "commit-tree", "-m", "Notes written by Belay", f"{tip}^{{tree}}").strip()
        run(project, "update-ref", REF, new, tip)
        run(project, "reflog", "expire", "--expire=all", REF, ok=(0, 1, 255))


def drop_scrubbed(project: paths.Project, environ: Mapping[str, str]) -> int:
    """Remove lines that were scrubbed here and came back; return how many. The caller holds the lock."""
    known = {*consent.load(project, environ).get("scrubbed", [])}
    count = 0
    for commit, text in (read_notes(project, list_notes(project)) if known else {}).items():
        rows = text.split(b"\n")
        kept = [row for row in rows if lines.make_id(row) not in known]
        if len(kept) < len(rows):
            _write(project, commit, kept)
            count += len(rows) - len(kept)
    return count
