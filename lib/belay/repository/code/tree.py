"""The source files of a project: as git lists them, without what others wrote (vendored, built, generated)."""

from __future__ import annotations

import os
import posixpath
import re
from functools import cached_property

from belay.core import files
from belay.core.errors import BelayError
from belay.repository import projects
from belay.repository.code import path_aliases
from belay.repository.code.imports import ImportTree
from belay.repository.code.masking import LANGUAGES
from belay.repository.code.source import Source
from belay.repository.git import process

SOURCE_BYTES = 400_000
"""A larger source file is generated, or data."""
MOST_FILES = 100_000
_LINE_CHARS = 2000  # a longer line near the beginning: minified
_FOREIGN = frozenset(
    "node_modules third_party bower_components site-packages .next .nuxt .svelte-kit .turbo .git .venv venv _vendor"
    " __pycache__ __generated__ generated .yarn .claude storybook-static".split()
)
_BUILT = frozenset("vendor dist build out coverage public static".split())
"""Folders that tools fill, beside a manifest; elsewhere the words are names like any other."""
_FIXTURES = frozenset(
    "fixtures fixture __fixtures__ testdata test-data test_data mocks mock __mocks__ snapshots __snapshots__".split()
)
_SHOWN = frozenset(
    "examples example _examples samples sample docs doc demos demo stories benchmarks bench playground"
    " cookiecutter".split()
)
_INNER = frozenset("src app pages internal pkg cmd lib".split())
"""Below one of these `docs` or `demo` is a part of the program."""
_GENERATED_NAME = re.compile(
    r"\.min\.[cm]?js$|\.d\.[cm]?ts$|\.pb(?:\.gw)?\.go$|_pb2(?:_grpc)?\.py$|[._]gen(?:erated)?\.\w+$|(?:^|/)zz_generated"
    r"|\.bundle\.js$|[.-]stories\.\w+$"
)
_GENERATED = re.compile(r"^(?://|#|/\*|\s\*).*(?:Code generated .*DO NOT EDIT|@generated\b)", re.MULTILINE)
_TEST_NAME = re.compile(
    r"[._](?:test|spec|cy|e2e|e2e-spec)\.[cm]?[jt]sx?$|_test\.(?:go|py)$|(?:^|/)test_[^/]*\.py$|(?:^|/)(?:conftest|tests)\.py$"
)
_TEST_FOLDERS = frozenset(
    ("tests", "test", "__tests__", "e2e", "cypress", "playwright", "testing", "testutil", "testutils")
)
_MANIFESTS = ("package.json", "pyproject.toml", "go.mod")
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_NAME = re.compile(r'^\s{0,4}"name"\s*:\s*"([^"\n]{1,100})"', re.MULTILINE)


class CodeTree:
    """The files of the project at `root`; paths are relative to it, with forward slashes."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.paths = _list_paths(root)
        self.known = frozenset(self.paths)
        self._read: dict[str, Source | None] = {}
        self._tops = {posixpath.dirname(path) for path in self.paths if posixpath.basename(path) in _MANIFESTS}
        self.sources = [path for path in self.paths if is_source(path) and not self._is_built(path)]

    def read(self, path: str) -> Source | None:
        """Return a source file; None for any other, and one that is unreadable, too large, minified or generated."""
        if path not in self._read:
            text = self.text(path) if is_source(path) else ""
            self._read[path] = Source(path, text) if text and not _is_generated(text) else None
        return self._read[path]

    def text(self, path: str) -> str:
        """Return the text of a file, "" for a link, a pipe, a binary or a large file."""
        full = os.path.join(self.root, path)
        try:
            status = files.check_plain(full)
            data = files.load(full) if status and status.st_size <= SOURCE_BYTES else b""
        except OSError:
            return ""
        text = "" if b"\0" in data else data.decode("utf-8-sig", "replace")
        return text.replace("\r\n", "\n") if "\r" in text else text

    def list_below(self, folder: str) -> list[str]:
        """Return the source files below a folder that belong to it, without examples, fixtures and documents.

        Such a folder is left out only below the one that is asked for, and not where it is a package of its own.
        """
        start = f"{folder}/" if folder else ""
        return [path for path in self.sources if path.startswith(start) and not self.is_aside(path, folder)]

    def is_aside(self, path: str, folder: str) -> bool:
        """Whether a file below a folder is an example, a fixture or a document of it."""
        start = len(folder) + bool(folder)
        parts = path[start:].lower().split("/")[:-1]
        if not _FIXTURES.isdisjoint(parts):
            return True
        for number, part in enumerate(parts):
            if part in _INNER:
                break
            if part in _SHOWN and path[: start + len("/".join(parts[: number + 1]))] not in self._tops:
                return True
        return False

    def _is_built(self, path: str) -> bool:
        parts = path.split("/")[:-1]
        if _BUILT.isdisjoint(parts):
            return False
        tops = ("/".join(parts[:number]) for number, part in enumerate(parts) if part in _BUILT)
        return any(not top or top in self._tops for top in tops)

    @cached_property
    def python_tops(self) -> frozenset[str]:
        """The names of the folders and modules with which the path of a Python module may begin."""
        paths = [path.removesuffix(".py") for path in self.sources if path.endswith(".py")]
        return frozenset(part for path in paths for part in path.split("/"))

    @cached_property
    def imports(self) -> ImportTree:
        """What finds the files that imports name."""
        packages = {}
        for folder in sorted(self._tops):
            name = _NAME.search(self.text(posixpath.join(folder, "package.json")) if folder else "")
            if name:
                packages[name[1]] = folder
        configurations = [path for path in self.paths if posixpath.basename(path) in path_aliases.NAMES]
        own = [path for path in configurations if _FOREIGN.isdisjoint(path.split("/"))]
        aliases = [alias for path in own for alias in path_aliases.read_aliases(path, self.text(path))]
        return ImportTree(self.known, packages, "", self._find_modules(), aliases)

    def _find_modules(self) -> dict[str, str]:
        found = {}
        for folder in self._tops:
            path = posixpath.join(folder, "go.mod")
            name = _MODULE.search(self.text(path)) if path in self.known else None
            if name:
                found[name[1]] = folder
        return found


def is_test(path: str, folder: str = "") -> bool:
    """Whether a source file is a test or its helper, as seen from a folder above it."""
    inner = path[len(folder) :].strip("/")
    return bool(_TEST_NAME.search(path)) or not _TEST_FOLDERS.isdisjoint(inner.lower().split("/")[:-1])


def is_source(path: str) -> bool:
    """Whether a file holds code that is read, by its name: no generated, vendored or minified one."""
    if posixpath.splitext(path)[1] not in LANGUAGES or _GENERATED_NAME.search(path):
        return False
    return _FOREIGN.isdisjoint(path.split("/")[:-1])


def _is_generated(text: str) -> bool:
    beginning = text[:_LINE_CHARS]
    if len(beginning) == _LINE_CHARS and "\n" not in beginning:
        return True
    return bool(_GENERATED.search(beginning))


def _list_paths(root: str) -> list[str]:
    if projects.is_repository(root):
        try:
            answer = process.run(root, "ls-files", "-co", "--exclude-standard", "-z", timeout=20.0)
            return sorted(set(process.split_fields(answer)))[:MOST_FILES]
        except BelayError:
            pass
    return sorted(_walk(root))


def _walk(root: str) -> list[str]:
    found: list[str] = []
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if name not in _FOREIGN and not name.startswith(".")]
        start = os.path.relpath(folder, root).replace(os.sep, "/")
        found += [name if start == "." else f"{start}/{name}" for name in names]
        if len(found) > MOST_FILES:
            break
    return found
