"""Which project a session belongs to: fixed at its start, whatever folder it works in later.

SessionStart notes the session's work tree down in the user's own folder; the other hooks look there when their folder
is not the one in which the session began. The folder of a start decides, but for one that goes on (resume, compact):
that keeps its project as long as its root exists. Only the client's own tools move a session to another work tree.
"""

from __future__ import annotations

import os

from belay.client import processes
from belay.client.event import BINDINGS
from belay.core import files, paths
from belay.repository import database_location, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.client.event import Event

PROJECT, SESSION, HOME = "BELAY_PROJECT", "BELAY_SESSION", "BELAY_HOME"
"""Variables of a session's shell: the main checkout of its project, its id, the user's folder."""
_GOES_ON = ("resume", "compact")


def bind(event: Event) -> paths.Project | None:
    """Return the project of a session that starts or goes on, and note it down; None outside of every project."""
    here = _find(event.cwd, event.environ)
    project = find_bound(event, here) if event.source in _GOES_ON else here
    if project:
        _note(event, project)
    return project


def follow(event: Event, project: paths.Project) -> paths.Project | None:
    """Note down another work tree of the project, to which the client itself moved a session; return the one it left.

    None where it moved to no other one.
    """
    here, root = _find(event.cwd, event.environ), _read_root(event)
    if here is None or here.store != project.store or here.root == (root or project.root):
        return None
    _note(event, here)
    return _find(root, event.environ) if os.path.isdir(root) else None


def _read_root(event: Event) -> str:
    """Return the work tree that is noted down for a session, "" for none."""
    root = os.fsdecode(files.read(event.binding_file).partition(b"\n")[2])
    return root if os.path.isabs(root) else ""


def _note(event: Event, project: paths.Project) -> None:
    if projects.make_label(project.root) != project.root:
        return  # a secret in its name reaches no file
    note = processes.name_client().encode() + b"\n" + os.fsencode(project.root)
    try:
        if files.read(event.binding_file) != note:
            files.write(event.binding_file, note, sync=False)
    except OSError:
        return  # the later hooks go by the folder in which the client began


def find_bound(event: Event, here: paths.Project | None) -> paths.Project | None:
    """Return the project of a session whose hook runs in the project `here`: its own one where that still exists.

    It is at the session's work tree, a subagent's at the subagent's. Without a note it is where the client began, if
    the session has a journal there.
    """
    root = _read_root(event)
    bound = _find(root, event.environ) if os.path.isdir(root) else None
    if bound is None:
        bound = _find_begun(event, here)
    is_same = bool(bound and here and here.store == bound.store)
    return here if bound is None or (is_same and (event.is_subagent or not root)) else bound


def _find_begun(event: Event, here: paths.Project | None) -> paths.Project | None:
    begun = event.environ.get("CLAUDE_PROJECT_DIR", "")
    found = _find(begun, event.environ) if os.path.isdir(begun) else None
    return None if found and here and not os.path.exists(found.journal(event.session)) else found


def read_owner(environ: Mapping[str, str], session: str) -> str:
    """Return the client's process of a session as its last start saw it (`processes.name_client`), "" for none."""
    note = files.read(os.path.join(paths.data_home(environ), BINDINGS, session))
    return note.partition(b"\n")[0].decode("ascii", "replace")


def _find(folder: str, environ: Mapping[str, str]) -> paths.Project | None:
    found = projects.find(folder, environ)
    return database_location.settle(found, environ) if found else None


def export(event: Event, project: paths.Project) -> None:
    """Tell the session's shell where it belongs (HOST §1.3: the Bash tool does not get CLAUDE_PLUGIN_*)."""
    target = event.environ.get("CLAUDE_ENV_FILE")
    if not target:
        return
    rows = {
        "BELAY_DATA": paths.plugin_data(event.environ),
        HOME: paths.data_home(event.environ),
        SESSION: event.session,
    }
    if projects.make_label(project.home) == project.home:
        rows[PROJECT] = project.home
    text = "".join(f"export {name}={_quote(value)}\n" for name, value in rows.items())
    try:
        files.append_line(target, text.encode("utf-8", "surrogateescape"), sync=False)
    except OSError:
        pass


def _quote(value: str) -> str:
    return "'" + value.replace("'", "'\\''") + "'"
