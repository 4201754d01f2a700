"""Find which source file imports which other of the same project: Python, JavaScript, TypeScript, Go, Rust, by scan.

Pure: texts by path in, edges out. An import that leads out of the project is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from belay.repository.code.path_aliases import PathAlias

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
    """The files of a project: `paths` all tracked ones, `packages` name → folder of its own JavaScript packages.

    `module` is the name of its Go module, `modules` name → folder of further ones ("deck" or ""); `aliases` are names
    for folders that its configuration declares.
    """

    def __init__(
        self,
        paths: Iterable[str],
        packages: dict[str, str],
        module: str,
        modules: Mapping[str, str] | None = None,
        aliases: Iterable[PathAlias] = (),
    ) -> None:
        self.paths = set(paths)
        self.modules = {**({module: ""} if module else {}), **(modules or {})}
        self.folders = {posixpath.dirname(path) for path in self.paths}
        self.packages = packages
        self.aliases = sorted(aliases, key=lambda alias: (-len(alias.folder), -len(alias.prefix)))
        names = {path: _dotted_names(path, self.paths) for path in self.paths if path.endswith(".py")}
        self.dotted = {name: path for path, dotted in names.items() for name in dotted}
        self.own_names = {path: min(dotted, key=len, default="") for path, dotted in names.items()}

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
                targets += [self.find_module(name.split()[0]) for name in plain.split(",") if name.strip()]
                continue
            base = self.full_name(path, start)
            inner = [
                self.dotted.get(f"{base}.{name.split()[0]}".strip("."), "") for name in names.split(",") if name.strip()
            ]
            targets += [target for target in inner if target] or [self.find_module(base)]
        return targets

    def full_name(self, path: str, name: str) -> str:
        """Return the full dotted name of a relative one."""
        dots = len(name) - len(name.lstrip("."))
        if not dots:
            return name
        own = self.own_names.get(path, "")
        parts = own.split(".") if own else []
        keep = len(parts) - dots + path.endswith("__init__.py")
        return ".".join([*parts[: max(0, keep)], *filter(None, [name.lstrip(".")])])

    def find_module(self, name: str) -> str:
        """Return the file of the longest beginning of a dotted name that is one."""
        parts = name.split(".")
        tried = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        return next((self.dotted[dotted_name] for dotted_name in tried if dotted_name in self.dotted), "")

    def _go(self, text: str) -> list[str]:
        folders = [self.find_package(name) for name in _GO.findall(text)]
        return [f"{folder}/" for folder in folders if folder]

    def find_package(self, name: str) -> str:
        """Return the folder of a Go package of the project, "" for one outside it."""
        owners = [module for module in self.modules if (name + "/").startswith(module + "/")]
        owner = max(owners, key=len, default="")
        folder = posixpath.join(self.modules[owner], name[len(owner) :].strip("/")) if owner else ""
        return folder.strip("/") if folder.strip("/") in self.folders else ""

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
        return [self.find_script(path, name) for name in names]

    def find_script(self, path: str, name: str) -> str:
        """Return the file that a JavaScript file imports under a name, "" where it is outside the project."""
        if name.startswith("."):
            return self._file(posixpath.normpath(posixpath.join(posixpath.dirname(path), name)))
        for alias in self.aliases:
            if name.startswith(alias.prefix) and (path.startswith(f"{alias.folder}/") or not alias.folder):
                found = self._file(alias.target + name[len(alias.prefix) :])
                if found:
                    return found
        for package, folder in self.packages.items():
            if name == package or name.startswith(package + "/"):
                return self._file((folder + name.removeprefix(package)).lstrip("/")) or f"{folder}/"
        inner = name[2:] if name.startswith(("@/", "~/")) else ""
        return next(filter(None, (self._file(top + inner) for top in _tops(path))), "") if inner else ""

    def _file(self, base: str) -> str:
        stem = base.removesuffix(".js")  # TypeScript's own modules are imported by the name they compile to
        return next((guess + end for guess in (base, stem) for end in _GUESSES if guess + end in self.paths), "")


def _tops(path: str) -> list[str]:
    """Return the folders that "@/" may stand for in a file: the nearest src/ above it, then each folder above it."""
    above = path.split("/")[:-1]
    folders = ["".join(part + "/" for part in above[:size]) for size in range(len(above), -1, -1)]
    return [folder for folder in folders if folder.endswith("src/")] + ["src/", *folders]


def _dotted_names(path: str, paths: set[str]) -> list[str]:
    """Return the dotted names by which a Python file may be imported."""
    top = path.rpartition("/")[0]
    while top and f"{top}/__init__.py" in paths:
        top = posixpath.dirname(top)
    stems = [path[len(top) :].strip("/")] + [path[len(root) :] for root in _ROOTS if path.startswith(root)]
    dotted = [stem.removesuffix(".py").replace("/", ".") for stem in stems]
    return list(dict.fromkeys(name.removesuffix(".__init__") for name in dotted))
