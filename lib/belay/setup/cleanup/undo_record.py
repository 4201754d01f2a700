"""The undo record of a cleanup: one folder, in it a JSON line before each change, synced; an undo removes it.

Kinds of line (`do`): mkdir {target}; move {pairs: [[from, to], …]}; rmdir {source, mode}; end;
install {work, target, sha, saved: [[from, to], …], then: [[from, to], …]};
ledger {target, batch, fresh}: what comes into the ledger of the knowledge base, `fresh` where there was none.
Each can be carried out twice and taken back. Each carries this user's mark: a record that came with a clone
would move any file anywhere, so lines without the mark count as none.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any, TypedDict

from belay.core import files, signatures
from belay.core.errors import BelayError

NAME = "record.jsonl"
WORK = ".work"


class Done(TypedDict):
    """What every line of the record has: the kind of its change."""

    do: str


class Line(Done, total=False):
    """One line of the record: what is done to which paths, and what its undoing needs."""

    mark: str
    source: str
    target: str
    mode: int
    pairs: list[list[str]]
    work: str
    sha: str
    saved: list[list[str]]
    then: list[list[str]]
    batch: str
    batches: set[str]
    fresh: bool


class Record:
    """The record in one folder; `number` counts the files kept beside it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.mark = signatures.sign_name(os.environ, "cleanup " + os.path.realpath(folder))
        found = _read(os.path.join(folder, NAME)) if self.mark else []
        self.lines = [line for line in found if line.get("mark") == self.mark]
        self.number = _highest(folder)

    @property
    def finished(self) -> bool:
        return bool(self.lines) and self.lines[-1]["do"] == "end"

    def write(self, line: Line) -> Line:
        """Append one line, synced. ASCII escapes keep file names that are not UTF-8 as they are."""
        line = {**line, "mark": self.mark}
        files.append_line(os.path.join(self.folder, NAME), json.dumps(line).encode())
        self.lines.append(line)
        return line

    def place(self, path: str) -> str:
        """Return a free path in the record's folder, named after what will be kept there."""
        readable = re.sub(r"[^A-Za-z0-9._-]", "_", os.path.basename(path))[-60:]
        self.number += 1
        return os.path.join(self.folder, f"{self.number:04d}-{readable}")

    def work(self) -> str:
        """Return a free path for a file that is being made."""
        self.number += 1
        return os.path.join(self.folder, f"{self.number:04d}{WORK}")


def _read(path: str) -> list[Line]:
    lines: list[Any] = []
    for line in files.read(path).splitlines():
        try:
            lines.append(json.loads(line))
        except ValueError:
            continue  # the torn last line of a killed run: what it announced was never begun
    known: list[Any] = [line for line in lines if isinstance(line, dict) and "do" in line]
    return known


def _highest(folder: str) -> int:
    numbers = [int(name[:4]) for name in files.list_names(folder) if name[:4].isdigit()]
    return max(numbers, default=0)


def last(undo: str) -> Record | None:
    """Return the record of this user's last cleanup, None when there is none to take back."""
    for name in reversed(files.list_names(undo)):
        folder = os.path.join(undo, name)
        if os.path.isfile(os.path.join(folder, NAME)) and not os.path.islink(folder):
            record = Record(folder)
            if record.lines:
                return record
    return None


def begin(undo: str, made: list[str]) -> Record:
    """Return a new record; `made` are the folders above it that this cleanup made, the outermost first."""
    folder = _free(os.path.join(undo, time.strftime("%Y-%m-%dT%H%M%SZ", time.gmtime())))
    record = Record(folder)
    if not record.mark:
        raise BelayError(folder, "cannot be marked as this user's", "make Belay's data folder writable")
    files.make_folder(folder, 0o700, new=True)
    for path in [*made, folder]:
        record.write({"do": "mkdir", "target": path})
    return record


def drop_empty(undo: str) -> None:
    """Remove the folders of cleanups that were killed before they wrote a line."""
    for name in files.list_names(undo):
        path = os.path.join(undo, name)
        if os.path.isdir(path) and not os.listdir(path):
            os.rmdir(path)


def _free(folder: str) -> str:
    number, found = 1, folder
    while os.path.lexists(found):
        number += 1
        found = f"{folder}-{number}"
    return found


def missing(folder: str) -> list[str]:
    """Return the folders that making this one will make, the outermost first."""
    found: list[str] = []
    while not os.path.lexists(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return found
