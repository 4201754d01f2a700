"""What names in a Python module stand for: imports, constants, and the file that a name comes from."""

from __future__ import annotations

import ast
import re
from functools import cached_property

from belay.repository.code.tree import CodeTree

_DEPTH = 6


class Module:
    """A parsed module; names of it are looked up through its imports."""

    def __init__(self, tree: CodeTree, path: str, parsed: ast.Module) -> None:
        self.tree, self.path, self.parsed = tree, path, parsed
        self.nodes = list(ast.walk(parsed))

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Local name → (file, name in it; "" for the module itself), of what comes from the project."""
        found: dict[str, tuple[str, str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                base = self.tree.imports.full_name(self.path, "." * node.level + (node.module or ""))
                for alias in node.names:
                    found[alias.asname or alias.name] = self._find(base, alias.name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name] = (find_module_file(self.tree, alias.name, self.path), "")
        return {name: place for name, place in found.items() if place[0]}

    def _find(self, base: str, name: str) -> tuple[str, str]:
        """Return where a name imported from a module is defined: a module below it, or a name in it."""
        inner = find_module_file(self.tree, f"{base}.{name}".strip("."), self.path, whole=True)
        return (inner, "") if inner else (find_module_file(self.tree, base, self.path), name)

    @cached_property
    def constants(self) -> dict[str, str]:
        """Name → text of the module's own constants."""
        found: dict[str, str] = {}
        for node in self.parsed.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                text = self.evaluate(value, found)
                if text is not None:
                    found[target.id] = text
        return found

    def place(self, node: ast.expr) -> tuple[str, str]:
        """Return (file, name) of what an expression like `router` or `users.router` stands for."""
        text = dotted(node)
        if isinstance(node, ast.Call):
            file, name = self.place(node.func)
            return file, f"{name}()"
        head, _, last = text.rpartition(".")
        if text in self.imported:
            return self.imported[text]
        if head in self.imported and not self.imported[head][1]:
            return self.imported[head][0], last
        if "." in head and head.partition(".")[0] in self.imported:
            first, _, rest = head.partition(".")
            file, name = self.imported[first]
            inner = f"{self.tree.imports.own_names.get(file, '')}.{rest}" if not name else ""
            return find_module_file(self.tree, inner, self.path) if inner else self.path, last
        return self.path, text

    def evaluate(self, node: ast.expr | None, known: dict[str, str] | None = None) -> str | None:
        """Return the text that a constant expression stands for, None where it is not known before the run."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            return _add([self.evaluate(part, known) for part in node.values])
        if isinstance(node, ast.FormattedValue):
            return self.evaluate(node.value, known)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _add([self.evaluate(node.left, known), self.evaluate(node.right, known)])
        if isinstance(node, ast.Name):
            return (self.constants if known is None else known).get(node.id) or self._find_imported(node.id)
        return find_attribute(self.tree, node.attr) if isinstance(node, ast.Attribute) else None

    def _find_imported(self, name: str) -> str | None:
        file, inner = self.imported.get(name, ("", ""))
        if not inner or file == self.path:
            return None
        text = re.search(rf"^{re.escape(inner)}\s*(?::[^=\n]+)?=\s*[\"']([^\"'\n]*)[\"']", self.tree.text(file), re.M)
        return text[1] if text else None


def _add(parts: list[str | None]) -> str | None:
    texts = [part for part in parts if part is not None]
    return "".join(texts) if len(texts) == len(parts) else None


def dotted(node: ast.expr | None) -> str:
    """Return `a.b.c` of a name or attribute, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return ""


def argument(call: ast.Call, number: int, *names: str) -> ast.expr | None:
    """Return an argument of a call by its place or one of its names; a place below 0 is none."""
    if 0 <= number < len(call.args):
        return call.args[number]
    return next((word.value for word in call.keywords if word.arg in names), None)


def strings(node: ast.expr | None) -> list[str]:
    """Return the plain strings of a list, tuple or set."""
    rows = getattr(node, "elts", [])
    return [row.value for row in rows if isinstance(row, ast.Constant) and isinstance(row.value, str)]


def find_module_file(tree: CodeTree, name: str, path: str, *, whole: bool = False) -> str:
    """Return the file of a dotted module name: by its full name, else the nearest one whose path ends like it.

    Without `whole`, the file of the longest beginning that is a module.
    """
    parts = [part for part in name.split(".") if part]
    for end in range(len(parts), 0, -1):
        dotted_name = ".".join(parts[:end])
        found = tree.imports.dotted.get(dotted_name, "") or _find_nearest(tree, dotted_name.replace(".", "/"), path)
        if found or whole:
            return found
    return ""


def _find_nearest(tree: CodeTree, stem: str, path: str) -> str:
    """Return the file with a path from some folder above the importing file (an application's own root)."""
    if stem.partition("/")[0] not in tree.python_tops:
        return ""
    above = path.split("/")[:-1]
    for size in range(len(above), -1, -1):
        base = "".join(part + "/" for part in above[:size])
        for end in (".py", "/__init__.py"):
            if f"{base}{stem}{end}" in tree.known:
                return f"{base}{stem}{end}"
    return ""


def find_attribute(tree: CodeTree, name: str) -> str | None:
    """Return the text of a setting's default (`API_PREFIX: str = "/api"`) where the project has exactly one."""
    pattern = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*(?::[^=\n]+)?=[ \t]*[\"']([^\"'\n]*)[\"']", re.MULTILINE)
    texts = [tree.text(path) for path in tree.sources if path.endswith(".py")]
    found = {match for text in texts if name in text for match in pattern.findall(text)}
    return found.pop() if len(found) == 1 else None
