"""Which project a session belongs to: fixed at its start, whatever folder it works in later.

SessionStart notes the session's work tree down in the user's own folder; the other hooks look there when their folder
is not the one in which the session began. The folder of a start decides, but for one that goes on (resume, compact):
that keeps its project as long as its root exists.
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
    if project and projects.make_label(project.root) == project.root:  # a secret in its name reaches no file
        note = processes.name_client().encode() + b"\n" + os.fsencode(project.root)
        try:
            if files.read(event.binding_file) != note:
                files.write(event.binding_file, note, sync=False)
        except OSError:
            pass  # the later hooks go by the folder in which the client began
    return project


def find_bound(event: Event, here: paths.Project | None) -> paths.Project | None:
    """Return the project of a session whose hook runs in the project `here`: its own one where that still exists.

    Another work tree of its repository is the same project. Without a note it is where the client began, if the
    session has a journal there.
    """
    root = os.fsdecode(files.read(event.binding_file).partition(b"\n")[2])
    begun = event.environ.get("CLAUDE_PROJECT_DIR", "")
    bound = _find(root, event.environ) if os.path.isabs(root) and os.path.isdir(root) else None
    if bound is None and os.path.isdir(begun):
        bound = _find(begun, event.environ)
        if bound and here and not os.path.exists(bound.journal(event.session)):
            bound = None
    if bound is None or (here and here.store == bound.store):
        return here
    return bound


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
