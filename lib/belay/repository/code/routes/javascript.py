"""Routes of Express, Fastify, Hono, Koa and routers like them, by calls on what is known to be a router."""

from __future__ import annotations

import re
from collections.abc import Iterator

from belay.repository.code.facts import Fact
from belay.repository.code.masking import JAVASCRIPT
from belay.repository.code.routes.graph import ANY, RouteGraph, Router
from belay.repository.code.routes.script_names import DEFAULT, Function, Script
from belay.repository.code.source import Span
from belay.repository.code.tree import CodeTree, is_test

_WORDS = (
    "express", "astify", "hono", "Hono", "koa", "KoaRouter", "Elysia", "polka", "restify", "app.get(", "app.post(",
    "app.use(", "router.get(", "router.post(", "router.use(", ".Router",
)  # fmt: skip
_MADE = re.compile(
    r"(?:\b(?:const|let|var|export)\s+|\bthis\.|^[ \t]+(?:(?:public|private|protected|readonly|static)\s+)*)"
    r"(?P<name>[\w$]+)\s*"
    r"(?::\s*[^=;\n]+)?=\s*(?:await\s+)?(?:new\s+)?(?P<made>[\w$.]+)\s*(?:<[^()=;]*>)?(?P<open>\()",
    re.MULTILINE,
)
_ROOTS = {
    "express",
    "fastify",
    "Fastify",
    "polka",
    "createServer",
    "Koa",
    "Hono",
    "OpenAPIHono",
    "Elysia",
    "AutoRouter",
    "IttyRouter",
}
_CHAINED = {"Router", "Hono", "OpenAPIHono", "Elysia", "AutoRouter", "IttyRouter"}
_ROUTERS = {"Router", "KoaRouter"}
_TYPES = {"Express", "Application", "Router", "IRouter", "FastifyInstance", "Hono", "Elysia", "ExpressApplication"}
_PARAMETERS = {"app", "router", "fastify"}
_GIVEN = ("(app", "(router", "(fastify", "Express", "Application", "Router", "FastifyInstance", "Hono", "Elysia")
"""What a file has somewhere that holds a function with a router among its parameters."""
_VERBS = {"get", "post", "put", "patch", "delete", "options", "head", "all", "del"}
_PASSES = 3  # files that a name is followed through
_METHODS = {"all": ANY, "del": "DELETE"}
_CALL = re.compile(
    r"(?<![\w$.)\]])(?P<receiver>(?:this\.)?[\w$]+(?:\.(?:withTypeProvider|server|app))?)"
    r"(?:<[\w<>$, ]*>)?(?:\(\))?\s*\.\s*"
    r"(?P<verb>get|post|put|patch|delete|options|head|all|del|use|route|register|mount|on|basePath)"
    r"\s*(?:<[^()=;]*>)?(?P<open>\()"
)
_NEXT = re.compile(r"\s*\.\s*([\w$]+)\s*(?:<[^()=;]*>)?(\()")
_FIELD = re.compile(r"\b(prefix|url|path|method|basePath)\s*:\s*")
_NAME = re.compile(r"(?:await\s+)?(?:new\s+)?(?P<name>[\w$]+)(?:\s*\(\s*\))?(?:\.(?P<inner>[\w$]+))?")
_REQUIRED = re.compile(r"""(?:await\s+)?(?:require|import)\s*\(\s*(?P<quote>["'])""")
_APPLIED = re.compile(
    r"(?<![\w$.])(?:(?P<name>[\w$]+)|require\s*\(\s*(?P<quote>[\"'])[^)]*\))\s*(?P<open>\()\s*(?P<given>(?:this\.)?[\w$]+)\b"
)


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes that these files declare; routers and mounts of the whole project count."""
    graph = RouteGraph()
    readers = []
    for path in paths:
        source = tree.read(path) if not is_test(path) else None
        if source and source.language == JAVASCRIPT and _may_route(source.text):
            readers.append(_Reader(graph, Script(tree, source)))
    _follow_names(tree, graph, [reader.script for reader in readers])
    for step in (_Reader.read_routers, _Reader.read_calls, _Reader.read_applied):
        for reader in readers:
            step(reader)
    return graph.resolve()


def _may_route(text: str) -> bool:
    """Whether a file can have a part in routing on a server; `useRouter()` is the browser's."""
    return any(word in text for word in _WORDS) or text.count("Router(") > text.count("useRouter(")


