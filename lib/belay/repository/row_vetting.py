"""Which rows of memory files may be injected, where a file is not known as a whole (docs/trust.md)."""

from __future__ import annotations

from belay.core import files
from belay.core.errors import BelayError
from belay.core.tuples import NamedTuple
from belay.repository import vetting
from belay.safety import trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from belay.core.paths import Project
    from belay.safety.rows.known_rows import NewRow, Sieve


PLAYBOOKS = ".claude/memory/playbooks"
TASKS = "tasks/"
"""A folder that may hold documents of the project too: in it the known names alone are memory files."""
MOST_NESTED = 200
"""Memories of packages that are looked at."""


class Vetted(NamedTuple):
    """Path → text that may be shown, path → number of its rows that wait, and the paths of which nothing is shown.

    A text with rows that wait has blank lines in their places: it is to be read, never to be written.
    """

    texts: dict[str, str]
    waiting: dict[str, int]
    unknown: list[str]


NOTHING = Vetted({}, {}, [])


def read_known(project: Project, environ: Mapping[str, str], paths: list[str]) -> Vetted:
    """Read memory files: of those that are unknown as a whole, the rows that are known."""
    known, unknown = vetting.read_trusted(project, environ, paths)
    partly = [path for path in unknown if trust.has_rows(path)]
    if not partly:
        return Vetted(known, {}, unknown)
    from belay.safety.rows import known_rows

    roots = (project.root, project.home)
    parts = {path: known_rows.keep_known(environ, roots, path, _read(project, path)) for path in partly}
    parts = {path: part for path, part in parts.items() if part.known}
    return Vetted(
        {path: known[path] if path in known else parts[path].text for path in paths if path in known or path in parts},
        {path: part.new for path, part in parts.items() if part.new},
        [path for path in unknown if path not in parts],
    )


def list_candidates(project: Project) -> list[str]:
    """Return all files of a project whose text is judged: also archives, playbooks and memories of its packages."""
    names = vetting.candidates(project)
    names += [name for name in files.list_names(project.root) if _is_archive(name)]
    names += [f"{PLAYBOOKS}/{name}" for name in files.list_names(project.at(PLAYBOOKS)) if name.endswith(".md")]
    return list(dict.fromkeys([*names, *_list_nested(project)]))


def _is_archive(name: str) -> bool:
    return trust.has_rows(name) and name.startswith("MEMORY-ARCHIVE")


def _list_nested(project: Project) -> list[str]:
    """Return the tracked memory files of a monorepo's packages."""
    from belay.repository.git import status

    if not project.git_dir:
        return []
    try:
        return status.list_named(project.root, (*trust.ROW_FILES, f"{trust.ARCHIVE}*.md"))[:MOST_NESTED]
    except BelayError:
        return []


def list_judged(project: Project, names: Iterable[str]) -> list[str]:
    """Return which of some paths are memory files, whose text is judged wherever Claude may read it."""
    candidates = {*list_candidates(project)}
    return [name for name in names if name in candidates or (trust.has_rows(name) and not name.startswith(TASKS))]


def find_new(project: Project, environ: Mapping[str, str], paths: list[str]) -> dict[str, list[NewRow]]:
    """Return path → its rows that are not known, for those files of which rows are judged."""
    sieve = _make_sieve(project, environ)
    return {path: sieve.find_new(path, _read(project, path)) for path in paths if trust.has_rows(path)}


def accept(project: Project, environ: Mapping[str, str], path: str, data: bytes, ids: list[str]) -> bool:
    """Remember that the user accepted some rows of a text (by their ids), or all of it where none is left."""
    from belay.safety.rows import known_rows

    if not known_rows.accept(environ, project.root, path, ids):
        return False
    sieve = _make_sieve(project, environ)
    left = sieve.find_new(path, data.decode("utf-8", "replace"))
    return bool(left) or trust.accept(environ, project.root, path, data)


def keep_known(project: Project, environ: Mapping[str, str], path: str, text: str) -> str:
    """Return of a text that is not in the work tree the rows that are known, "" where there are none."""
    return _make_sieve(project, environ).filter(path, text).text if trust.has_rows(path) else ""


def _make_sieve(project: Project, environ: Mapping[str, str]) -> Sieve:
    from belay.safety.rows.known_rows import Sieve

    return Sieve(environ, (project.root, project.home))


def _read(project: Project, path: str) -> str:
    return files.read(project.at(path)).decode("utf-8", "replace")
