"""What the code of a folder holds: components, routes, exports, tests and dependencies, each at its path and line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from belay.repository.code.declared import Manifests
from belay.repository.code.facts import DEPENDENCY, Fact, Import
from belay.repository.code.languages import golang, javascript, python
from belay.repository.code.masking import GO, JAVASCRIPT, MARKUP, PYTHON
from belay.repository.code.routes import django, file_routes, nest
from belay.repository.code.routes import golang as go_routes
from belay.repository.code.routes import javascript as script_routes
from belay.repository.code.routes import python as python_routes
from belay.repository.code.routes.python_names import find_module_file
from belay.repository.code.source import Source
from belay.repository.code.tree import CodeTree, is_test

_READERS = {
    JAVASCRIPT: (javascript.find_facts, javascript.find_cases, javascript.find_imports),
    MARKUP: (javascript.find_facts, javascript.find_cases, javascript.find_imports),
    PYTHON: (python.find_facts, python.find_cases, python.find_imports),
    GO: (golang.find_facts, golang.find_cases, golang.find_imports),
}
_ROUTES: dict[str, tuple[Callable[[CodeTree, list[str]], list[Fact]], ...]] = {
    JAVASCRIPT: (file_routes.find_routes, script_routes.find_routes, nest.find_routes),
    PYTHON: (python_routes.find_routes, django.find_routes),
    GO: (go_routes.find_routes,),
}


class Survey:
    """The code below a folder ("" for the project's root), each part of it read once."""

    def __init__(self, tree: CodeTree, folder: str) -> None:
        self.tree, self.folder = tree, folder
        self.manifests = Manifests(tree)
        self.imported = Imported(tree, self.manifests)
        self._facts: dict[str, list[Fact]] = {}

    @cached_property
    def sources(self) -> list[Source]:
        """The files that can be read."""
        return [source for path in self.tree.list_below(self.folder) if (source := self.tree.read(path))]

    @cached_property
    def routes(self) -> list[Fact]:
        """The routes that these files declare."""
        return find_routes(self.tree, self.folder, self.sources)

    def find_facts(self, source: Source) -> list[Fact]:
        """Return the exports and components of a file, of a test its cases."""
        if source.path not in self._facts:
            facts, cases, _ = _READERS[source.language]
            self._facts[source.path] = cases(source) if is_test(source.path, self.folder) else facts(source)
        return self._facts[source.path]

    @cached_property
    def facts(self) -> list[Fact]:
        """All that was found, in the order of path and line."""
        found = self.manifests.list_facts(self.folder) + self.routes
        for source in self.sources:
            found += self.find_facts(source)
        found += _find_dependencies(self.tree, self.imported, self.folder, self.sources)
        return sorted(dict.fromkeys(found), key=lambda fact: (fact.path, fact.line, fact.kind, fact.name))


def survey_folder(tree: CodeTree, folder: str) -> list[Fact]:
    """Return what the files below a folder ("" for the project's root) hold, in the order of path and line."""
    return Survey(tree, folder).facts


def find_routes(tree: CodeTree, folder: str, sources: list[Source]) -> list[Fact]:
    """Return the routes that these sources of a folder declare; what mounts them may be anywhere in the project."""
    own = {source.path for source in sources}
    languages = {source.language for source in sources}
    if not own:
        return []
    paths = list(dict.fromkeys([*tree.list_below(""), *sorted(own)]))
    found = [fact for language in languages for find in _ROUTES.get(language, ()) for fact in find(tree, paths)]
    return [fact for fact in found if fact.path in own]


def find_imports(source: Source) -> Iterator[Import]:
    """Yield what a file imports."""
    yield from _READERS[source.language][2](source)


class Imported:
    """What files import, by the name of the package or the path of the module; each name is looked up once."""

    def __init__(self, tree: CodeTree, manifests: Manifests) -> None:
        self.tree, self.manifests = tree, manifests
        self._known: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = {}
        self._files: dict[str, list[tuple[str, int]]] = {}

    def list_names(self, source: Source) -> list[tuple[str, int]]:
        """Return (declared package, or path of a part of the project; line) of what a file imports."""
        if source.path not in self._files:
            self._files[source.path] = list(self._read_names(source))
        return self._files[source.path]

    def _read_names(self, source: Source) -> Iterator[tuple[str, int]]:
        for row in find_imports(source):
            key = (source.language, source.folder, row.module, row.names if source.language == PYTHON else ())
            if key not in self._known:
                self._known[key] = self._find_names(source, row)
            for name in self._known[key]:
                yield name, row.line

    def _find_names(self, source: Source, row: Import) -> list[str]:
        inner = find_imported_files(self.tree, source, row)
        if inner or row.module.startswith("."):
            return inner
        name = self.manifests.find_declared(source.path, row.module, source.language)
        return [name] if name else []


def _find_dependencies(tree: CodeTree, imported: Imported, folder: str, sources: list[Source]) -> list[Fact]:
    """Return each package and each other part of the project that a folder imports, where it first does.

    A package counts when a manifest declares it; tests come last, so that a package of the program is shown there.
    """
    found: dict[str, Fact] = {}
    start = f"{folder}/" if folder else ""
    for source in sorted(sources, key=lambda source: (is_test(source.path, folder), source.path)):
        for name, line in imported.list_names(source):
            if not (name in tree.known or name in tree.imports.folders) or not f"{name}/".startswith(start):
                found.setdefault(name, Fact(DEPENDENCY, name, source.path, line))
    return list(found.values())


def find_imported_files(tree: CodeTree, source: Source, row: Import) -> list[str]:
    """Return the files (of Go: the folder) of the project that an import names."""
    imports = tree.imports
    if source.language == GO:
        folder = imports.find_package(row.module)
        return [folder] if folder else []
    if source.language != PYTHON:
        found = imports.find_script(source.path, row.module)
        return [found] if found else []
    base = imports.full_name(source.path, row.module)
    inner = [find_module_file(tree, f"{base}.{name.split()[0]}", source.path, whole=True) for name in row.names if name]
    found_inner = [path for path in inner if path]
    whole = "" if found_inner else find_module_file(tree, base, source.path, whole=not row.module.startswith("."))
    return list(dict.fromkeys(found_inner or ([whole] if whole else [])))
