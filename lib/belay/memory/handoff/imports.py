"""Find which source file imports which other of the same project: Python, JavaScript, TypeScript, Go, Rust, by scan.

Pure: texts by path in, edges out. An import that leads out of the project is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

_PY = re.compile(r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?([\w., \t*]*)|import[ \t]+([\w., \t]+))", re.M)
_JS = re.compile(
    r"""(?:^|[\s;}])(?:import|export)\b[^'"`;]{0,600}?\bfrom\s*['"]([^'"\n]+)['"]"""
    r"""|\b(?:import|require)\s*\(?\s*['"]([^'"\n]+)['"]"""
)
_GO = re.compile(r'^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$', re.M)
_RUST = re.compile(r"\bcrate::(\w+)|^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.M)
_SCRIPT = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")
_ENDS = (".py", ".go", ".rs", *_SCRIPT)
_GUESSES = ("", *_SCRIPT, *(f"/index{end}" for end in _SCRIPT))
_ROOTS = ("", "src/", "lib/", "app/")


def is_source(path: str) -> bool:
    """Whether a file's imports can be read."""
    return path.endswith(_ENDS)


class ImportTree:
    """The files of a project: `paths` all tracked ones, `packages` name → folder of its own JavaScript packages."""

    def __init__(self, paths: Iterable[str], packages: dict[str, str], module: str) -> None:
        self.paths = set(paths)
        self.folders = {posixpath.dirname(path) for path in self.paths}
        self.packages, self.module = packages, module
        self.dotted = {
            name: path for path in self.paths if path.endswith(".py") for name in _dotted_names(path, self.paths)
        }

    def imports(self, path: str, text: str) -> set[str]:
        """Return the files (for Go: the folders) of the project that a source file imports."""
        if path.endswith(".py"):
            targets = self._python(path, text)
        elif path.endswith(".go"):
            targets = self._go(text)
        elif path.endswith(".rs"):
            targets = self._rust(path, text)
        else:
            targets = self._script(path, text)
        return {target for target in targets if target and target != path}

    def _python(self, path: str, text: str) -> list[str]:
        targets: list[str] = []
        for start, names, plain in _PY.findall(text):
            if plain:
                targets += [self._module(name.split()[0]) for name in plain.split(",") if name.strip()]
                continue
            base = self._relative(path, start)
            inner = [
                self.dotted.get(f"{base}.{name.split()[0]}".strip("."), "") for name in names.split(",") if name.strip()
            ]
            targets += [target for target in inner if target] or [self._module(base)]
        return targets

    def _relative(self, path: str, name: str) -> str:
        """Return the full dotted name of a relative one."""
        dots = len(name) - len(name.lstrip("."))
        if not dots:
            return name
        own = min((known for known, at in self.dotted.items() if at == path), key=len, default="")
        parts = own.split(".") if own else []
        keep = len(parts) - dots + path.endswith("__init__.py")
        return ".".join([*parts[: max(0, keep)], *filter(None, [name.lstrip(".")])])

    def _module(self, name: str) -> str:
        """Return the file of the longest beginning of a dotted name that is one."""
        parts = name.split(".")
        tried = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        return next((self.dotted[dotted_name] for dotted_name in tried if dotted_name in self.dotted), "")

    def _go(self, text: str) -> list[str]:
        inside = [name.removeprefix(self.module).strip("/") for name in _GO.findall(text) if self._is_own(name)]
        return [f"{name}/" for name in inside if name in self.folders]

    def _is_own(self, name: str) -> bool:
        return bool(self.module) and (name + "/").startswith(self.module + "/")

    def _rust(self, path: str, text: str) -> list[str]:
        root = path.partition("src/")[0] + "src/"
        here = posixpath.dirname(path) + "/"
        targets = []
        for used, declared in _RUST.findall(text):
            base, name = (root, used) if used else (here, declared)
            targets += [
                candidate for candidate in (f"{base}{name}.rs", f"{base}{name}/mod.rs") if candidate in self.paths
            ]
        return targets

    def _script(self, path: str, text: str) -> list[str]:
        names = [imported or required for imported, required in _JS.findall(text)]
        return [self._resolved(path, name) for name in names]

    def _resolved(self, path: str, name: str) -> str:
        if name.startswith("."):
            return self._file(posixpath.normpath(posixpath.join(posixpath.dirname(path), name)))
        for package, folder in self.packages.items():
            if name == package or name.startswith(package + "/"):
                return self._file(folder + name.removeprefix(package)) or f"{folder}/"
        return self._file("src/" + name[2:]) if name.startswith(("@/", "~/")) else ""

    def _file(self, base: str) -> str:
        stem = base.removesuffix(".js")  # TypeScript's own modules are imported by the name they compile to
        return next((guess + end for guess in (base, stem) for end in _GUESSES if guess + end in self.paths), "")


def _dotted_names(path: str, paths: set[str]) -> list[str]:
    """Return the dotted names by which a Python file may be imported."""
    top = path.rpartition("/")[0]
    while top and f"{top}/__init__.py" in paths:
        top = posixpath.dirname(top)
    stems = [path[len(top) :].strip("/")] + [path[len(root) :] for root in _ROOTS if path.startswith(root)]
    dotted = [stem.removesuffix(".py").replace("/", ".") for stem in stems]
    return list(dict.fromkeys(name.removesuffix(".__init__") for name in dotted))
