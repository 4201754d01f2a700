"""The code of a folder, read once for all that looks for patterns in it."""

from __future__ import annotations

import posixpath
from functools import cached_property

from belay.repository.code.facts import COMPONENT, ROUTE, Fact
from belay.repository.code.source import Source
from belay.repository.code.survey import Survey
from belay.repository.code.tree import is_test

_MARKUP = (".tsx", ".jsx", ".vue", ".svelte")


class Sample:
    """The sources below a folder: `program` without tests, `tests`, and the facts of both."""

    def __init__(self, survey: Survey) -> None:
        self.survey, self.tree, self.folder = survey, survey.tree, survey.folder
        self.program = [source for source in survey.sources if not is_test(source.path, survey.folder)]
        self.tests = [source for source in survey.sources if is_test(source.path, survey.folder)]
        self.routes: list[Fact] = survey.routes
        self.by_path = {source.path: source for source in survey.sources}
        self._imports: dict[str, dict[str, int]] = {}

    def imports(self, source: Source) -> dict[str, int]:
        """Return package, or path of a module of the project → line of its first import in a file."""
        if source.path not in self._imports:
            found: dict[str, int] = {}
            for name, line in self.survey.imported.list_names(source):
                found.setdefault(name, line)
            self._imports[source.path] = found
        return self._imports[source.path]

    @cached_property
    def route_files(self) -> list[Source]:
        """The files that declare routes."""
        paths = {fact.path for fact in self.routes if fact.kind == ROUTE}
        return [source for source in self.program if source.path in paths]

    @cached_property
    def components(self) -> dict[str, Fact]:
        """File with markup → its first component; pages and layouts, whose names Next.js gives, are left out."""
        found: dict[str, Fact] = {}
        for source in self.program:
            if source.path.endswith(_MARKUP) and not _is_framework_file(source.path):
                facts = [fact for fact in self.survey.find_facts(source) if fact.kind == COMPONENT]
                if facts:
                    found[source.path] = facts[0]
        return found

    @cached_property
    def component_files(self) -> list[Source]:
        """The files that hold a component with markup."""
        return [self.by_path[path] for path in self.components]

    @cached_property
    def siblings(self) -> dict[str, list[str]]:
        """Folder → the files in it and in its __tests__."""
        found: dict[str, list[str]] = {}
        for path in self.tree.paths:
            found.setdefault(posixpath.dirname(path).removesuffix("/__tests__"), []).append(path)
        return found


def _is_framework_file(path: str) -> bool:
    stem = posixpath.basename(path).partition(".")[0]
    return stem in ("page", "layout", "loading", "error", "not-found", "template", "default", "_app", "_document") or (
        stem.startswith("+")
    )
