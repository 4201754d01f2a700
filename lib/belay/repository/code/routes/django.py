"""Routes of Django and Django REST framework: urlpatterns followed through include(), methods by the views."""

from __future__ import annotations

import ast
import re

from belay.repository.code.facts import Fact
from belay.repository.code.routes.graph import ANY, RouteGraph, Router
from belay.repository.code.routes.python import parse
from belay.repository.code.routes.python_names import Module, argument, dotted, find_module_file, strings
from belay.repository.code.tree import CodeTree, is_test

_PATHS = {"path": False, "re_path": True, "url": True}
"""Function → whether its first argument is a regular expression."""
_ROOT = re.compile(r"""^ROOT_URLCONF\s*=\s*["']([\w.]+)["']""", re.MULTILINE)
_GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
_READ, _WRITE = ["GET"], ["GET", "POST"]
_VIEWS = {
    **dict.fromkeys(("ListView", "DetailView", "TemplateView", "RedirectView"), _READ),
    **dict.fromkeys(("ListAPIView", "RetrieveAPIView"), _READ),
    **dict.fromkeys(("CreateView", "UpdateView", "FormView", "DeleteView", "LoginView", "ListCreateAPIView"), _WRITE),
    "CreateAPIView": ["POST"], "DestroyAPIView": ["DELETE"], "UpdateAPIView": ["PUT", "PATCH"],
    "RetrieveUpdateAPIView": ["GET", "PUT", "PATCH"], "RetrieveDestroyAPIView": ["GET", "DELETE"],
    "RetrieveUpdateDestroyAPIView": ["GET", "PUT", "PATCH", "DELETE"],
}  # fmt: skip
_LIST = {"list": "GET", "create": "POST"}
_ONE = {"retrieve": "GET", "update": "PUT", "partial_update": "PATCH", "destroy": "DELETE"}
_SETS = {
    "ModelViewSet": {*_LIST, *_ONE}, "ReadOnlyModelViewSet": {"list", "retrieve"}, "ListModelMixin": {"list"},
    "CreateModelMixin": {"create"}, "RetrieveModelMixin": {"retrieve"}, "DestroyModelMixin": {"destroy"},
    "UpdateModelMixin": {"update", "partial_update"},
}  # fmt: skip
_VERBS = ("get", "post", "put", "patch", "delete", "head", "options")
_ASKED = {"require_GET": ["GET"], "require_POST": ["POST"], "require_safe": ["GET", "HEAD"]}
_WORDS = ("urlpatterns", "DefaultRouter", "SimpleRouter")


def find_routes(tree: CodeTree, paths: list[str]) -> list[Fact]:
    """Return the routes that the URL modules among these files declare, from the root module on."""
    found = [parse(tree, path, _WORDS) for path in paths if path.endswith(".py") and not is_test(path)]
    modules = {module.path: module for module in found if module}
    if not modules:
        return []
    reader = _Reader(tree, modules)
    for module in modules.values():
        reader.read_module(module)
    for path in paths:
        if path.endswith(".py") and "settings" in path and not is_test(path):
            root = _ROOT.search(tree.text(path))
            if root:
                reader.graph.add_router((find_module_file(tree, root[1], path), "urlpatterns"), is_root=True)
                reader.graph.roots.add((find_module_file(tree, root[1], path), "urlpatterns"))
    return reader.graph.resolve()


