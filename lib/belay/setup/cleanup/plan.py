"""What a cleanup would do, step by step; looks at everything, changes nothing.

Every name is looked at itself, never at what it links to; a repository in a legacy folder is not looked into.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from belay.core.errors import mend_foreign_database
from belay.core.paths import Project
from belay.knowledge.exchange import foreign_contents
from belay.knowledge.store import legacy
from belay.repository import foreign_database, projects
from belay.setup.cleanup.open_files import is_locked
from belay.setup.cleanup.places import (
    LEGACY,
    Item,
    is_database,
    is_folder,
    is_sidecar,
    list_items,
    list_with_sidecars,
    mode,
    name_beside,
)
from belay.setup.cleanup.transfer import has_same_content


class Step(NamedTuple):
    """One step: move, checkpoint, adopt, keep-one, remove, sweep, leave (`again`: a later run may do it)."""

    do: str
    source: str
    target: str
    why: str
    origin: str = ""
    again: bool = False


class Facts(NamedTuple):
    """What was asked beforehand: who has which files open, what git tracks (sorted, from the root)."""

    opened: Mapping[str, str]
    tracked: Sequence[str]


def folders(project: Project) -> list[str]:
    """Return the legacy folders that exist at the project's root, links and files of that name included."""
    return [path for path in map(project.at, LEGACY) if mode(path)]


def plan(project: Project, facts: Facts) -> list[Step]:
    """Return the steps that empty the legacy folders."""
    planner = _Planner(project, facts)
    steps = [step for folder in folders(project) for step in planner.folder(folder)]
    first = next((at for at, step in enumerate(steps) if step.do == "adopt"), -1)
    if (
        first >= 0
        and mode(project.own_workshop)
        and legacy.find_owner(project.own_workshop, os.environ) == legacy.EARLIER
        and not foreign_database.is_tracked(project.own_workshop, os.environ)
    ):
        steps.insert(
            first,
            Step("adopt", project.own_workshop, project.own_workshop, "an earlier tool's file in Belay's place"),
        )
    return steps


def _own(folder: str, project: Project) -> str:
    """Return why a legacy folder is not ours to empty, "" when it is."""
    if os.path.islink(folder):
        return f"a link to {os.readlink(folder)}"
    if not is_folder(folder):
        return "not a folder"
    if projects.is_repository(folder):
        return "a repository of its own"
    for target in (project.store, project.orchestration):
        if os.path.realpath(target) != os.path.abspath(target):
            return f"{project.relative(target)} leads elsewhere through a link"
    return ""


