"""Routes of Go: net/http, chi, gin, echo, gorilla/mux, fiber, httprouter, by calls on what is known to be a router."""

from __future__ import annotations

import re
from typing import NamedTuple

from belay.repository.code.facts import Fact
from belay.repository.code.masking import GO
from belay.repository.code.routes.go_names import Function, GoFile
from belay.repository.code.routes.go_project import WORDS, GoProject
from belay.repository.code.routes.graph import ANY, METHODS, Router
from belay.repository.code.source import Span
from belay.repository.code.tree import CodeTree, is_test

_MADE = re.compile(
    r"(?P<name>\w+(?:\.\w+)*)\s*(?::=|=|:)\s*"
    r"(?:\w+\.New(?:Router|Mux|ServeMux)|gin\.(?:New|Default)|(?:echo|fiber|httprouter)\.New)\s*\("
)
_NEW = re.compile(r"\b(\w+)\s*:=\s*\w+\.New\s*\(")  # of a framework that is not known by name
_PASSED = re.compile(
    r"(?P<name>\w+(?:\.\w+)*)\s*(?::=|=)\s*(?P<value>\w+(?:\.\w+)*)(?P<more>\s*\.\s*\w+\s*\(|\s*$)", re.MULTILINE
)
_VERB = "|".join((*METHODS, *(name.capitalize() for name in METHODS)))
_CALL = re.compile(
    rf"\.\s*(?P<verb>{_VERB}|HandleFunc|Handle|HandlerFunc|Handler|MethodFunc|Method|Any|All|Add|Match|Mount|Route|Group)\s*(?P<open>\()"
)
_SEGMENT = re.compile(r"\s*\.\s*(\w+)\s*(\()?")
_NAME = re.compile(r"\w+")
_CLOSURE = re.compile(r"func\s*\(\s*(\w+)\s+[^)]*\)\s*(?:\w+\s*)?(\{)")
_STRIPPED = re.compile(r"http\.StripPrefix\s*(\()")
_APPLIED = re.compile(r"(?<!func )(?<!\w)(?P<head>\w+(?:\.\w+)*\.)?(?P<name>\w+)\s*(?P<open>\()")
_AFTER = re.compile(r"\s*\.\s*Methods\s*(\()")
_SAME = {
    "With",
    "Use",
    "Subrouter",
    "NewRoute",
    "StrictSlash",
    "Host",
    "Schemes",
    "Headers",
    "Queries",
    "UseEncodedPath",
}