class _Reader:
    def __init__(self, tree: CodeTree, modules: dict[str, Module]) -> None:
        self.tree, self.modules, self.graph = tree, modules, RouteGraph()
        self.views: dict[str, Module | None] = {}

    def read_module(self, module: Module) -> None:
        """Note the lists of paths of a module, and the routers that its names stand for."""
        for name, place in module.imported.items():
            self.graph.aliases[(module.path, name)] = place
        for node in module.nodes:
            value = getattr(node, "value", None)
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            name = targets[0].id if isinstance(targets[0], ast.Name) else ""
            if name and isinstance(value, (ast.List, ast.BinOp, ast.Call)):
                self._read_list((module.path, name), module, value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register":
                self._read_register(module, node)

    def _read_list(self, router: Router, module: Module, value: ast.expr) -> None:
        if isinstance(value, ast.BinOp):
            self._read_list(router, module, value.left)
            self._read_list(router, module, value.right)
        elif isinstance(value, ast.Attribute) and value.attr == "urls":
            self.graph.mount(router, module.place(value.value), "")
        rows = (
            value.args
            if isinstance(value, ast.Call) and dotted(value.func) in ("i18n_patterns", "format_suffix_patterns")
            else getattr(value, "elts", [])
        )
        for row in rows:
            if isinstance(row, ast.Call) and dotted(row.func).rpartition(".")[2] in _PATHS:
                self.graph.add_router(router)
                self._read_path(router, module, row)
            elif isinstance(row, (ast.List, ast.Name)):
                self._read_list(router, module, row)

    def _read_path(self, router: Router, module: Module, row: ast.Call) -> None:
        text = module.evaluate(argument(row, 0, "route", "regex"))
        if text is not None and _PATHS[dotted(row.func).rpartition(".")[2]]:
            text = _GROUP.sub(r"<\1>", text.lstrip("^").rstrip("$")).replace("\\", "")
        view = argument(row, 1, "view")
        if isinstance(view, ast.Call) and dotted(view.func).rpartition(".")[2] == "include" and view.args:
            self._include(router, module, view.args[0], text)
        elif view is not None and dotted(view) != "admin.site.urls":
            for method in self._find_methods(module, view):
                self.graph.declare(router, method, text, module.path, row.lineno)

    def _include(self, router: Router, module: Module, given: ast.expr, prefix: str | None) -> None:
        if isinstance(given, ast.Tuple) and given.elts:
            given = given.elts[0]
        name = module.evaluate(given) if isinstance(given, ast.Constant) else None
        if name:
            self.graph.mount(
                router, (find_module_file(self.tree, name, module.path, whole=True), "urlpatterns"), prefix
            )
        elif isinstance(given, ast.Attribute) and given.attr == "urls":
            self.graph.mount(router, module.place(given.value), prefix)
        elif isinstance(given, ast.List):
            inner = (module.path, f"@{given.lineno}")
            self._read_list(inner, module, given)
            self.graph.mount(router, inner, prefix)
        elif not isinstance(given, ast.Constant):
            file, inner_name = module.place(given)
            self.graph.mount(router, (file, inner_name or "urlpatterns"), prefix)

    def _find_methods(self, module: Module, view: ast.expr) -> list[str]:
        """Return the methods that a view answers, [ANY] where neither it nor its class says."""
        if isinstance(view, ast.Call) and isinstance(view.func, ast.Attribute) and view.func.attr == "as_view":
            if view.args and isinstance(view.args[0], ast.Dict):
                return [str(key.value).upper() for key in view.args[0].keys if isinstance(key, ast.Constant)]
            node = self._find(module, view.func.value, ast.ClassDef)
            name = dotted(view.func.value).rpartition(".")[2]
            return _VIEWS.get(name) or (_list_class_methods(node) if isinstance(node, ast.ClassDef) else []) or [ANY]
        if isinstance(view, ast.Call) and view.args:  # a decorator around the view
            return self._find_methods(module, view.args[0])
        node = self._find(module, view, ast.FunctionDef)
        return _list_asked(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else [ANY]

    def _find(self, module: Module, name: ast.expr, kind: type[ast.AST]) -> ast.AST | None:
        file, inner = module.place(name)
        if file not in self.views:
            self.views[file] = parse(self.tree, file, ("def ", "class "))
        found = self.views[file]
        kinds = (kind, ast.AsyncFunctionDef) if kind is ast.FunctionDef else (kind,)
        nodes = found.parsed.body if found else []
        return next((node for node in nodes if isinstance(node, kinds) and getattr(node, "name", "") == inner), None)

    def _read_register(self, module: Module, call: ast.Call) -> None:
        assert isinstance(call.func, ast.Attribute)
        prefix = module.evaluate(argument(call, 0, "prefix"))
        view = argument(call, 1, "viewset")
        node = self._find(module, view, ast.ClassDef) if view is not None else None
        if prefix is None or not isinstance(node, ast.ClassDef):
            return
        router = module.place(call.func.value)
        self.graph.add_router(router)
        self.graph.parts.add(router)
        bases = {dotted(base).rpartition(".")[2] for base in node.bases}
        actions = {action for base in bases for action in _SETS.get(base, ())}
        actions |= {row.name for row in node.body if isinstance(row, (ast.FunctionDef, ast.AsyncFunctionDef))} & {
            *_LIST,
            *_ONE,
        }
        for name, method in (*_LIST.items(), *_ONE.items()):
            if name in actions:
                path = f"{prefix}/" if name in _LIST else f"{prefix}/{{pk}}/"
                self.graph.declare(router, method, path, module.path, call.lineno)


def _list_class_methods(node: ast.ClassDef) -> list[str]:
    own = [
        row.name.upper()
        for row in node.body
        if isinstance(row, (ast.FunctionDef, ast.AsyncFunctionDef)) and row.name in _VERBS
    ]
    bases = [dotted(base).rpartition(".")[2] for base in node.bases]
    return own or next((_VIEWS[base] for base in bases if base in _VIEWS), [])


def _list_asked(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    for decorator in node.decorator_list:
        name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2]
        if name in _ASKED:
            return _ASKED[name]
        if isinstance(decorator, ast.Call) and name in ("api_view", "require_http_methods"):
            return strings(argument(decorator, 0, "http_method_names", "request_method_list")) or ["GET"]
    return [ANY]
