"""The folder whose project a command works on: that of the session that calls before the current one.

A shell of a session knows its project by BELAY_PROJECT (`session/binding`). The variable counts as long as the session
has not ended: a terminal that was opened from it may still have it. A command that would have worked elsewhere says so.
"""

from __future__ import annotations

import os
import sys

from belay.repository import projects
from belay.session import binding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

_FOUND: dict[tuple[str, str, str], str] = {}
"""What was found in this process, so that the line on it is said once."""


def find(environ: Mapping[str, str]) -> str:
    """Return the current folder, or the work tree of the session that calls, where that is another project's."""
    cwd = os.getcwd()
    home = environ.get(binding.PROJECT, "")
    if not os.path.isabs(home) or not os.path.isdir(home):
        return cwd
    key = (cwd, home, environ.get(binding.SESSION, ""))
    if key not in _FOUND:
        _FOUND[key] = _choose(cwd, home, environ)
    return _FOUND[key]


def _choose(cwd: str, home: str, environ: Mapping[str, str]) -> str:
    here, bound = projects.find(cwd, environ), projects.find(home, environ)
    if bound is None or (here and here.store == bound.store):
        return cwd
    root = _find_work_tree(bound, environ)
    if root and here and (here.git_dir or os.path.isdir(here.store)):
        line = f"this session's project is {root}, so not in {here.root}; for that: belay -C {_quote(cwd)} …"
        sys.stderr.write(f"belay: {line}\n")
    return root or cwd


def _find_work_tree(bound: Project, environ: Mapping[str, str]) -> str:
    """Return the work tree of the session that calls, "" where the session is over."""
    name = environ.get(binding.SESSION, "")
    if not name:
        return bound.root
    from belay.client.event import session_name
    from belay.session.session import Session, at_its_work_tree

    session = Session(bound, session_name(name), environ)
    return "" if session.state["ended"] else at_its_work_tree(session).project.root


def _quote(path: str) -> str:
    import shlex

    return shlex.quote(path)


def name_session(environ: Mapping[str, str]) -> str:
    """Return the id of the session that calls, "" from a terminal (HOST §1.3: CLAUDE_CODE_SESSION_ID)."""
    return environ.get("CLAUDE_CODE_SESSION_ID") or environ.get(binding.SESSION, "")


def leave_session(folder: str) -> None:
    """Work in a folder, whatever session calls; OSError where it cannot be entered."""
    os.chdir(folder)
    os.environ.pop(binding.PROJECT, None)
