"""Routes of FastAPI, Starlette, Flask, Quart, Sanic, aiohttp and their extensions, read from the syntax tree."""

from __future__ import annotations

import ast
import warnings

from belay.repository.code.facts import Fact
from belay.repository.code.routes.graph import ANY, METHODS, RouteGraph, Router
from belay.repository.code.routes.python_names import Module, argument, dotted, strings
from belay.repository.code.tree import CodeTree, is_test

_WORDS = (
    "APIRouter", "FastAPI", "Flask", "Blueprint", "Starlette", "Quart", "Sanic", "RouteTableDef", "Namespace",
    "include_router", "register_blueprint", "add_api_route", "add_url_rule", "add_resource", "add_namespace",
    "Litestar", "web.Application", ".route(", "Route(", "Router(",
)  # fmt: skip
_ROOTS = {
    "FastAPI",
    "Flask",
    "Starlette",
    "Quart",
    "Sanic",
    "RouteTableDef",
    "Litestar",
    "OpenAPI",
    "APIFlask",
    "Application",
}
_ROUTERS = {"APIRouter": "prefix", "Blueprint": "url_prefix", "APIBlueprint": "url_prefix", "Router": "prefix",
            "Namespace": "path", "Api": "prefix", "APIView": "prefix"}  # fmt: skip
"""Class of a router → the argument that is its prefix."""
_VERBS = {name.lower() for name in METHODS} | {"trace"}
_INCLUDES = {
    "include_router": "prefix",
    "register_blueprint": "url_prefix",
    "add_namespace": "path",
    "blueprint": "url_prefix",
}
_PASSES = 3  # packages that a name is followed through
_APP_NAMES = {"app", "application"}


