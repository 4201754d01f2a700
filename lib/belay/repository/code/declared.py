"""Which packages the manifests above a file declare, and which of them an import means."""

from __future__ import annotations

import posixpath
import re
from functools import cached_property

from belay.repository.code.facts import DEPENDENCY, Fact
from belay.repository.code.masking import GO, PYTHON
from belay.repository.code.tree import CodeTree
from belay.repository.manifests import dependencies

_NAMES = {
    "package.json": re.compile(r"package\.json$"),
    PYTHON: re.compile(r"(?:pyproject\.toml|requirements[^/]*\.txt|requirements/[^/]+\.txt)$"),
    GO: re.compile(r"go\.mod$"),
}
_PYTHON_NAMES = {
    "yaml": "pyyaml", "bs4": "beautifulsoup4", "pil": "pillow", "cv2": "opencv-python", "sklearn": "scikit-learn",
    "dateutil": "python-dateutil", "jwt": "pyjwt", "dotenv": "python-dotenv", "jose": "python-jose", "git":
    "gitpython", "multipart": "python-multipart", "psycopg2": "psycopg2-binary", "mysqldb": "mysqlclient", "attr":
    "attrs", "rest-framework": "djangorestframework", "corsheaders": "django-cors-headers", "grpc": "grpcio",
    "magic": "python-magic", "crypto": "pycryptodome", "slugify": "python-slugify", "zmq": "pyzmq", "openssl":
    "pyopenssl", "docx": "python-docx", "telegram": "python-telegram-bot", "discord": "discord-py", "nacl":
    "pynacl", "kafka": "kafka-python", "environ": "django-environ", "decouple": "python-decouple", "pkg-resources":
    "setuptools", "skimage": "scikit-image", "fitz": "pymupdf", "ldap": "python-ldap", "socketio":
    "python-socketio", "debug-toolbar": "django-debug-toolbar", "rest-framework-simplejwt":
    "djangorestframework-simplejwt", "speech-recognition": "speechrecognition", "google.protobuf": "protobuf",
    "tlz": "toolz", "github": "pygithub",
}  # fmt: skip
"""Import name → name at the package index, where the two differ."""
_AROUND = ("{}", "python-{}", "django-{}", "py{}", "{}-binary", "{}-python", "{}-py")


class Manifests:
    """The manifests of a project and what each declares."""

    def __init__(self, tree: CodeTree) -> None:
        self.tree = tree
        self._known: dict[str, dict[str, str]] = {}

    @cached_property
    def paths(self) -> dict[str, list[str]]:
        """Folder → manifests in it (of requirements/ the folder above it)."""
        found: dict[str, list[str]] = {}
        for path in self.tree.paths:
            if dependencies.is_manifest(path) and not {"node_modules", "vendor"} & set(path.split("/")):
                folder = posixpath.dirname(path)
                folder = posixpath.dirname(folder) if posixpath.basename(folder) == "requirements" else folder
                found.setdefault(folder, []).append(path)
        return found

    def read(self, path: str) -> dict[str, str]:
        """Return name → version of one manifest."""
        if path not in self._known:
            self._known[path] = dependencies.dependencies(path, self.tree.text(path))
        return self._known[path]

    def find_declared(self, path: str, module: str, language: str) -> str:
        """Return the declared package that an import of a file comes from, "" where no manifest above it says."""
        kind = language if language in _NAMES else "package.json"
        for folder in _list_above(path):
            for manifest in self.paths.get(folder, ()):
                if _NAMES[kind].search(manifest):
                    name = _find_name(self.read(manifest), module, kind)
                    if name:
                        return name
        return ""

    def list_facts(self, folder: str) -> list[Fact]:
        """Return what the manifests in a folder and below it declare, each package at its line."""
        found = []
        start = f"{folder}/" if folder else ""
        below = [path for paths in self.paths.values() for path in paths if path.startswith(start)]
        for manifest in below:
            if self.tree.is_aside(manifest, folder):
                continue
            lines = self.tree.text(manifest).split("\n")
            for name in self.read(manifest):
                line = _find_line(lines, name)
                if line:
                    found.append(Fact(DEPENDENCY, name, manifest, line))
        return found


def _list_above(path: str) -> list[str]:
    """Return the folders above a file, the nearest first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:size]) for size in range(len(parts), -1, -1)]


def _find_name(declared: dict[str, str], module: str, kind: str) -> str:
    if kind == GO:
        return max((name for name in declared if f"{module}/".startswith(f"{name}/")), key=len, default="")
    if kind != PYTHON:
        parts = module.split("/")
        name = "/".join(parts[:2]) if module.startswith("@") else parts[0]
        return name if name in declared else ""
    names = [dependencies.normal(".".join(module.split(".")[:size]).replace(".", "-")) for size in (3, 2, 1)]
    known = [_PYTHON_NAMES[name] for name in (module.lower(), names[2]) if name in _PYTHON_NAMES]
    guesses = known + [shape.format(name) for shape in _AROUND[:1] for name in names]
    guesses += [shape.format(names[2]) for shape in _AROUND[1:]]
    return next((name for name in guesses if name in declared), "")


def _find_line(lines: list[str], name: str) -> int:
    """Return the line of a manifest that begins with a package's name, quoted or not; 0 where none does."""
    loose = r"[-_.]+".join(map(re.escape, name.split("-")))
    pattern = re.compile(rf"""^\s*(?:require\s+)?[\["'(\w\s=-]*?["']?(?<![\w@/.-]){loose}(?![\w/.-])""", re.IGNORECASE)
    return next((number for number, line in enumerate(lines, 1) if pattern.match(line)), 0)
