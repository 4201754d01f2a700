"""One line of a memory file replaced by what the check proposes, with an undo."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core.errors import BadInput, BelayError
from belay.memory import memory_files, undo
from belay.memory.document import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.places.checks.findings import Finding

COMMAND = "memory-check"


def find_correction(found: list[Finding], place: str) -> Finding:
    """Return the finding at "path:line" that has a proposed text; BadInput where there is none."""
    path, _, line = place.rpartition(":")
    rows = [row for row in found if row.path == path and str(row.line) == line]
    if not rows:
        raise BadInput(place, "nothing is wrong there, or it is no place of a memory file", "belay memory check")
    fixable = next((row for row in rows if row.proposed), None)
    if fixable is None:
        raise BadInput(place, f"{rows[0].why}, and what it should say is not certain", f"edit it: {rows[0].advice}")
    return fixable


def correct(project: Project, environ: Mapping[str, str], row: Finding) -> str:
    """Write the proposed line in the place of the old one; return what was written."""
    path = os.path.join(project.root, row.path)
    with memory_files.lock_memory(project):
        record = undo.begin_record(project, environ, COMMAND, [path])
        saved = memory_files.change_file(project, environ, path, lambda old: _replace_line(old, row))
        undo.finish_record(project, environ, record, changed=True)
    if saved.why:
        raise BelayError(row.path, saved.why, "repair the file and try again")
    return row.proposed


def _replace_line(text: str, row: Finding) -> str:
    lines = page.split_lines(text)
    old = lines[row.line - 1]
    lines[row.line - 1] = row.proposed + old[len(old.rstrip("\r\n")) :]
    return "".join(lines)