class _Planner:
    """Places one item after the other: `standing` says where the file that a target will get is now, `made` which
    folders will be filled piece by piece."""

    def __init__(self, project: Project, facts: Facts) -> None:
        self.project, self.facts = project, facts
        self.standing: dict[str, str] = {}
        self.made: dict[str, str] = {}

    def folder(self, folder: str) -> list[Step]:
        why = _own(folder, self.project)
        if why:
            return [Step("leave", folder, "", why)]
        origin = os.path.basename(folder).lstrip(".")
        try:
            found = list(list_items(folder, origin, self.project.store, self.project.orchestration))
        except OSError as error:
            return [Step("leave", folder, "", f"cannot be read ({error.strerror})", again=True)]
        steps = [step for item in found for step in self.place(item)]
        return [*steps, self._emptied(folder, steps)]

    def _emptied(self, folder: str, steps: list[Step]) -> Step:
        if any(step.do == "leave" for step in steps):
            return Step("leave", folder, "", "is kept, as it is not empty")
        user = _user(folder, self.facts.opened)
        if user:
            return Step("leave", folder, "", f"{user} is working in it", again=True)
        return Step("remove", folder, "", "when it is empty")

    def place(self, item: Item) -> Iterator[Step]:
        name = os.path.basename(item.source)
        if is_sidecar(name) and mode(item.source[: item.source.rfind(".db") + 3]):
            return
        why = self._obstacle(item.source, name)
        if why:
            yield Step("leave", item.source, "", why, again=item.source in self.facts.opened)
        elif is_database(name) and not is_folder(item.source):
            yield from self._database(item)
        elif is_folder(item.source):
            yield from self._folder(item)
        else:
            yield from self._file(item)

    def _obstacle(self, path: str, name: str) -> str:
        if path in self.facts.opened:
            return f"{self.facts.opened[path]} has it open"
        if is_sidecar(name):
            return "its database is gone"
        if is_folder(path) and projects.is_linked_tree(path):
            return "a work tree of another repository"
        return "" if not is_folder(path) or os.access(path, os.R_OK | os.X_OK) else "cannot be read"

    def _file(self, item: Item) -> Iterator[Step]:
        there = self._stands(item.target)
        if not there:
            yield self._step("move", item, "")
        elif has_same_content(item.source, there):
            yield self._step("keep-one", item, "the same content is there already")
        else:
            yield from self._file(self._renamed(item))

    def _folder(self, item: Item) -> Iterator[Step]:
        there = self._stands(item.target)
        closed = projects.is_repository(item.source)
        if there and (closed or not is_folder(there)):
            yield from self._folder(self._renamed(item))
        elif there or not (closed or self._in_one(item)):
            self.made.setdefault(item.target, item.source)
            for name in sorted(os.listdir(item.source)):
                path = os.path.join(item.source, name)
                yield from self.place(Item(path, os.path.join(item.target, name), item.origin))
        else:
            yield self._step("move", item, "")

    def _in_one(self, item: Item) -> bool:
        """Whether one rename can move a folder: one device, nothing open in it, no database, all readable."""
        device = os.lstat(_nearest(item.target)).st_dev
        if any(path.startswith(item.source + os.sep) for path in self.facts.opened):
            return False
        refused: list[OSError] = []
        for folder, inner, files in os.walk(item.source, onerror=refused.append):
            if os.lstat(folder).st_dev != device or any(is_database(name) or is_sidecar(name) for name in files):
                return False
            inner[:] = [name for name in inner if not projects.is_repository(os.path.join(folder, name))]
        return not refused

    def _database(self, item: Item) -> Iterator[Step]:
        there = self._stands(item.target)
        why = self._unfit(item.source) or self._unaccepted(item)
        if why:
            yield Step("leave", item.source, "", why, again="in use" in why)
        elif item.target == self.project.own_workshop and not (there and self._closed(there)):
            yield self._step("adopt", item, "its entries go into the knowledge base")
        elif not there:
            logged = len(list_with_sidecars(item.source)) > 1
            yield self._step("checkpoint" if logged else "move", item, "its log is merged in" if logged else "")
        elif len(list_with_sidecars(item.source)) == 1 and has_same_content(item.source, there):
            yield self._step("keep-one", item, "the same content is there already")
        elif self._busy(there):
            yield Step("leave", item.source, "", f"{self.project.relative(there)} is in use", again=True)
        else:
            yield from self._database(self._renamed(item))

    def _unaccepted(self, item: Item) -> str:
        """Return why the entries of a database stay where they are, "" where git does not track it."""
        if item.target != self.project.own_workshop or not self._is_tracked(item.source):
            return ""
        digest = foreign_contents.read_digest(item.source)
        if foreign_contents.is_accepted(self.project, os.environ, item.source, digest):
            return ""
        return f"came with the repository; {mend_foreign_database()}"

    def _is_tracked(self, path: str) -> bool:
        return _known(self.facts.tracked, self.project.relative(path))

    def _closed(self, there: str) -> str:
        """Return why nothing can go into the existing base, "" where it can."""
        owner = legacy.find_owner(there, os.environ)
        is_foreign = not owner or (owner != legacy.OWN and foreign_database.is_tracked(there, os.environ))
        return self._unfit(there) or ("is not this user's" if is_foreign else "")

    def _unfit(self, path: str) -> str:
        return self._busy(path) or legacy.find_trouble(path)

    def _busy(self, path: str) -> str:
        users = [self.facts.opened[part] for part in list_with_sidecars(path) if part in self.facts.opened]
        return f"is in use by {users[0]}" if users else "is in use (locked)" if is_locked(path) else ""

    def _stands(self, target: str) -> str:
        """Return where the file that a target has, or will get, is now; "" when the place is free."""
        if target in self.made:
            return self.made[target]
        prefix = target
        while prefix != os.path.dirname(prefix):
            if prefix in self.standing:
                path = self.standing[prefix] + target[len(prefix) :]
                return path if mode(path) else ""
            prefix = os.path.dirname(prefix)
        return target if mode(target) else ""

    def _step(self, do: str, item: Item, why: str) -> Step:
        if do in ("move", "checkpoint"):
            self.standing[item.target] = item.source
        notes = [
            why or _reason(item, self.project),
            "tracked by git: stage the old and the new path" if self._is_tracked(item.source) else "",
        ]
        return Step(do, item.source, item.target, "; ".join(note for note in notes if note), item.origin)

    def _renamed(self, item: Item) -> Item:
        """Return the item under the first readable second name that is free, or holds the same already."""
        folder, name = os.path.split(os.path.join(os.path.dirname(item.target), os.path.basename(item.source)))
        number = 1
        while True:
            target = os.path.join(folder, name_beside(name, item.origin, number))
            there = self._stands(target)
            if not there or has_same_content(item.source, there):
                return item._replace(target=target)
            number += 1


def _reason(item: Item, project: Project) -> str:
    if os.path.basename(item.target) != os.path.basename(item.source):
        return "that name is taken"
    return "knowledge" if item.target.startswith(project.store + os.sep) else "orchestration"


def _known(tracked: Sequence[str], path: str) -> bool:
    """Whether git tracks the path or something below it."""
    for wanted in (path, path + "/"):
        place = bisect_left(tracked, wanted)
        if place < len(tracked) and (tracked[place] == path or tracked[place].startswith(path + "/")):
            return True
    return False


def _nearest(path: str) -> str:
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def _user(folder: str, opened: Mapping[str, str]) -> str:
    return next((who for path, who in opened.items() if path == folder or path.startswith(folder + os.sep)), "")


def places(project: Project) -> list[str]:
    """Return the paths at or below which an open file matters."""
    return [*folders(project), *list_with_sidecars(project.own_workshop)]
