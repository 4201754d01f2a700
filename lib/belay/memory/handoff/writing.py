"""Write HANDOFF.md: an edited file is replaced only with --force, and undo restores the old one.

The caller holds the lock.
"""

from __future__ import annotations

from collections.abc import Mapping

from belay.core import files
from belay.core.errors import BadInput
from belay.core.paths import Project
from belay.memory import memory_files, undo
from belay.memory.handoff import document
from belay.repository import excludes

COMMAND = "handoff"
NAME = "HANDOFF.md"


def save_handoff(project: Project, environ: Mapping[str, str], text: str, force: bool = False) -> bool:
    """Write the file; False where it holds this text already.

    Raises BadInput where it was edited since Belay wrote it (`force` writes all the same) or must not be touched.
    """
    path = project.at(NAME)
    why = memory_files.explain_refusal(project, path)
    if why:
        raise BadInput(NAME, why, "settle that first")
    old = memory_files.read_text(path)
    if old == text:
        return False
    if old.strip() and not document.is_unedited(old) and not force:
        raise BadInput(
            NAME,
            "was written or edited by hand",
            "keep it, or use --force (`belay handoff --undo` takes it back)",
        )
    excludes.write_excludes(project, environ)
    try:
        folder = undo.begin_record(project, environ, COMMAND, [path])
        files.write(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise BadInput(error.filename or path, f"cannot be written: {error.strerror or error}") from error
    undo.finish_record(project, environ, folder)
    return True
