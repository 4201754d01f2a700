"""What Belay keeps outside projects, and taking it away again."""

from __future__ import annotations

import os
import shutil

from belay.core import environment, files, paths
from belay.knowledge.vectors import piece_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BUILT = ("env", "python", "setup.log", "setup.lock", "setup.failed", "pieces.log", "pieces.failed", "wheel")
_DERIVED = (
    "told", "mirror", "measure", "bindings", "learned.json", "workspace.db", "workspace.db-journal",
    "workspace.db.lock", "global", "belay.log", "belay.log.old", "locks",
)  # fmt: skip


def list_removed(environ: Mapping[str, str]) -> list[str]:
    """Return the files and folders that an uninstall removes, the environment first; only what exists.

    The plugin's own folder is the last, where nothing else is in it.
    """
    found = [venv for folder in _folders(environ) for venv in _venv(folder)]
    found += [os.path.join(folder, name) for folder in _folders(environ) for name in _BUILT]
    found += [os.path.join(paths.data_home(environ), name) for name in _DERIVED]
    found += piece_table.list_files(environ)
    there = [path for path in found if os.path.lexists(path)]
    own = paths.plugin_data(environ)
    is_ours = os.path.isdir(own) and own != paths.data_home(environ)
    return [*there, own] if is_ours and not set(_entries(own)) - set(there) else there


def _entries(folder: str) -> list[str]:
    """Return the paths of what a folder holds, in order of name; [] where it cannot be read."""
    return [os.path.join(folder, name) for name in files.list_names(folder)]


def list_kept(environ: Mapping[str, str]) -> list[str]:
    """Return what an uninstall keeps in the user's own folder and the plugin's, such as trust, key and backups.

    A later install recognises its own records by it.
    """
    taken = set(list_removed(environ))
    folders = dict.fromkeys((paths.data_home(environ), paths.plugin_data(environ)))
    return [path for folder in folders for path in _entries(folder) if path not in taken]


def remove_path(path: str, own: str = "") -> str:
    """Remove a file, link or folder tree, `own` only if empty; return "" or why it could not be removed."""
    try:
        if path == own:
            os.rmdir(path)
        elif os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _folders(environ: Mapping[str, str]) -> list[str]:
    """Return where an environment may lie: the plugin's folder, the user's own, the one pointed to."""
    found = [paths.plugin_data(environ), paths.data_home(environ)]
    pointed = environment.read(environment.pointer(environ))
    home = os.path.dirname(os.path.dirname(pointed.python)) if pointed else ""
    if os.path.basename(home) == "venv" and os.path.isfile(os.path.join(os.path.dirname(home), "env")):
        found.append(os.path.dirname(home))
    return list(dict.fromkeys(found))


def _venv(folder: str) -> list[str]:
    """Return the folder's environment, if that is what it is."""
    path = os.path.join(folder, "venv")
    return [path] if os.path.isfile(os.path.join(path, "pyvenv.cfg")) else []
