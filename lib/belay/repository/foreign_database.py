"""Databases that this user's Belay did not make: seen by their first bytes, left as they are, another used instead.

A base of ours has the user's own number in its header (`signatures.make_user_number`). Any other file in the place of
the project's base came with the repository or from another tool. No command waits for it: Belay's base is then in the
repository's own folder, where no clone and no pull writes. The ledger stays the project's, so nothing is lost where
such a file comes or goes.
"""

from __future__ import annotations

import os
import stat

from belay.core import files, paths, signatures
from belay.repository import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAGIC = b"SQLite format 3\0"
HEAD = 100
"""Bytes of the header (sqlite.org/fileformat.html, 1.3): 68 the application id."""
_OWN = os.sep + os.path.join(paths.MEMORY, "workshop.db")
_PREFIXED = 4
"""Version of git's index from which paths are shortened by what they share with the one before (gitformat-index)."""


def is_stamped(head: bytes, environ: Mapping[str, str]) -> bool:
    """Whether a database's header carries this user's number; one without it is a stranger's or an earlier tool's."""
    number = signatures.make_user_number(environ)
    return number > 0 and int.from_bytes(head[68:72], "big") == number


def is_foreign(path: str, environ: Mapping[str, str]) -> bool:
    """Whether something is at a path that this user's Belay did not make; nothing of it is opened but a plain file.

    A file that is empty or no database may be what is left of ours, unless git tracks it. False where no key can be
    read: then nobody can tell.
    """
    if not signatures.make_user_number(environ):
        return False
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return os.path.islink(path)
    if not stat.S_ISREG(mode):
        return True
    if not os.access(path, os.R_OK):
        return False
    head = files.read(path, HEAD)
    if is_stamped(head, environ):
        return False
    return head.startswith(MAGIC) or is_tracked(path, environ)


def is_tracked(path: str, environ: Mapping[str, str]) -> bool:
    """Whether git tracks a file of a work tree, by the bytes of its index; False without git."""
    folder, name = os.path.split(os.path.abspath(path))
    project = projects.find(folder, environ)
    index = projects.read_index(project) if project else b""
    if project is None or int.from_bytes(index[4:8], "big") >= _PREFIXED:
        return os.fsencode(name) in index
    return os.fsencode(project.relative(os.path.join(os.path.realpath(folder), name))) + b"\0" in index


def locate(path: str, environ: Mapping[str, str]) -> str:
    """Return the file in which the base of a place is: the place itself, the spare one where that is taken."""
    if not path.endswith(_OWN) or not (os.path.islink(path) or is_foreign(path, environ)):
        return path
    project = projects.find(path[: -len(_OWN)], environ)
    if project is None or os.path.realpath(os.path.dirname(path)) != os.path.realpath(project.store):
        return path
    is_ours = not paths.leads_out(project.home, path) and not is_foreign(path, environ)
    return path if is_ours else projects.spare_database(project, environ)
