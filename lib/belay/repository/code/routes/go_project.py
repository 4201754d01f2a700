"""What all Go files of a project share while their routes are read."""

from __future__ import annotations

import re
from collections import defaultdict

from belay.repository.code.routes.go_names import TYPED, Function, GoFile
from belay.repository.code.routes.graph import RouteGraph

WORDS = re.compile(
    r"net/http|go-chi/chi|gin-gonic/gin|labstack/echo|gorilla/mux|gofiber/fiber|httprouter|\b[Rr]outer\b"
)
"""What a file with routes has somewhere."""


class GoProject:
    """What all files share: the graph, constants by package, functions by name."""

    def __init__(self, files: list[GoFile]) -> None:
        self.files, self.graph = files, RouteGraph()
        self.constants: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self.functions: defaultdict[str, list[tuple[GoFile, Function]]] = defaultdict(list)
        for file in files:
            self.constants[file.package].update(file.constants)
            if WORDS.search(file.source.text):
                for function in file.functions:
                    self.functions[function.name].append((file, function))
        self.graph.add_router(("", "http"))

    def read_fields(self, file: GoFile) -> None:
        """Note fields and variables of a package that are routers by their type, outside of functions."""
        inside = [function.body for function in file.functions]
        for match in file.source.find_all(TYPED):
            line_start = file.source.code.rfind("\n", 0, match.start()) + 1
            begins = file.source.code[line_start : match.start()].strip() in ("", "var")
            if begins and not any(body.start < match.start() < body.end for body in inside):
                self.graph.add_router((file.package, f".{match[1]}"))

    def list_called(self, file: GoFile, head: str, name: str) -> list[tuple[GoFile, Function]]:
        """Return the functions that a call may mean: of the named package, of the own one, or a method of that name."""
        rows = self.functions.get(name, [])
        if head in file.imported:
            return [row for row in rows if row[0].package == file.imported[head] and not row[1].owner]
        if not head:
            return [row for row in rows if row[0].package == file.package and not row[1].owner]
        methods = [row for row in rows if row[1].owner]
        return methods if len(methods) < 2 else self._choose(file, head.rpartition(".")[2], methods)

    def _choose(self, file: GoFile, name: str, methods: list[tuple[GoFile, Function]]) -> list[tuple[GoFile, Function]]:
        """Return those of several methods of one name that a variable or field has, by its type; [] where that is open.

        A variable that runs over a list may be of every type.
        """
        name = re.escape(name)
        if re.search(rf"\b{name}\s*:=\s*range\b", file.source.code):
            return methods
        typed = rf"\b{name}[ \t]+\*?(?:(\w+)\.)?(\w+)", rf"\b{name}\s*(?::=|=|:)\s*&?(?:(\w+)\.)?(?:New)?(\w+)"
        for other in self.files:
            for pattern in typed if other.package == file.package else ():
                for package, kind in re.findall(pattern, other.source.code):
                    folder = other.imported.get(package, "") if package else file.package
                    own = [row for row in methods if row[0].package == folder]
                    exact = [row for row in own if row[1].owner.lower() == kind.lower()]
                    if exact or len(own) == 1:
                        return exact or own
        return [row for row in methods if row[1].owner.lower() == name.lower()]
