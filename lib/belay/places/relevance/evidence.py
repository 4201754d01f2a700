"""What in a project connects a text with a folder: a path, a definition, a name, a line of its memory, its code."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.core.terms import stem
from belay.places import hierarchy as tree
from belay.places.relevance.subject_words import ALIASES, split_name, stems_of_name
from belay.repository.git import content
from belay.repository.survey import product_traces
from belay.repository.survey.places import is_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.hierarchy import Hierarchy
    from belay.places.relevance.subject_words import Subjects

NAMED, DEFINED, ROUTED, SPELLED, CALLED, IN_FILE, IN_MEMORY, IN_CODE = 8.0, 6.0, 6.0, 6.0, 4.0, 2.0, 1.2, 1.6
"""What each kind of evidence weighs: a path leaves no doubt, a word in the code hardly tells."""
SYMBOLS, WORDS = 4, 8
"""Names and words that are looked for in the code; each is one question to git."""
LARGE = 25
"""Files of a folder from which on it has a bit of everything."""
IN_LAYER, COMPOUND, BELOW = 1.0, 3.0, 2.4
LAYERS = frozenset(
    "components component handlers handler pages page hooks hook schemas schema stores routes route jobs job "
    "migrations queries workers middleware commands screens controllers".split()
)
"""Folders that hold one layer: a text that speaks of handlers is about a folder that has some."""
MOST_DEFINITIONS = 3
"""Folders that define one name; a name of more is nobody's."""
MOST_FILES = 60
"""Files that hold a word of the code; a word of more files tells nothing."""
_DEFINES = r"(^|[^[:alnum:]_])(class|interface|type|enum|struct|trait|def|fn|func( \([^)]*\))?|function|const|let|var)"


class Evidence(NamedTuple):
    """Why a text may belong to a folder: the weight, the reason in words, and the place that shows it."""

    folder: str
    weight: float
    why: str
    path: str
    line: int = 1


class Folders:
    """The folders that a text may speak of, and to which of them a file belongs."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.features = tree.list_features(hierarchy)
        self._known = set(self.features)
        self.code = [
            name for name in sorted(hierarchy.names) if is_code(name) and tree.TESTS.isdisjoint(name.split("/"))
        ]
        self._held: dict[str, list[str]] = defaultdict(list)
        for name in self.code:
            self._held[self.find(name)].append(name)
        self._holding = {above for one in self.features for above in _list_above(one)}

    def list_files(self, folder: str) -> list[str]:
        """Return the source files that belong to a folder."""
        return self._held[folder]

    def rate(self, folder: str, sharing: int) -> float:
        """Return how much a word tells of a folder: 1 where it alone has it, less where others or many files do."""
        size = LARGE / max(LARGE, len(self._held[folder]))
        alone: float = max(1, sharing) ** -0.7
        return math.sqrt(size) * (0.5 if folder in self._holding else 1.0) * alone

    def find(self, path: str) -> str:
        """Return the feature that a file or folder is in, the deepest one, else the file's own folder."""
        folder = path
        while folder:
            if folder in self._known:
                return folder
            folder = folder.rpartition("/")[0]
        return path.rpartition("/")[0] if path in self.hierarchy.names else path


def _list_above(folder: str) -> Iterator[str]:
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        yield folder


def gather(folders: Folders, subjects: Subjects) -> list[Evidence]:
    """Return all evidence for a text's subjects; what git does not answer is left out."""
    found = [*_by_path(folders, subjects), *_by_route(folders, subjects), *_by_name(folders, subjects)]
    found += [*_by_file(folders, subjects), *_by_memory(folders, subjects)]
    try:
        found += [*_by_definition(folders, subjects), *_by_code(folders, subjects)]
    except BelayError:
        pass
    return [row for row in found if row.folder]


