"""The memory files beside a project's code, from the root down, and the folders that each of them speaks of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.knowledge.documents import walk
from belay.places import foreign_folders
from belay.places.foreign_folders import CONTAINERS
from belay.repository.survey.places import is_code

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "CLAUDE.md"
ORCHESTRATION = ".orchestre/CLAUDE.md"
RULES = ".claude/rules/"
ROOT_PLACES = (NAME, ".claude/CLAUDE.md")
"""Where the client reads a project's own memory (HOST §4)."""
SHARED = frozenset("components component ui widgets".split())
"""Folders of components that several features use (seed 000: "Component patterns memory")."""
NESTING = frozenset("src app lib source pages routes server client api core".split())
"""Folders that hold features where the project has no container for them: `src/auth`, `app/billing`."""
FINE = frozenset("features feature modules module domains domain slices areas verticals".split())
"""Containers whose folders are single features, and not whole programs as in `apps`."""
INNER = frozenset("internal cmd pkg lib".split())
"""Containers that also are the inside of a program."""
TESTS = frozenset("tests test __tests__ e2e spec specs".split())
TECHNICAL = frozenset(
    "models schemas utils util helpers hooks types tests test __tests__ e2e routers controllers handlers middleware "
    "middlewares migrations styles assets public static i18n locales constants config interfaces shared common "
    "composables stores store context contexts providers layouts icons scripts tools generated docs examples".split()
)
"""Folders that hold one layer of every feature, and so are none."""

ROOT, ORCHESTRATED, FEATURE, COMPONENT, RULE = "root", "orchestration", "feature", "component", "rule"
_ORDER = (ROOT, ORCHESTRATED, RULE, FEATURE, COMPONENT)


class MemoryPlace(NamedTuple):
    """A memory file: its path and the folder that it speaks of, both from the root, "" for the root itself.

    `level` is root, orchestration, feature, component or rule. `owner` says whose it is if not the project's.
    """

    path: str
    level: str
    folder: str
    owner: str = ""


class Hierarchy(NamedTuple):
    """A project's memory files in the order of reading, those that are others', and all files of the project."""

    root: str
    places: list[MemoryPlace]
    foreign: list[MemoryPlace]
    names: frozenset[str]

    def find(self, path: str) -> MemoryPlace | None:
        """Return the memory file at a path, None where there is none of the project's own."""
        return next((place for place in self.places if place.path == path), None)

    def list_above(self, path: str) -> list[MemoryPlace]:
        """Return the memory that holds for a path: the root's, the orchestration's, those of the folders on the way."""
        return [place for place in self.places if place.level != RULE and is_within(path, place.folder)]


def read(root: str) -> Hierarchy:
    """Return the hierarchy of a project: what git tracks or would, and what it ignores right beside such files."""
    names = frozenset(walk.list_names(root))
    found = [_classify(path, foreign_folders.find_owner(root, path, names)) for path in _find_paths(root, names)]
    found.sort(
        key=lambda place: (
            _ORDER.index(place.level),
            place.folder.count("/"),
            place.folder,
            place.path != NAME,
            place.path,
        )
    )
    own = [place for place in found if not place.owner]
    return Hierarchy(root, _without_links(root, own), [place for place in found if place.owner], names)


def _order(place: MemoryPlace) -> tuple[object, ...]:
    return _ORDER.index(place.level), place.folder.count("/"), place.folder, place.path.count("/"), place.path


def _find_paths(root: str, names: frozenset[str]) -> list[str]:
    """Return the paths of the memory files and rules; one that git ignores counts where it has tracked neighbours."""
    listed = {name for name in names if _is_memory(name)}
    folders = {folder for name in names for folder in _list_parents(name)} | {"", ".orchestre", ".claude"}
    beside = {f"{folder}/{NAME}".lstrip("/") for folder in folders}
    rules = [RULES + name for name in files.list_names(os.path.join(root, RULES)) if name.endswith(".md")]
    return [path for path in {*listed, *beside, *rules} if os.path.isfile(os.path.join(root, path))]


def _is_memory(name: str) -> bool:
    return name == NAME or name.endswith("/" + NAME) or (name.startswith(RULES) and name.endswith(".md"))


def _list_parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name


def _classify(path: str, owner: str) -> MemoryPlace:
    if path in ROOT_PLACES:
        return MemoryPlace(path, ROOT, "", owner)
    if path == ORCHESTRATION:
        return MemoryPlace(path, ORCHESTRATED, "", owner)
    if path.startswith(RULES):
        return MemoryPlace(path, RULE, "", owner)
    folder = path.rpartition("/")[0].removesuffix("/.claude")
    return MemoryPlace(path, COMPONENT if folder.rpartition("/")[2] in SHARED else FEATURE, folder, owner)


def _without_links(root: str, places: list[MemoryPlace]) -> list[MemoryPlace]:
    """Return the places without those that are another name of an earlier file."""
    seen: dict[str, MemoryPlace] = {}
    for place in places:
        seen.setdefault(os.path.realpath(os.path.join(root, place.path)), place)
    return list(seen.values())


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder, or in it; every path is in the root ("")."""
    return not folder or path == folder or path.startswith(folder + "/")


def read_text(root: str, path: str) -> str:
    """Return a memory file's text, at most 1 MB of it; "" where it cannot be read."""
    full = os.path.join(root, path)
    return files.read(full, FILE_BYTES).decode("utf-8", "replace") if os.path.isfile(full) else ""


def list_features(hierarchy: Hierarchy) -> list[str]:
    """Return the folders that are features: with a memory of their own, or in a folder that holds features, with code.

    A folder of shared components is one too. Next.js's groups in brackets are no features, but what they hold is; what
    a Go service has in `internal` and `cmd` is a part of it, and so are the components of one feature.
    """
    with_code = {folder for name in hierarchy.names if is_code(name) for folder in _list_parents(name)}
    own = {place.folder for place in hierarchy.places if place.level in (FEATURE, COMPONENT)}
    packages = {name.removesuffix("/__init__.py") for name in hierarchy.names if name.endswith("/__init__.py")}
    tops = {folder for folder in packages if folder.rpartition("/")[0] not in packages}
    held = {folder for folder in with_code if _is_feature(folder, tops)}
    held = {folder for folder in held if not _is_part(folder, held)}
    return sorted(own | {folder for folder in held if not _is_foreign(hierarchy, folder)})


def _is_feature(folder: str, packages: set[str]) -> bool:
    """Whether a folder with code is named and placed like a feature; `packages` are the top ones of Python."""
    *above, last = [part for part in folder.split("/") if not (part.startswith("(") and part.endswith(")"))] or [""]
    if last.startswith((".", "_", "[", "@")) or last in NESTING | CONTAINERS | TECHNICAL or TESTS & {*above}:
        return False
    return last in SHARED or "/".join(above) in packages or bool(above and above[-1] in CONTAINERS | NESTING)


def _is_part(folder: str, features: set[str]) -> bool:
    """Whether a folder is a part of a feature above it, and not one by itself."""
    above, _, last = folder.rpartition("/")
    outer = [one for one in _list_parents(above + "/") if one in features]
    if not outer:
        return False
    is_fine = any(one.rpartition("/")[0].rpartition("/")[2] in FINE for one in outer)
    return above.rpartition("/")[2] in INNER or (is_fine and last in SHARED)


def _is_foreign(hierarchy: Hierarchy, folder: str) -> bool:
    return bool(foreign_folders.find_owner(hierarchy.root, f"{folder}/{NAME}", hierarchy.names))
