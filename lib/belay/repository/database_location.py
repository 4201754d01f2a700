"""The place of the knowledge base: the seven rules of seed 001, "Path Resolution Logic", in their order.

1 $WORKSHOP_DB; 2 $WORKSHOP_ROOT/.claude/memory/workshop.db; walking up from the working folder 3 .claude/memory/,
4 .claude-work/memory/, 5 .workshop/ (each a whole walk); 6 the same three from the program's own folder; 7 the
project's own place, where a new one is made (docs/workshop.md).

Walks stay in the project: they end at its root, never enter HOME, and pass over what a link leads out of it.
"""

from __future__ import annotations

import os

from belay.core import paths, plain_text
from belay.core.errors import ForeignText, NotAProject, mend_foreign, mend_foreign_database
from belay.repository import foreign_database, projects
from belay.repository.projects import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from belay.core.paths import Project

DATABASE = "workshop.db"
FOLDERS = (paths.MEMORY, os.path.join(".claude-work", "memory"), ".workshop")
"""Where a folder may hold one: ours, then those of earlier tools."""
WORKSHOP_DB, WORKSHOP_ROOT = "WORKSHOP_DB", "WORKSHOP_ROOT"
VARIABLES = (WORKSHOP_DB, WORKSHOP_ROOT)
NOTICE = "Left alone, because your Belay did not write it: {names}; {mend}."
LEGACY = (4, 5)
"""Rules that find an earlier tool's database: `workshop init` takes it over."""


class Place:
    """A knowledge base's `path`, whether or not the file exists, the `rule` (1 to 7) that gave it, and the project.

    `foreign`: databases that this user's Belay did not make and that are left alone. One may be at `path` itself: then
    the base is where `foreign_database.locate` says.
    """

    __slots__ = ("foreign", "path", "project", "rule")

    def __init__(self, path: str, rule: int, project: Project | None, foreign: tuple[str, ...] = ()) -> None:
        self.path, self.rule, self.project, self.foreign = path, rule, project, foreign

    @property
    def why(self) -> str:
        """The rule in words."""
        return (
            "$WORKSHOP_DB", "$WORKSHOP_ROOT", "found in .claude/memory/", "an earlier tool's, in .claude-work/memory/",
            "an earlier tool's, in .workshop/", "found from the program's own folder", "the project's own place",
        )[self.rule - 1]  # fmt: skip


def find(cwd: str, environ: Mapping[str, str], script: str = "") -> Place:
    """Return the place of the knowledge base of a folder; `script` is the program of rule 6, else Belay's own.

    ForeignText for a variable that leads out of the project and was not accepted; NotAProject in HOME and /.
    """
    project = projects.find(cwd, environ)
    named = _named(project, environ)
    if named:
        if project:
            project.database = named.path
        return named
    if project is None:
        raise NotAProject(cwd, "is your home or the root, not a project", "cd into a project")
    program = os.path.realpath(script or paths.resource("bin", "workshop"))
    home = paths.home_dir(environ)
    for rule, path in _candidates(project, _walk(cwd, project, home), _walk(program, project, home)):
        if os.path.isfile(path) and not leads_out(project, path):
            return Place(path, rule, project)
    if leads_out(project, project.own_workshop):
        raise ForeignText(project.own_workshop, "is a link out of this project", "remove the link")
    return Place(project.own_workshop, 7, project)


def choose(cwd: str, environ: Mapping[str, str], script: str = "") -> Place:
    """Return the place that commands work on: as `find`, with every database passed over that is not this user's.

    The project's own place is never passed over: where a foreign file is in it, the base is beside (docs/workshop.md).
    """
    project = projects.find(cwd, environ)
    named = _named(project, environ)
    if project is None or (named and _is_usable(named, environ)):
        return find(cwd, environ, script)
    foreign = [named.path] if named else []
    program = os.path.realpath(script or paths.resource("bin", "workshop"))
    home = paths.home_dir(environ)
    chosen = Place(project.own_workshop, 7, project)
    for rule, path in _candidates(project, _walk(cwd, project, home), _walk(program, project, home)):
        if os.path.isfile(path) and not leads_out(project, path):
            if path == project.own_workshop or not foreign_database.is_foreign(path, environ):
                chosen = Place(path, rule, project)
                break
            foreign.append(path)
    if chosen.path == project.own_workshop and foreign_database.locate(chosen.path, environ) != chosen.path:
        foreign.append(chosen.path)
    chosen.foreign = tuple(dict.fromkeys(foreign))
    return chosen


def _is_usable(place: Place, environ: Mapping[str, str]) -> bool:
    """Whether what a variable names may be used: what leads out was accepted, what is inside may be a clone's."""
    if place.project is None or leads_out(place.project, place.path):
        return True
    return not foreign_database.is_foreign(place.path, environ)


