"""Undo what a command did to text files: their bytes before it are kept under `undo/` with a record.

One folder a change, named after the command and the moment: `record.json`, and a copy of every file that was
there. The record carries this user's mark: one that came with a clone would write any file anywhere.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any, TypedDict

from belay.core import files as core_files
from belay.core import signatures
from belay.core.constants import FILE_BYTES
from belay.core.errors import BelayError
from belay.repository import projects
from belay.safety import trust
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core.paths import Project


class FileCopy(TypedDict, total=False):
    """A file that a command changed: its copy ("" if it did not exist), its digests, and whether it was trusted.

    `later` says what becomes of changes since: "" refuses, "append" keeps what was added at the end (`size`: its bytes
    after the command), "own" leaves a file that Belay writes all the time as it is then.
    """

    path: str
    copy: str
    before: str
    after: str
    trusted: bool
    later: str
    size: int


class UndoRecord(TypedDict, total=False):
    """The record of one change; {} for one without this user's mark."""

    command: str
    files: list[FileCopy]
    more: dict[str, Any]


RECORD_FILE = "record.json"
MOST_RECORDS = 10
"""Changes of one command that can be taken back; older records are removed."""


class NothingToUndo(BelayError):
    """There is no change of this command to take back."""


def begin_record(
    project: Project,
    environ: Mapping[str, str],
    command: str,
    files: list[str],
    coming: Mapping[str, bytes | None] | None = None,
    *,
    later: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """Keep the bytes of files that a command is about to change, absent ones too; return the record's folder.

    Call `finish` with it when they are written. `coming` are the bytes that files will hold (None: it goes), where
    they are known before: then a change that is killed before `finish` can be taken back too. `later` says of files
    what becomes of changes since (`FileCopy`); `more` is whatever else the command needs to take itself back.
    """
    folder = _find_free_folder(project, command)
    core_files.make_folder(folder, 0o700, new=True)
    rows = [_back_up(project, environ, folder, number, path) for number, path in enumerate(files)]
    expected = {project.relative(path): data for path, data in (coming or {}).items()}
    for row, path in zip(rows, files, strict=True):
        row["later"] = (later or {}).get(path, "")
        if row["path"] in expected:
            data = expected[row["path"]]
            row["after"] = trust.digest(data) if data is not None else ""
    _write_record(environ, folder, {"command": command, "files": rows, "more": dict(more or {})})
    for old in _list_records(project, environ, command)[:-MOST_RECORDS]:
        _remove_record(old)
    return folder


def finish_record(
    project: Project, environ: Mapping[str, str], folder: str, *, created: Iterable[str] = (), changed: bool = False
) -> None:
    """Note what the files hold after the change: only that is overwritten by an undo.

    `created` are files that nobody could name before; with `changed`, files that are as they were are forgotten, and
    the record too where none is left.
    """
    record = _open_record(project, environ, folder)
    rows = record.get("files", [])
    rows += [{"path": project.relative(path), "copy": "", "before": "", "later": "own"} for path in created]
    for row in rows:
        path = project.at(row["path"])
        row["after"] = _file_digest(path)
        row["size"] = os.path.getsize(path) if row["after"] else 0
    if changed:
        record["files"] = [row for row in rows if row["after"] != row["before"]]
    _write_record(environ, folder, record)
    if not record.get("files"):
        _remove_record(folder)


def read_last_change(project: Project, environ: Mapping[str, str], command: str) -> UndoRecord:
    """Return the record of the last change of a command, {} where there is none."""
    folders = _list_records(project, environ, command)
    return _open_record(project, environ, folders[-1]) if folders else {}


def undo_last_change(project: Project, environ: Mapping[str, str], command: str) -> list[str]:
    """Put back what the last change of a command found; return the files. The caller holds the lock.

    Raises NothingToUndo, or BelayError where a file was changed since: nothing is put back then.
    """
    folders = _list_records(project, environ, command)
    if not folders:
        raise NothingToUndo(command, "there is nothing to undo")
    record = _open_record(project, environ, folders[-1])
    for row in record["files"]:
        name = make_label(row["path"])
        if row["copy"] and _file_digest(os.path.join(folders[-1], row["copy"])) != row["before"]:
            raise BelayError(name, "cannot be put back: its copy was changed", f"see {folders[-1]}")
        if _leads_out(project, row["path"]) or not _can_restore(project, row):
            raise BelayError(name, "was changed since", f"its earlier text is in {folders[-1]}")
    for row in record["files"]:
        _restore_file(project, environ, folders[-1], row)
    _remove_record(folders[-1])
    return [make_label(row["path"]) for row in record["files"]]


def _back_up(project: Project, environ: Mapping[str, str], folder: str, number: int, path: str) -> FileCopy:
    name = project.relative(path)
    data = core_files.load(path) if os.path.isfile(path) else None
    copy = f"{number:02d}-{os.path.basename(path)}"
    if data is not None:
        core_files.write(os.path.join(folder, copy), data)
    trusted = data is None or trust.is_known(environ, project.root, name, data)
    return {
        "path": name,
        "copy": copy if data is not None else "",
        "before": _file_digest(path),
        "trusted": trusted,
    }


def is_changed_since(project: Project, row: FileCopy) -> bool:
    """Whether a file holds neither what the command found nor what it wrote."""
    return _file_digest(project.at(row["path"])) not in (row["before"], row.get("after"))


def _can_restore(project: Project, row: FileCopy) -> bool:
    """Whether a file holds what the command wrote, or found; or what was done to it since does not matter."""
    return (
        not is_changed_since(project, row)
        or row.get("later") == "own"
        or (row.get("later") == "append" and bool(_find_tail(project, row)))
    )


def _find_tail(project: Project, row: FileCopy) -> bytes:
    """Return what was added to a file since; b"" where that is nothing, or something else was changed."""
    path, size = project.at(row["path"]), row.get("size", 0)
    data = core_files.load(path) if os.path.isfile(path) else b""
    return data[size:] if size and trust.digest(data[:size]) == row.get("after") else b""


def _restore_file(project: Project, environ: Mapping[str, str], folder: str, row: FileCopy) -> None:
    path, tail = project.at(row["path"]), b""
    if row.get("later") == "own" and _file_digest(path) != row.get("after"):
        return
    if row.get("later") == "append":
        tail = _find_tail(project, row)
    if row["copy"] or tail:
        data = (core_files.load(os.path.join(folder, row["copy"])) if row["copy"] else b"") + tail
        core_files.write(path, data)
        if row.get("trusted"):
            trust.record(environ, project.root, row["path"], data)
    elif os.path.lexists(path):
        os.unlink(path)


def _file_digest(path: str) -> str:
    return trust.digest(core_files.read(path)) if os.path.isfile(path) else ""


def _write_record(environ: Mapping[str, str], folder: str, record: UndoRecord) -> None:
    rows: list[FileCopy] = [{**row, "path": make_label(row["path"])} for row in record.get("files", [])]
    labelled: UndoRecord = {**record, "files": rows}
    sealed = {**labelled, "mark": _sign_record(environ, folder, labelled)}
    core_files.write(os.path.join(folder, RECORD_FILE), json.dumps(sealed).encode())


def _read_record(environ: Mapping[str, str], folder: str) -> UndoRecord:
    try:
        record = json.loads(core_files.read(os.path.join(folder, RECORD_FILE), FILE_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    sign = record.pop("mark", "") if isinstance(record, dict) else ""
    return record if sign and sign == _sign_record(environ, folder, record) else {}


def _open_record(project: Project, environ: Mapping[str, str], folder: str) -> UndoRecord:
    """Return a record with the paths that its labels stand for; one whose folder is gone keeps its label."""
    record = _read_record(environ, folder)
    for row in record.get("files", []):
        row["path"] = projects.find_file(project, row["path"]) or row["path"]
    return record


def _sign_record(environ: Mapping[str, str], folder: str, record: UndoRecord) -> str:
    """Return this user's mark of a record with all that it says, in this folder."""
    return signatures.sign_name(environ, f"takeback {os.path.realpath(folder)} {json.dumps(record)}")


def _leads_out(project: Project, name: str) -> bool:
    """Whether a file's folder was replaced by a link out of the project, and out of Belay's own folder, since."""
    folder = os.path.realpath(os.path.dirname(project.at(name)))
    tops = [os.path.realpath(path) for path in (project.root, project.store)]
    return not any(folder == top or folder.startswith(top.rstrip(os.sep) + os.sep) for top in tops)


def _find_free_folder(project: Project, command: str) -> str:
    stamp = time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime())
    number, folder = 1, os.path.join(project.undo, f"{command}-{stamp}")
    while os.path.lexists(folder):
        number += 1
        folder = os.path.join(project.undo, f"{command}-{stamp}-{number:03d}")
    return folder


def _list_records(project: Project, environ: Mapping[str, str], command: str) -> list[str]:
    """Return the folders of a command's records, the oldest first; one without this user's mark is no record."""
    try:
        names = sorted(name for name in os.listdir(project.undo) if name.startswith(command + "-2"))
    except OSError:
        return []
    folders = [os.path.join(project.undo, name) for name in names]
    return [folder for folder in folders if _read_record(environ, folder)]


def _remove_record(folder: str) -> None:
    for name in sorted(os.listdir(folder), key=lambda name: name == RECORD_FILE):
        os.unlink(os.path.join(folder, name))
    os.rmdir(folder)
