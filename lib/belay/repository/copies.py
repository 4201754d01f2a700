"""Whether new rows of a memory file were copied: from a file beside the project, or by a patch in it or beside it.

Git knows nothing of `cp` and `git apply`, but what they copied is often still there (docs/trust.md).
"""

from __future__ import annotations

import os

from belay.core import files, paths
from belay.safety import trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from belay.core.paths import Project
    from belay.safety.trust import TrustStore

_ENTRIES = 1000
"""Names in a folder that are looked at."""
_FILES = 100
_BYTES = 1024 * 1024
_PATCHES = (".patch", ".diff", ".mbox", ".eml")
_TEXTS = (".md", ".txt")
_TELLING = 16
"""Letters of a row below which nothing is said of where it is from."""


def is_refused_elsewhere(store: TrustStore, root: str, path: str, data: bytes) -> bool:
    """Whether this very text is unknown in another project of this user, or at another path, and known nowhere."""
    sha = trust.digest(data)
    entries = [
        (entry, (project, name) == (root, path))
        for project, about in store.get("projects", {}).items()
        for name, entry in about.get("files", {}).items()
    ]
    is_known = any(sha in entry.get("hashes", {}) for entry, _ in entries)
    return not is_known and any(sha in trust.list_refused(entry) for entry, is_here in entries if not is_here)


def is_copied(project: Project, store: TrustStore, path: str, lines: Mapping[str, float]) -> bool:
    """Whether a file that could be copied or applied has one of the new lines of a memory file.

    `lines` says when each was there (seconds since 1970); a file that was written later was copied from ours.
    """
    template = paths.resource("templates", "MEMORY.md")
    usual = {line.strip() for line in files.read(template).decode().splitlines()}
    telling = {line: time for line, time in lines.items() if len(line) >= _TELLING and line not in usual}
    return bool(telling) and any(_has_line(store, root, name, telling) for root, name in _list_sources(project, path))


def _has_line(store: TrustStore, root: str, name: str, lines: Mapping[str, float]) -> bool:
    full = os.path.join(root, name)
    written = files.written_at(full)
    older = {line for line, time in lines.items() if written <= time}
    data = files.read(full, _BYTES) if older else b""
    if not data or trust.is_trusted(store, root, name, trust.digest(data)):
        return False
    marks = "+ " if name.endswith(_PATCHES) else ""
    return not older.isdisjoint(line.lstrip(marks).strip() for line in data.decode("utf-8", "replace").splitlines())


def _list_sources(project: Project, path: str) -> Iterator[tuple[str, str]]:
    """Yield (folder, path) of the files that may be what was copied: not those of this project's own work trees."""
    from belay.repository import projects

    root, parent = project.root, os.path.dirname(project.root)
    own = {root, project.home, *projects.worktrees(project.common_dir)}
    beside = [os.path.join(parent, name) for name in files.list_names(parent)[:_ENTRIES]]
    found = [(folder, path) for folder in beside if folder not in own]
    found += [(parent, os.path.basename(file)) for file in beside if file.endswith((*_PATCHES, *_TEXTS))]
    found += [(root, name) for name in files.list_names(root)[:_ENTRIES] if name.endswith(_PATCHES)]
    here = [(folder, name) for folder, name in found if os.path.isfile(os.path.join(folder, name))]
    yield from here[:_FILES]