def _follow_names(tree: CodeTree, graph: RouteGraph, scripts: list[Script]) -> None:
    """Note under which names things are passed on, also by files without a route (an index of a folder)."""
    seen = {script.path for script in scripts}
    for _ in range(_PASSES):
        names = {place for script in scripts for place in _add_names(graph, script)}
        files = sorted({file for file, _ in names} - seen)
        seen.update(files)
        scripts = [Script(tree, source) for file in files if (source := tree.read(file))]


def _add_names(graph: RouteGraph, script: Script) -> list[Router]:
    rows = [row for row in (*script.imported.items(), *script.exported.items()) if (script.path, row[0]) != row[1]]
    for name, place in rows:
        graph.aliases.setdefault((script.path, name), place)
    return [place for _, place in rows]


class _Reader:
    """One file read into the graph."""

    def __init__(self, graph: RouteGraph, script: Script) -> None:
        self.graph, self.script, self.source, self.path = graph, script, script.source, script.path
        self.functions: list[tuple[Function, str]] = []

    def read_routers(self) -> None:
        """Note what makes a router, and what is given one."""
        for match in self.source.find_all(_MADE):
            kind = match["made"].rpartition(".")[2]
            if kind in _ROOTS or kind in _ROUTERS:
                router = (self.path, match["name"])
                self.graph.add_router(router, self._read_option(match.start("open")), is_root=kind in _ROOTS)
        is_given = any(word in self.source.code for word in _GIVEN)
        for function in self.script.functions if is_given else ():
            given = [name for name, kind in function.parameters[:2] if name in _PARAMETERS or kind in _TYPES]
            name = DEFAULT if function.is_default else function.name
            if given and (name or function.body):
                name = name or f"@{function.body.start}"
                self.functions.append((function, name))
                self.graph.add_router((self.path, f"{name}({given[0]})"))

    def _read_option(self, start: int) -> str | None:
        """Return the prefix that a call's options say, "" without one."""
        for span in self.source.split_arguments(start):
            if self.source.code[span.start] == "{":
                fields = self._read_fields(span)
                for name in ("prefix", "basePath"):
                    if name in fields:
                        return self.script.evaluate(fields[name])
        return ""

    def _read_fields(self, span: Span) -> dict[str, Span]:
        found = {}
        for part in self.source.split_arguments(span.start):
            match = _FIELD.match(self.source.code, part.start, part.end)
            if match:
                found[match[1]] = Span(match.end(), part.end)
        return found

    def _find_router(self, name: str, place: int) -> Router | None:
        """Return the router that a receiver is at a place: a parameter of the function around it, else a variable."""
        local = name.removeprefix("this.").partition(".")[0]
        for function, key in reversed(self.functions):
            if function.body.start < place < function.body.end and local in [row[0] for row in function.parameters[:2]]:
                return (self.path, f"{key}({local})")
        router = self.graph.find((self.path, local))
        return router if router in self.graph.prefixes else None

    def read_calls(self) -> None:
        """Note the routes and mounts of a file, each chain of calls from its receiver on."""
        for match in self.source.find_all(_MADE):
            if match["made"].rpartition(".")[2] in _CHAINED:
                self._follow((self.path, match["name"]), self.source.find_close(match.start("open")) + 1, None)
        for match in self.source.find_all(_CALL):
            router = self._find_router(match["receiver"], match.start())
            if router:
                path = self._read_call(router, match["verb"], match.start("verb"), match.start("open"), None)
                self._follow(router, self.source.find_close(match.start("open")) + 1, path)

    def _follow(self, router: Router, place: int, path: str | None) -> None:
        """Read the calls that follow on one; `path` is what `.route("/x")` before them said."""
        for _ in range(200):
            match = _NEXT.match(self.source.code, place)
            if not match:
                break
            said = self._read_call(router, match[1], match.start(1), match.start(2), path)
            path = said if match[1] == "route" else path
            place = self.source.find_close(match.start(2)) + 1

    def _read_call(self, router: Router, verb: str, place: int, start: int, path: str | None) -> str | None:
        arguments = self.source.split_arguments(start)
        if verb in _VERBS:
            self._read_route(router, verb, place, arguments, path)
        elif verb == "basePath" and arguments:
            self.graph.prefixes[router] = self.script.evaluate(arguments[0])
        elif verb == "on" and len(arguments) > 2:
            for method in self.source.strings_in(arguments[0]):
                self.graph.declare(
                    router, method, self.script.evaluate(arguments[1]), self.path, self.source.line(place)
                )
        elif verb == "route" and len(arguments) == 1:
            if self.source.code[arguments[0].start] == "{":
                self._read_table(router, arguments[0])
            else:
                return self.script.evaluate(arguments[0])
        elif verb in ("use", "route", "register", "mount"):
            self._read_mount(router, arguments)
        return None

    def _read_route(self, router: Router, verb: str, place: int, arguments: list[Span], path: str | None) -> None:
        handlers = arguments if path is not None else arguments[1:]
        if not handlers or not self._is_handler(handlers[-1]):
            return
        paths = [path] if path is not None else self._read_paths(arguments[0])
        for text in paths:
            if text is not None and (text == "" or text[0] in "/*:"):
                inner = "" if text == "/" else text  # these routers serve a mounted "/" at the prefix itself
                self.graph.declare(router, _METHODS.get(verb, verb), inner, self.path, self.source.line(place))

    def _read_paths(self, span: Span) -> list[str | None]:
        if self.source.code[span.start] == "[":
            return list(self.source.strings_in(span))
        return [self.script.evaluate(span)]

    def _is_handler(self, span: Span) -> bool:
        first = self.source.code[span.start]
        if first == "{":
            return "handler" in self.source.code[span.start : span.end]
        return first not in "\"'`" and not first.isdigit()

    def _read_table(self, router: Router, span: Span) -> None:
        """Read Fastify's `route({ method, url })`."""
        fields = self._read_fields(span)
        path = fields.get("url") or fields.get("path")
        if path and "method" in fields:
            text = self.script.evaluate(path)
            for method in self.source.strings_in(fields["method"]):
                self.graph.declare(router, method, text, self.path, self.source.line(path.start))

    def _read_mount(self, router: Router, arguments: list[Span]) -> None:
        prefixes: list[str | None] = [""]
        for number, span in enumerate(arguments):
            first = self.source.code[span.start]
            if number == 0 and (first in "\"'`[" or (len(arguments) > 1 and self.script.evaluate(span) is not None)):
                prefixes = self._read_paths(span)
                continue
            child = self._find_child(span)
            if child:
                options = self._read_prefix(arguments[number + 1 :])
                for prefix in prefixes:
                    self.graph.mount(router, child, prefix if options is None else options)

    def _read_prefix(self, spans: list[Span]) -> str | None:
        for span in spans:
            if self.source.code[span.start] == "{":
                fields = self._read_fields(span)
                return self.script.evaluate(fields["prefix"]) if "prefix" in fields else None
        return None

    def _find_child(self, span: Span) -> Router | None:
        """Return the router that an argument is: a name, a field, a required module, a function in place."""
        required = _REQUIRED.match(self.source.code, span.start, span.end)
        if required:
            file = self.script.tree.imports.find_script(self.path, self.source.string_at(required.start("quote")) or "")
            inner = re.search(r"\)\s*\.([\w$]+)\s*$", self.source.code[span.start : span.end])
            return self._settle((file, inner[1] if inner else DEFAULT))
        for _, key in self.functions:
            if key.startswith("@") and span.start < int(key[1:]) < span.end:
                return self._settle((self.path, key))
        match = _NAME.match(self.source.code, span.start, span.end)
        if not match:
            return None
        for name in (match["name"], match["inner"] or ""):
            place = self.script.imported.get(match["name"], (self.path, match["name"]))
            router = self._settle((place[0], name) if name == match["inner"] else (self.path, name))
            if router and name:
                return router
        return None

    def _settle(self, router: Router) -> Router | None:
        """Return the router itself, or the one that a function of this name is given."""
        end = self.graph.find(router)
        if end in self.graph.prefixes:
            return end
        return next(self._list_given(end), None) or next(self._list_given(router), None)

    def _list_given(self, router: Router) -> Iterator[Router]:
        start = f"{router[1]}("
        return (known for known in self.graph.prefixes if known[0] == router[0] and known[1].startswith(start))

    def read_applied(self) -> None:
        """Note functions that are called with a router: `register(app)`, `require("./users")(app)`."""
        for match in self.source.find_all(_APPLIED):
            parent = self._find_router(match["given"], match.start("given"))
            if parent:
                name = (self.path, match["name"] or "")
                if match["quote"]:
                    text = self.source.string_at(match.start("quote")) or ""
                    name = (self.script.tree.imports.find_script(self.path, text), DEFAULT)
                child = next(self._list_given(self.graph.find(name)), None)
                if child and child != parent:
                    self.graph.mount(parent, child, "")
