"""The client's transcripts of a project: of its checkout, its worktrees, and folders inside them.

The client names a folder after the working directory with every other character made "-", so two projects may share
one: each transcript is asked where its session worked.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.client import conversation, event
from belay.core import files, paths
from belay.repository import projects
from belay.safety.labels import make_label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from belay.core.paths import Project

MOST = 5000
"""Transcripts that are looked at."""


class Transcript(NamedTuple):
    """A transcript: its path, its key (the client's folder and the file), the session's name, its size in bytes."""

    path: str
    key: str
    name: str
    size: int


def find_transcripts(project: Project, environ: Mapping[str, str], known: Collection[str] = ()) -> list[Transcript]:
    """Return the transcripts of a project, the oldest first.

    `known`: sessions of the project; they are not asked again where they worked.
    """
    roots = list(dict.fromkeys([project.home, project.root, *projects.worktrees(project.common_dir)]))
    slugs = {_slug(environ, root): _slug(environ, make_label(root)) for root in roots}
    top = os.path.join(paths.client_dir(environ), "projects")
    found = []
    for folder in files.list_names(top):
        if folder in slugs or folder.startswith(tuple(slug + "-" for slug in slugs)):
            listed = list(_files(top, folder, slugs))
            found += [one for one in listed if one.name in known or _is_of(one.path, roots, folder in slugs)]
    return sorted(found, key=lambda one: (files.written_at(one.path), one.key))[-MOST:]


def find_resume(key: str, folder: str, cwd: str, environ: Mapping[str, str]) -> str:
    """Return the command that takes up the session of a transcript again, from `cwd`; "" where the client cannot.

    The client keeps a transcript 30 days by default, and looks for it below the folder that the session began in,
    `folder` (HOST §5.3).
    """
    place, _, name = key.partition("/")
    session = name.removesuffix(".jsonl")
    there = next((where for where in (cwd, folder) if where and _slug(environ, make_label(where)) == place), "")
    path = os.path.join(paths.client_project(environ, there), name)
    if event.session_name(session) != session or not there or not os.path.isfile(path):
        return ""
    go = "" if there == cwd else f"cd {_quote(there)} && "
    return f"{go}claude --resume {session}" if os.path.isdir(there) else ""


def _quote(text: str) -> str:
    from shlex import quote

    return quote(text)


def _slug(environ: Mapping[str, str], root: str) -> str:
    """Return the name of the client's folder of a root."""
    return os.path.basename(paths.client_project(environ, root))


def _files(top: str, folder: str, slugs: Mapping[str, str]) -> Iterator[Transcript]:
    """Yield the transcripts of one of the client's folders, their keys without the secrets that a root may hold."""
    of = next((slug for slug in slugs if f"{folder}-".startswith(f"{slug}-")), "")
    known = slugs.get(of, "") + folder[len(of) :]
    for name in files.list_names(os.path.join(top, folder)):
        path = os.path.join(top, folder, name)
        if name.endswith(".jsonl") and os.path.isfile(path) and not name.startswith("agent-"):
            yield make_transcript(path)._replace(key=f"{known}/{name}")


def make_transcript(path: str) -> Transcript:
    """Return a transcript by its path, wherever it is; OSError where there is none."""
    folder, name = os.path.split(os.path.abspath(path))
    session = event.session_name(name.removesuffix(".jsonl"))
    return Transcript(path, f"{os.path.basename(folder)}/{name}", session, os.path.getsize(path))


def _is_of(path: str, roots: list[str], named: bool) -> bool:
    """Whether a session worked in one of the roots; where the transcript does not say, its folder's name decides."""
    where = conversation.find_folder(path)
    real = os.path.realpath(where) if where else ""
    inside = any(place == root or place.startswith(root + os.sep) for place in (where, real) for root in roots)
    return inside if where else named