class _Chain(NamedTuple):
    """What an expression of calls comes to: the router, and the methods and path that it was narrowed to."""

    router: Router
    methods: list[str]
    path: str | None


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes that these files declare; routers and mounts of the whole project count."""
    sources = [tree.read(path) for path in paths if path.endswith(".go") and not is_test(path)]
    project = GoProject([GoFile(tree, source) for source in sources if source and source.language == GO])
    files = [file for file in project.files if WORDS.search(file.source.text)]
    if not files:
        return []
    readers = [_Reader(project, file, function) for file in files for function in file.functions]
    for file in files:
        project.read_fields(file)
    for step in (_Reader.read_names, _Reader.read_closures, _Reader.read_calls, _Reader.read_applied):
        for reader in readers:
            step(reader)
    return project.graph.resolve()


class _Reader:
    """One function read into the graph."""

    def __init__(self, project: GoProject, file: GoFile, function: Function) -> None:
        self.project, self.graph = project, project.graph
        self.file, self.source, self.function = file, file.source, function
        self.closures: list[tuple[Span, str, Router]] = []
        for _, name, is_part in function.routers:
            router = self._local(name)
            self.graph.add_router(router)
            if is_part:
                self.graph.parts.add(router)

    def _local(self, name: str) -> Router:
        head, _, field = name.rpartition(".")
        if head:
            return (self.file.package, f".{field}")
        return (self.file.path, f"{self.function.name}@{self.function.body.start}:{name}")

    def _find(self, name: str, place: int) -> Router | None:
        """Return the router that a name is at a place in the function."""
        for body, parameter, router in reversed(self.closures):
            if parameter == name and body.start < place < body.end:
                return router
        field = (self.file.package, f".{name}")
        for router in (self._local(name), field):
            end = self.graph.find(router)
            if end in self.graph.prefixes:
                return end
        return ("", "http") if name == "http" else None

    def read_names(self) -> None:
        """Note the routers that the function makes and names, also as a field."""
        body = self.function.body
        for match in _MADE.finditer(self.source.code, body.start, body.end):
            is_field = self.source.code[match.end("name") :].lstrip().startswith(":") and ":=" not in match[0]
            name = f"x.{match['name']}" if is_field else match["name"]
            self.graph.add_router(self._local(name))
        for match in _NEW.finditer(self.source.code, body.start, body.end):
            used = rf'\b{match[1]}\.(?:{_VERB}|HandleFunc|Group|SubRouter)\("'
            if re.search(used, self.source.code[body.start : body.end]):
                self.graph.add_router(self._local(match[1]))
        for match in _PASSED.finditer(self.source.code, body.start, body.end):
            if match["more"].strip():
                chain = self._read_chain(match.start("value"), self._find_end(match.start("value")))
                if chain and not chain.methods:
                    self.graph.aliases[self._local(match["name"])] = chain.router
            elif (router := self._find(match["value"], match.start())) and router != self._local(match["name"]):
                self.graph.aliases.setdefault(self._local(match["name"]), router)
        if self.function.returned:
            self.graph.aliases[(self.file.path, f"{self.function.name}()")] = self._local(self.function.returned)

    def _find_end(self, place: int) -> int:
        """Return the end of an expression of names and calls."""
        match = _NAME.match(self.source.code, place)
        end = match.end() if match else place
        while segment := _SEGMENT.match(self.source.code, end):
            end = self.source.find_close(segment.start(2)) + 1 if segment[2] else segment.end()
        return end

    def read_closures(self) -> None:
        """Note `r.Route("/x", func(r chi.Router) {…})` and groups like it, outer ones first."""
        body = self.function.body
        for match in _CALL.finditer(self.source.code, body.start, body.end):
            arguments = self.source.split_arguments(match.start("open")) if match["verb"] in ("Route", "Group") else []
            inner = _CLOSURE.match(self.source.code, arguments[-1].start) if arguments else None
            chain = self._read_chain(self._find_start(match.start()), match.start()) if inner else None
            if inner and chain:
                prefix = self._evaluate(arguments[0]) if len(arguments) > 1 else ""
                child = (self.file.path, f"@{inner.start()}")
                self.graph.add_router(child)
                self.graph.mount(chain.router, child, prefix)
                self.closures.append((Span(inner.start(2), self.source.find_close(inner.start(2))), inner[1], child))
        self.read_names()  # again: names that are given to groups inside these

    def _evaluate(self, span: Span) -> str | None:
        return self.file.evaluate(span, self.project.constants)

    def _find_start(self, dot: int) -> int:
        """Return where the expression before a dot begins."""
        code, at = self.source.code, dot
        while at > 0:
            char = code[at - 1]
            if char == ")":
                depth, at = 1, at - 1
                while at > 0 and depth:
                    at -= 1
                    depth += (code[at] == ")") - (code[at] == "(")
            elif (
                char.isalnum()
                or char in "_."
                or (char.isspace() and (code[at : at + 1] == "." or code[:at].rstrip()[-1:] == "."))
            ):
                at -= 1
            else:
                break
        while code[at].isspace():
            at += 1
        return at

    def _read_chain(self, start: int, end: int) -> _Chain | None:
        """Return what `r.Group("/x")` or `r.PathPrefix("/x").Subrouter()` comes to, None where it is no router."""
        first = _NAME.match(self.source.code, start, end)
        if not first:
            return None
        router, place = self._find(first[0], start), first.end()
        methods: list[str] = []
        path: str | None = ""
        while place < end and (segment := _SEGMENT.match(self.source.code, place, end)):
            arguments = self.source.split_arguments(segment.start(2)) if segment[2] else []
            if not segment[2]:
                router = self._find(segment[1], start) if router is None else router
            elif router is None:
                return None
            elif segment[1] in ("Group", "PathPrefix", "SubRouter", "Party"):
                if arguments and _CLOSURE.match(self.source.code, arguments[-1].start):
                    return None
                router = self._make_group(router, segment.start(2), arguments)
            elif segment[1] == "Methods":
                methods += self.file.read_methods(arguments)
            elif segment[1] == "Path" and arguments:
                path = self._evaluate(arguments[0])
            elif segment[1] not in _SAME:
                return None
            place = self.source.find_close(segment.start(2)) + 1 if segment[2] else segment.end()
        return _Chain(router, methods, path) if router else None

    def _make_group(self, router: Router, place: int, arguments: list[Span]) -> Router:
        child = (self.file.path, f"@{place}")
        if child not in self.graph.prefixes:
            self.graph.add_router(child)
            self.graph.mount(router, child, self._evaluate(arguments[0]) if arguments else "")
        return child

    def read_calls(self) -> None:
        """Note the routes and mounts of the function."""
        body = self.function.body
        for match in _CALL.finditer(self.source.code, body.start, body.end):
            chain = self._read_chain(self._find_start(match.start()), match.start())
            if chain:
                arguments = self.source.split_arguments(match.start("open"))
                self._read_call(chain, match["verb"], arguments, match.start("verb"), match.start("open"))

    def _read_call(self, chain: _Chain, verb: str, arguments: list[Span], place: int, start: int) -> None:
        if verb in ("Route", "Group") or not arguments:
            return
        methods, paths = [ANY], arguments
        if verb.upper() in METHODS:
            methods = [verb.upper()]
        elif verb in ("Method", "MethodFunc", "Add", "Match") or (
            verb in ("Handle", "HandlerFunc") and len(arguments) > 2
        ):
            methods, paths = self.file.read_methods(arguments[:1]), arguments[1:]
        elif verb in ("Handler", "HandlerFunc") and len(arguments) == 1:
            if chain.path is not None and chain.path:
                self._declare(chain.router, chain.methods or [ANY], chain.path, place)
            return
        if verb == "Mount" and len(arguments) > 1:
            self._mount(chain.router, arguments[1], self._evaluate(arguments[0]))
        elif len(paths) > 1:
            after = _AFTER.match(self.source.code, self.source.find_close(start) + 1)
            if after:
                methods = self.file.read_methods(self.source.split_arguments(after.start(1))) or methods
            self._add_route(chain, methods, paths, place)

    def _add_route(self, chain: _Chain, methods: list[str], paths: list[Span], place: int) -> None:
        text = self._evaluate(paths[0])
        if text is None:
            return
        head, space, tail = text.partition(" ")
        if space and head.isupper():
            methods, text = [head], tail.strip()
        text = text[text.find("/") :] if text[:1] != "/" and "/" in text and "." in text.split("/")[0] else text
        if " " in text or (not chain.methods and methods == [ANY] and text and not text.startswith(("/", "*"))):
            return
        stripped = _STRIPPED.match(self.source.code, paths[1].start, paths[1].end)
        inner = self.source.split_arguments(stripped.start(1)) if stripped else []
        if len(inner) > 1 and self._mount(chain.router, inner[1], self._evaluate(inner[0])):
            return
        self._declare(chain.router, chain.methods or methods, text.removesuffix("{$}"), place)

    def _declare(self, router: Router, methods: list[str], path: str, place: int) -> None:
        is_mounted = path == "/" and "go-chi/chi" in self.source.text  # chi serves it at the prefix itself
        for method in dict.fromkeys(methods):
            self.graph.declare(router, method, "" if is_mounted else path, self.file.path, self.source.line(place))

    def _mount(self, parent: Router, span: Span, prefix: str | None) -> bool:
        """Note a router served below another: a name, or what a function of the project returns."""
        chain = self._read_chain(span.start, span.end)
        if chain:
            self.graph.mount(parent, chain.router, prefix)
            return True
        calls = list(_APPLIED.finditer(self.source.code, span.start, span.end))
        for match in reversed(calls):
            called = self._list_called(match)
            for file, function in called:
                if function.returned:
                    self.graph.mount(parent, (file.path, f"{function.name}()"), prefix)
            if any(function.returned for _, function in called):
                return True
        return False

    def _list_called(self, match: re.Match[str]) -> list[tuple[GoFile, Function]]:
        before = self.source.code[max(0, match.start() - 80) : match.start()].rstrip()
        head = (match["head"] or "").rstrip(".") or ("()" if before.endswith(".") else "")
        return self.project.list_called(self.file, head, match["name"])

    def read_applied(self) -> None:
        """Note routers that are given to functions of the project."""
        body = self.function.body
        for match in _APPLIED.finditer(self.source.code, body.start, body.end):
            if match["name"] not in self.project.functions:
                continue
            arguments = self.source.split_arguments(match.start("open"))
            for file, function in self._list_called(match):
                for number, name, _ in function.routers:
                    chain = (
                        self._read_chain(arguments[number].start, arguments[number].end)
                        if number < len(arguments)
                        else None
                    )
                    child = (file.path, f"{function.name}@{function.body.start}:{name}")
                    if chain and chain.router != child:
                        self.graph.mount(chain.router, child, "")
