"""`.breadcrumbs.yaml` in the project's root: the calibration, in a marked block; every other byte is the user's.

Belay never reads the numbers back: what a clone brings there changes nothing. A file that git tracks is left alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core import files
from belay.repository import excludes, foreign_database

if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.knowledge.session_records.calibration import Calibration

NAME = ".breadcrumbs.yaml"
_NOTE = b"# Belay writes this block again after each rated session (belay uninstall takes it away)."


def find_path(project: Project) -> str:
    """Return the path of the file: in the main checkout, which all work trees share."""
    return os.path.join(project.home, NAME)


def update(project: Project, environ: Mapping[str, str], found: Calibration | None) -> bool:
    """Write the block, or take it away where there is no calibration; return whether the file changed."""
    if found is None:
        return remove(project)
    path = find_path(project)
    old = _read(path)
    if old is None or foreign_database.is_tracked(path, environ):
        return False
    new = excludes.block(old, _render(found))
    if new == old or not excludes.write_excludes(project, environ):
        return False
    files.write(path, new, sync=False)
    return True


def remove(project: Project) -> bool:
    """Take the block away, and the file where it held nothing else; return whether there was one."""
    path = find_path(project)
    old = _read(path)
    new = excludes.without(old) if old else b""
    if not old or new == old:
        return False
    if new.strip():
        files.write(path, new, sync=False)
    else:
        files.remove(path)
    return True


def has_block(project: Project) -> bool:
    """Whether the file holds a block of ours."""
    old = _read(find_path(project))
    return bool(old) and excludes.without(old or b"") != old


def _read(path: str) -> bytes | None:
    """Return a file's bytes, b"" where there is none, None where it is not to be touched."""
    if not os.path.lexists(path):
        return b""
    return None if files.explain_refusal(path) else files.load(path)


def _render(found: Calibration) -> tuple[bytes, ...]:
    rows = (
        "belay:",
        "  calibration:",
        f"    sessions: {found.sessions}",
        f"    mean_stated: {found.stated:.2f}",
        f"    mean_achieved: {found.achieved:.2f}",
        f"    bias: {found.bias:.2f}",
        f"    brier: {found.brier:.3f}",
        f"    clear: {'true' if found.is_clear else 'false'}",
        f"  bias_correction: {found.correction or 0:.2f}",
    )
    return (_NOTE, *(row.encode() for row in rows))