def list_foreign(project: Project, cwd: str, environ: Mapping[str, str]) -> list[str]:
    """Return every database, from a folder up to the project's root, that is not this user's, the nearest first."""
    places = [path for _, path in _candidates(project, _walk(cwd, project, paths.home_dir(environ)), [])]
    variables = [named(project, environ, name) for name in VARIABLES if environ.get(name)]
    places += [path for path in variables if not leads_out(project, path)]
    return [
        path for path in dict.fromkeys(places)
        if os.path.lexists(path) and (leads_out(project, path) or foreign_database.is_foreign(path, environ))
    ]  # fmt: skip


def claim_notice(
    project: Project, found: Collection[str], environ: Mapping[str, str], *, for_person: bool = False
) -> str:
    """Return one line on databases that are left alone, the first time they are found; "" after that."""
    from belay.safety import shown_notices

    new = [path for path in found if shown_notices.is_new(environ, f"foreign database {path} {_read_size(path)}")]
    names = ", ".join(plain_text.shown(make_label(project.relative(path)), 200) for path in new)
    return describe_left_alone(names, for_person=for_person) if new else ""


def describe_left_alone(names: str, *, for_person: bool = False) -> str:
    """Return the line on databases that are left alone."""
    return NOTICE.format(names=names, mend=mend_foreign_database(for_person=for_person))


def _read_size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def settle(project: Project, environ: Mapping[str, str]) -> Project:
    """Return the project with the knowledge base that the variables name; with its own where that may not be used.

    Hooks and the consolidator ask no working folder: what rules 3 to 6 find is for commands.
    """
    try:
        place = _named(project, environ)
    except ForeignText:
        place = None
    project.database = place.path if place and _is_usable(place, environ) else ""
    return project


def _named(project: Project | None, environ: Mapping[str, str]) -> Place | None:
    """Return what the variables name (rules 1 and 2); a relative path counts from the project's root."""
    for rule, name in enumerate(VARIABLES, 1):
        if environ.get(name):
            path = named(project, environ, name)
            if project and leads_out(project, path) and not accepted(project, environ, name):
                raise ForeignText(
                    f"${name}", f"leads out of this project, to {plain_text.shown(path)}",
                    f"unset it; if you set it, {mend_foreign(name)}",
                )  # fmt: skip
            return Place(os.path.realpath(path) if os.path.islink(path) else path, rule, project)
    return None


def named(project: Project | None, environ: Mapping[str, str], name: str) -> str:
    """Return the database that a variable names, "" where it is not set."""
    value = environ.get(name, "")
    inner = (paths.MEMORY, DATABASE) if name == WORKSHOP_ROOT else ()
    return os.path.abspath(os.path.join(project.root if project else "", value, *inner)) if value else ""


def leads_out(project: Project, path: str) -> bool:
    """Whether a path is outside of the project, its main checkout and its store, links followed."""
    full = os.path.realpath(path)
    roots = (project.root, project.home, project.store)
    return not any(full.startswith(os.path.realpath(root).rstrip(os.sep) + os.sep) for root in roots)


def accepted(project: Project, environ: Mapping[str, str], name: str) -> bool:
    """Whether the user accepted where a variable leads: a repository's settings can set it, too."""
    from belay.safety import trust

    data = os.fsencode(os.path.realpath(named(project, environ, name)))
    return any(trust.is_known(environ, root, f"${name}", data) for root in (project.root, project.home))


def waiting(project: Project, environ: Mapping[str, str]) -> list[str]:
    """Return the variables that lead out of the project and wait to be accepted."""
    return [
        name for name in VARIABLES
        if environ.get(name) and leads_out(project, named(project, environ, name))
        and not accepted(project, environ, name)
    ]  # fmt: skip


def accept(project: Project, environ: Mapping[str, str], name: str) -> bool:
    """Accept where a variable leads now; False where that cannot be kept."""
    from belay.safety import trust

    data = os.fsencode(os.path.realpath(named(project, environ, name)))
    return trust.accept(environ, project.root, f"${name}", data)


def legacy(cwd: str, environ: Mapping[str, str]) -> list[str]:
    """Return the earlier tools' databases that rules 4 and 5 would find, the nearest first."""
    project = projects.find(cwd, environ)
    if project is None:
        return []
    found = _candidates(project, _walk(cwd, project, paths.home_dir(environ)), [])
    return [path for rule, path in found if rule in LEGACY and os.path.isfile(path) and not leads_out(project, path)]


def _candidates(project: Project, below: list[str], program: list[str]) -> Iterator[tuple[int, str]]:
    """Yield (rule, path) of every place that rules 3 to 6 look at, in order."""
    for rule, folder in enumerate(FOLDERS, 3):
        yield from ((rule, os.path.join(at, folder, DATABASE)) for at in below)
        if rule == 3:
            yield rule, project.own_workshop  # a linked worktree's main checkout
    for folder in FOLDERS:
        yield from ((6, os.path.join(at, folder, DATABASE)) for at in program)


def _walk(start: str, project: Project, home: str) -> list[str]:
    """Return a folder and those above it up to the project's root, none where it is outside."""
    folder, found = os.path.realpath(start), []
    while folder != home and (folder == project.root or folder.startswith(project.root + os.sep)):
        found.append(folder)
        folder = os.path.dirname(folder)
    return found
