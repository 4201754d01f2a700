"""Undo what a command did to text files: their bytes before it are kept under `undo/` with a record.

One folder a change, named after the command and the moment: `record.json`, and a copy of every file that was
there. The record carries this user's mark: one that came with a clone would write any file anywhere.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, TypedDict

from belay.core import files as core_files
from belay.core import signatures
from belay.core.constants import FILE_BYTES
from belay.core.errors import BelayError
from belay.safety import trust

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project


class FileCopy(TypedDict, total=False):
    """A file that a command changed: its copy ("" if it did not exist), its digests, and whether it was trusted."""

    path: str
    copy: str
    before: str
    after: str
    trusted: bool


class UndoRecord(TypedDict, total=False):
    """The record of one change; {} for one without this user's mark."""

    command: str
    files: list[FileCopy]


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
) -> str:
    """Keep the bytes of files that a command is about to change, absent ones too; return the record's folder.

    Call `finish` with it when they are written. `coming` are the bytes that files will hold (None: it goes), where
    they are known before: then a change that is killed before `finish` can be taken back too.
    """
    folder = _find_free_folder(project, command)
    os.makedirs(folder, mode=0o700)
    rows = [_back_up(project, environ, folder, number, path) for number, path in enumerate(files)]
    later = {project.relative(path): data for path, data in (coming or {}).items()}
    for row in rows:
        if row["path"] in later:
            data = later[row["path"]]
            row["after"] = trust.digest(data) if data is not None else ""
    _write_record(environ, folder, {"command": command, "files": rows})
    for old in _list_records(project, environ, command)[:-MOST_RECORDS]:
        _remove_record(old)
    return folder


def finish_record(project: Project, environ: Mapping[str, str], folder: str) -> None:
    """Note what the files hold after the change: only that is overwritten by an undo."""
    record = _read_record(environ, folder)
    for row in record.get("files", []):
        row["after"] = _file_digest(project.at(row["path"]))
    _write_record(environ, folder, record)


def undo_last_change(project: Project, environ: Mapping[str, str], command: str) -> list[str]:
    """Put back what the last change of a command found; return the files. The caller holds the lock.

    Raises NothingToUndo, or BelayError where a file was changed since: nothing is put back then.
    """
    folders = _list_records(project, environ, command)
    if not folders:
        raise NothingToUndo(command, "there is nothing to take back")
    record = _read_record(environ, folders[-1])
    for row in record["files"]:
        if row["copy"] and _file_digest(os.path.join(folders[-1], row["copy"])) != row["before"]:
            raise BelayError(row["path"], "cannot be put back: its copy was changed", f"see {folders[-1]}")
        if _leads_out(project, row["path"]) or _file_digest(project.at(row["path"])) not in (
            row["before"],
            row.get("after"),
        ):
            raise BelayError(row["path"], "was changed since", f"its earlier text is in {folders[-1]}")
    for row in record["files"]:
        _restore_file(project, environ, folders[-1], row)
    _remove_record(folders[-1])
    return [str(row["path"]) for row in record["files"]]


def _back_up(project: Project, environ: Mapping[str, str], folder: str, number: int, path: str) -> FileCopy:
    name = project.relative(path)
    data = core_files.read(path) if os.path.isfile(path) else None
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


def _restore_file(project: Project, environ: Mapping[str, str], folder: str, row: FileCopy) -> None:
    path = project.at(row["path"])
    if row["copy"]:
        data = core_files.read(os.path.join(folder, row["copy"]))
        core_files.write(path, data)
        if row["trusted"]:
            trust.record(environ, project.root, row["path"], data)
    elif os.path.lexists(path):
        os.unlink(path)


def _file_digest(path: str) -> str:
    return trust.digest(core_files.read(path)) if os.path.isfile(path) else ""


def _write_record(environ: Mapping[str, str], folder: str, record: UndoRecord) -> None:
    sealed = {**record, "mark": _sign_record(environ, folder, record)}
    core_files.write(os.path.join(folder, RECORD_FILE), json.dumps(sealed).encode())


def _read_record(environ: Mapping[str, str], folder: str) -> UndoRecord:
    try:
        record = json.loads(core_files.read(os.path.join(folder, RECORD_FILE), FILE_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    sign = record.pop("mark", "") if isinstance(record, dict) else ""
    return record if sign and sign == _sign_record(environ, folder, record) else {}


def _sign_record(environ: Mapping[str, str], folder: str, record: UndoRecord) -> str:
    """Return this user's mark of a record with all that it says, in this folder."""
    return signatures.sign_name(environ, f"takeback {os.path.realpath(folder)} {json.dumps(record)}")


def _leads_out(project: Project, name: str) -> bool:
    """Whether a file's folder was replaced by a link out of the project since."""
    folder, root = os.path.realpath(os.path.dirname(project.at(name))), os.path.realpath(project.root)
    return folder != root and not folder.startswith(root.rstrip(os.sep) + os.sep)


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
