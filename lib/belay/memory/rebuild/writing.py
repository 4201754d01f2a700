"""Write a reconstructed MEMORY.md: a copy of the old file is kept first, and undo restores it.

A kill at any point leaves MEMORY.md either old or new. The caller holds the lock.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from belay.core import files
from belay.core.errors import BadInput, mend_foreign
from belay.core.paths import Project
from belay.memory import undo
from belay.memory.rebuild import existing_file
from belay.memory.rebuild.existing_file import ExistingFile
from belay.repository import excludes
from belay.safety import trust

COMMAND = "rebuild"


def save_memory(project: Project, environ: Mapping[str, str], text: str, before: ExistingFile) -> str:
    """Write the text; return the folder (from the root) with the old file, "" if there was none.

    Raises BadInput where MEMORY.md must not be replaced, changed since it was looked at, or cannot be written.
    """
    check_replaceable(before)
    path = project.memory_md
    if not existing_file.is_unchanged(project, before):
        raise BadInput("MEMORY.md", "changed meanwhile", "run `belay rebuild` again")
    data = text.encode("utf-8", "replace")
    excludes.write_excludes(project, environ)
    try:
        folder = undo.begin_record(project, environ, COMMAND, [path])
        files.write(path, data)
    except OSError as error:
        raise BadInput(error.filename or path, f"cannot be written: {error.strerror or error}") from error
    # The user confirmed what it says; carried over is only trusted text (`check_existing`).
    trust.record(environ, project.root, project.relative(path), data)
    undo.finish_record(project, environ, folder)
    return os.path.relpath(folder, project.root).replace(os.sep, "/") if before.state != existing_file.ABSENT else ""


def check_replaceable(before: ExistingFile) -> None:
    """Raise BadInput, with a fix, for a MEMORY.md that may not be replaced."""
    if before.state == existing_file.REFUSED:
        raise BadInput("MEMORY.md", before.why, "settle that first")
    if before.state == existing_file.FOREIGN:
        mend = f"{mend_foreign('MEMORY.md')}, and rebuild again"
        raise BadInput("MEMORY.md", "came with a clone and was not accepted", mend)