def _by_path(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    for path in subjects.paths:
        for name, folder in _find_named(folders, path):
            yield Evidence(folder, NAMED, f"names {shown(name)}", name)


def _find_named(folders: Folders, path: str) -> list[tuple[str, str]]:
    """Return (path, feature) of the one thing of the project that a written path can mean."""
    names = folders.hierarchy.names
    exact = [path] if path in names else []
    ends = exact or [name for name in names if name.endswith("/" + path)]
    if not ends and "/" in path:
        ends = sorted({name[: name.index(path) + len(path)] for name in names if f"/{path}/" in f"/{name}"})
    places = {folders.find(name) for name in ends}
    return [(min(ends), places.pop())] if len(places) == 1 and ends else []


def _by_route(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    for route in subjects.routes:
        parts = [part for part in route.split("/") if part and part[0].isalnum()]
        for size in range(len(parts), 1, -1):
            piece = "/" + "/".join(parts[:size]) + "/"
            found = sorted(name for name in folders.code if piece in _without_groups(name))
            if found:
                yield Evidence(folders.find(found[0]), ROUTED, f"names the route {shown(route)}", found[0])
                break


def _without_groups(name: str) -> str:
    return "/" + "/".join(part for part in name.split("/") if not part.startswith("("))


def _by_name(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    """Yield the features whose own name the text says, whole or a part of it."""
    words = _with_aliases(subjects)
    for folder in folders.features:
        name = folder.rpartition("/")[2].casefold()
        flat = name.replace("-", "").replace("_", "")
        stems = stems_of_name(folder.rpartition("/")[2])
        said = stems & words.keys()
        if (name in subjects.plain and not name.isalpha()) or flat in subjects.joined:
            word = subjects.joined.get(flat, name)
            yield Evidence(folder, SPELLED, f"names {shown(folder)} (“{word}”)", folder)
        elif said:
            whole = CALLED * (len(said) / len(stems)) * len(said) ** 0.5
            loudest = max(said, key=subjects.stress)
            weight = whole * subjects.stress(loudest) * max(_is_form(words[key], folder) for key in said)
            yield Evidence(folder, weight, f"speaks of “{words[loudest]}”, the name of {shown(folder)}", folder)


def _is_form(word: str, folder: str) -> float:
    """Return 1 for a folder's own word, its plural or a longer word for it; less for another form: "stored"."""
    parts = split_name(folder.rpartition("/")[2])
    forms = {part.rstrip("s") for part in parts} | {part.removesuffix("ies") + "y" for part in parts}
    is_same = word.rstrip("s") in forms or word.removesuffix("ies") + "y" in forms or stem(word) in ALIASES
    return 1.0 if is_same else 0.4


def by_ancestor(folder: str, subjects: Subjects) -> list[Evidence]:
    """Return the evidence that a text also names a folder above: "calendar of the Flutter app"."""
    for above in _list_above(folder):
        name = above.rpartition("/")[2]
        said = stems_of_name(name) & subjects.words.keys()
        if said and not name.startswith("("):
            return [Evidence(folder, BELOW, f"speaks of “{subjects.words[min(said)]}”, which {shown(above)} is", above)]
    return []


def by_layer(folders: Folders, folder: str, subjects: Subjects) -> list[Evidence]:
    """Return the evidence that a folder is, or has, the layer that a text speaks of: its handlers, its components."""
    layers = [word for word in subjects.plain if {word, word.rstrip("s"), word + "s"} & LAYERS]
    for word in sorted(layers):
        spellings = {word, word.rstrip("s"), word.rstrip("s") + "s"}
        inside = next((path for path in folders.list_files(folder) if spellings & {*path.lower().split("/")[:-1]}), "")
        if inside:
            return [
                Evidence(folder, IN_LAYER, f"speaks of {word}, which {shown(inside.rpartition('/')[0])} holds", inside)
            ]
    return []


def _with_aliases(subjects: Subjects) -> dict[str, str]:
    aliases = {ALIASES[key]: word for key, word in subjects.words.items() if key in ALIASES}
    return {**aliases, **subjects.words}


def _by_file(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    holders: dict[str, dict[str, str]] = defaultdict(dict)
    compounds: dict[tuple[str, str], str] = {}
    for path in folders.code:
        folder = folders.find(path)
        within = path[len(folder) :].lstrip("/").partition(".")[0]
        for key in stems_of_name(within) & subjects.words.keys():
            holders[key].setdefault(folder, path)
        for part in within.split("/"):
            if part.replace("-", "").replace("_", "").casefold() in subjects.joined:
                compounds.setdefault((folder, part), path)
    for (folder, part), path in compounds.items():
        weight = COMPOUND * folders.rate(folder, len(compounds))
        yield Evidence(folder, weight, f"names “{shown(part)}”, as {shown(path)} is called", path)
    for key, places in holders.items():
        for folder, path in places.items():
            weight = IN_FILE * folders.rate(folder, len(places)) * subjects.stress(key)
            yield Evidence(folder, weight, f"speaks of “{subjects.words[key]}”, as {shown(path)} is called", path)


def _by_memory(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    """Yield the features whose own memory has words of the text; the heading of its file counts as any line."""
    holders: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for place in folders.hierarchy.places:
        if place.folder:
            for key, line in _index_lines(tree.read_text(folders.hierarchy.root, place.path), subjects).items():
                holders[key].append((place.folder, place.path, line))
    for key, rows in holders.items():
        for folder, path, line in rows:
            why = f"speaks of “{subjects.words[key]}”, as {shown(path)}:{line} does"
            weight = IN_MEMORY * folders.rate(folder, len(rows)) * subjects.stress(key)
            yield Evidence(folder, weight, why, path, line)


def _index_lines(text: str, subjects: Subjects) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for key in stems_of_name(line) & subjects.words.keys():
            found.setdefault(key, number)
    return found


def _by_definition(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    names = [name for name in subjects.symbols if re.fullmatch(r"\w+", name)][:SYMBOLS]
    if not names:
        return
    pattern = f"{_DEFINES}[[:space:]*]+({'|'.join(names)})([^[:alnum:]_]|$)"
    rows = content.find_places(folders.hierarchy.root, pattern, product_traces.code_pathspecs())
    for name in names:
        word = re.compile(rf"\b{name}\b")
        first = {folders.find(path): (path, line) for path, line, text in reversed(rows) if word.search(text)}
        if len(first) <= MOST_DEFINITIONS:
            for folder, (path, line) in first.items():
                why = f"names `{name}`, which {shown(path)}:{line} defines"
                yield Evidence(folder, DEFINED / len(first), why, path, line)


def _by_code(folders: Folders, subjects: Subjects) -> Iterator[Evidence]:
    """Yield the folders in whose code a word of the text stands, by their share of the files that have it."""
    for word in sorted(subjects.words.values(), key=len, reverse=True)[:WORDS]:
        paths = content.find_files(
            folders.hierarchy.root, {word, word.removesuffix("s")}, product_traces.code_pathspecs()
        )
        if not 0 < len(paths) <= MOST_FILES:
            continue
        held: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            held[folders.find(path)].append(path)
        for folder, inside in held.items():
            share = len(inside) / len(paths)
            weight = IN_CODE * folders.rate(folder, 1) * share**2 * subjects.stress(stem(word))
            yield Evidence(folder, weight, f"speaks of “{word}”, as {shown(inside[0])} does", inside[0])
