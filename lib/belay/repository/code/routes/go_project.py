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
        """Return the functions that a call may mean: of the named package, of the own one, or methods of that name."""
        rows = self.functions.get(name, [])
        if head in file.imported:
            return [row for row in rows if row[0].package == file.imported[head] and not row[1].is_method]
        if head:
            return [row for row in rows if row[1].is_method]
        return [row for row in rows if row[0].package == file.package and not row[1].is_method]