def parse(tree: CodeTree, path: str, words: tuple[str, ...]) -> Module | None:
    """Return a module that holds one of some words, None for any other and for one that is no Python of today."""
    text = tree.text(path)
    if not any(word in text for word in words):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Module(tree, path, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes that these files declare; routers and mounts of the whole project count."""
    graph = RouteGraph()
    modules = [parse(tree, path, _WORDS) for path in paths if path.endswith(".py") and not is_test(path)]
    readers = [_Reader(graph, module) for module in modules if module]
    _follow_names(tree, graph, [reader.module for reader in readers])
    for step in (_Reader.read_routers, _Reader.read_functions, _Reader.read_mounts, _Reader.read_routes):
        for reader in readers:
            step(reader)
    return graph.resolve()


def _follow_names(tree: CodeTree, graph: RouteGraph, modules: list[Module]) -> None:
    """Note under which names things are passed on, also by modules without a route (the file of a package)."""
    seen = {module.path for module in modules}
    for _ in range(_PASSES):
        for module in modules:
            for name, place in module.imported.items():
                graph.aliases.setdefault((module.path, name), place)
        packages = {file for module in modules for file, _ in module.imported.values() if file.endswith("__init__.py")}
        files = sorted(packages - seen)
        seen.update(files)
        modules = [found for file in files if (found := parse(tree, file, ("import",)))]


class _Reader:
    """One module read into the graph."""

    def __init__(self, graph: RouteGraph, module: Module) -> None:
        self.graph, self.module, self.path = graph, module, module.path
        self.calls = [node for node in module.nodes if isinstance(node, ast.Call)]
        self.classes = {node.name: node for node in module.nodes if isinstance(node, ast.ClassDef)}

    def read_routers(self) -> None:
        """Note every router that is made and given a name."""
        for node in self.module.nodes:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                name = dotted(target)
                if name:
                    self._read_router((self.path, name), node.value)

    def _read_router(self, router: Router, call: ast.Call) -> None:
        made = dotted(call.func).rpartition(".")[2]
        if made in _ROOTS:
            self.graph.add_router(router, "", is_root=True)
            self._read_tables(router, argument(call, -1, "routes", "route_handlers"))
        elif made in _ROUTERS:
            prefix = argument(call, -1, _ROUTERS[made])
            own = self.module.evaluate(prefix) if prefix is not None and not _is_none(prefix) else ""
            if made == "Namespace" and prefix is None and call.args:
                own = "/" + (self.module.evaluate(call.args[0]) or "")
            self.graph.add_router(router, own)
            self._read_tables(router, argument(call, -1, "routes"))
            if made == "Api" and call.args:
                self.graph.mount(self.module.place(call.args[0]), router, "")
                self.graph.add_router(self.module.place(call.args[0]), "", is_root=_is_app(call.args[0]))

    def read_functions(self) -> None:
        """Note parameters that are an application, and functions that return a router."""
        for node in self.module.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for given in node.args.args:
                    kind = dotted(given.annotation).rpartition(".")[2]
                    if kind in _ROOTS or (given.arg in _APP_NAMES and not kind):
                        self.graph.add_router((self.path, given.arg), "", is_root=True)
                for line in ast.walk(node):
                    if isinstance(line, ast.Return) and (self.path, dotted(line.value)) in self.graph.prefixes:
                        self.graph.aliases[(self.path, f"{node.name}()")] = (self.path, dotted(line.value))

    def read_mounts(self) -> None:
        """Note what is included, registered or mounted where."""
        loops = {
            node.target.id: node.iter.elts
            for node in self.module.nodes
            if isinstance(node, ast.For)
            and isinstance(node.target, ast.Name)
            and isinstance(node.iter, (ast.List, ast.Tuple))
        }
        for call in self.calls:
            verb = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            if verb in _INCLUDES and call.args:
                prefix = argument(call, -1, _INCLUDES[verb])
                self._mount(call, loops, prefix, replaces=verb in ("register_blueprint", "add_namespace"))
            elif verb in ("mount", "add_subapp") and len(call.args) > 1:
                self._mount_application(call)

    def _mount(
        self, call: ast.Call, loops: dict[str, list[ast.expr]], prefix: ast.expr | None, *, replaces: bool
    ) -> None:
        assert isinstance(call.func, ast.Attribute)
        given = prefix is not None and not _is_none(prefix)
        text = self.module.evaluate(prefix) if given else ""
        children = loops.get(call.args[0].id, [call.args[0]]) if isinstance(call.args[0], ast.Name) else [call.args[0]]
        for child in children:
            router = self.graph.find(self.module.place(child))
            if router in self.graph.prefixes:
                parent = self.module.place(call.func.value)
                self.graph.mount(parent, router, text, replaces=replaces and given)
            elif not given:
                self.graph.has_unknown_mounts = True

    def _mount_application(self, call: ast.Call) -> None:
        assert isinstance(call.func, ast.Attribute)
        child = self.graph.find(self.module.place(call.args[1]))
        if child in self.graph.prefixes:
            self.graph.roots.discard(child)
            self.graph.mount(self.module.place(call.func.value), child, self.module.evaluate(call.args[0]))

    def _is_router(self, node: ast.expr) -> bool:
        return self.graph.find(self.module.place(node)) in self.graph.prefixes

    def read_routes(self) -> None:
        """Note the routes of decorators and of calls."""
        for node in self.module.nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for decorator in node.decorator_list:
                    self._read_decorator(decorator, node)
        for call in self.calls:
            if isinstance(call.func, ast.Attribute):
                self._read_call(call, call.func)

    def _read_decorator(self, decorator: ast.expr, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
            return
        verb, router = decorator.func.attr, self.module.place(decorator.func.value)
        if not self._is_router(decorator.func.value):
            return
        path = self.module.evaluate(argument(decorator, 0, "path", "rule", "uri"))
        if verb in _VERBS and not isinstance(node, ast.ClassDef):
            self._declare(router, [verb], path, decorator.lineno)
        elif verb in ("route", "api_route"):
            methods = strings(argument(decorator, -1, "methods")) or ["GET"]
            if isinstance(node, ast.ClassDef):
                for method, line in _list_methods(node):
                    self._declare(router, [method], path, line)
            else:
                self._declare(router, methods, path, decorator.lineno)
        elif verb in ("websocket", "websocket_route"):
            self._declare(router, ["WEBSOCKET"], path, decorator.lineno)

    def _read_call(self, call: ast.Call, func: ast.Attribute) -> None:
        verb = func.attr
        if verb == "add_resource" and self._is_router(func.value):
            for span in call.args[1:]:
                self._declare_class(
                    self.module.place(func.value), call.args[0], self.module.evaluate(span), call.lineno
                )
        elif verb in ("add_api_route", "add_url_rule", "add_route") and self._is_router(func.value):
            self._read_added(call, func)
        elif verb in {f"add_{name}" for name in _VERBS} and dotted(func.value).endswith("router"):
            router = (self.path, dotted(func.value).removesuffix(".router"))
            self.graph.add_router(router, "", is_root=True)
            self._declare(router, [verb[4:]], self.module.evaluate(argument(call, 0, "path")), call.lineno)
        elif verb == "add_routes" and call.args:
            router = self.module.place(func.value)
            self.graph.add_router(router, "", is_root=True)
            self._read_tables(router, call.args[0])

    def _read_added(self, call: ast.Call, func: ast.Attribute) -> None:
        router, path = self.module.place(func.value), self.module.evaluate(argument(call, 0, "path", "rule"))
        view = argument(call, 2 if func.attr == "add_url_rule" else 1, "view_func", "endpoint", "route")
        if isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr == "as_view":
            self._declare_class(router, view.func.value, path, call.lineno, strings(argument(call, -1, "methods")))
        else:
            self._declare(router, strings(argument(call, -1, "methods")) or ["GET"], path, call.lineno)

    def _declare_class(
        self, router: Router, view: ast.expr, path: str | None, line: int, only: list[str] | None = None
    ) -> None:
        node = self.classes.get(dotted(view))
        methods = only or [method for method, _ in _list_methods(node)] if node or only else [ANY]
        self._declare(router, methods, path, line)

    def _declare(self, router: Router, methods: list[str], path: str | None, line: int) -> None:
        for method in dict.fromkeys(methods):
            self.graph.declare(router, method, path, self.path, line)

    def _read_tables(self, router: Router, table: ast.expr | None) -> None:
        """Read `[Route("/a", f), Mount("/b", routes=[…])]`, also by the name of such a list."""
        if isinstance(table, ast.Name):
            table = next(
                (
                    node.value
                    for node in self.module.nodes
                    if isinstance(node, ast.Assign) and dotted(node.targets[0]) == table.id
                ),
                None,
            )
        for row in getattr(table, "elts", []):
            if isinstance(row, ast.Call):
                self._read_row(router, row)

    def _read_row(self, router: Router, row: ast.Call) -> None:
        made = dotted(row.func).rpartition(".")[2]
        path = self.module.evaluate(argument(row, 0, "path"))
        if made == "Mount":
            inner = (self.path, f"{router[1]}@{row.lineno}")
            self.graph.add_router(inner, "")
            self.graph.mount(router, inner, path)
            self._read_tables(inner, argument(row, -1, "routes"))
            child = argument(row, 1, "app")
            if child is not None and self._is_router(child):
                self.graph.roots.discard(self.graph.find(self.module.place(child)))
                self.graph.mount(router, self.module.place(child), path)
        elif made == "Route":
            self._declare(router, strings(argument(row, -1, "methods")) or ["GET"], path, row.lineno)
        elif made == "WebSocketRoute":
            self._declare(router, ["WEBSOCKET"], path, row.lineno)
        elif made in _VERBS:
            self._declare(router, [made], path, row.lineno)


def _list_methods(node: ast.ClassDef | None) -> list[tuple[str, int]]:
    rows = node.body if node else []
    return [
        (row.name.upper(), row.lineno)
        for row in rows
        if isinstance(row, (ast.FunctionDef, ast.AsyncFunctionDef)) and row.name in _VERBS
    ]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_app(node: ast.expr) -> bool:
    return dotted(node) in _APP_NAMES
