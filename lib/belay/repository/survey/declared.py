"""Services and APIs that a project's own files declare, each with the file and line that says so.

Read line by line: nothing is expanded, no alias followed, no tag constructed. Files of examples, tests and vendored
code say nothing about the project.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from belay.repository.survey import files, quotes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SERVICE, API, REPOSITORY, PACKAGE = "service", "api", "repository", "package"
KINDS = (SERVICE, API, REPOSITORY, PACKAGE)
MOST_FILES, MOST_NAMES, MOST_LINES = 20, 40, 5000
NAME_CHARS = 100
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml$")
_OPENAPI = re.compile(r"(?:^|/)[\w.-]*(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$", re.IGNORECASE)
_PASSED = re.compile(
    r"(?:^|/)(?:node_modules|vendor|third_party|dist|build|target|venv|\.venv|tests?|testdata|fixtures|__tests__|"
    r"examples?|samples?|templates?)/",
    re.IGNORECASE,
)
_KEY = re.compile(r"^([ \t]+)[\"']?([A-Za-z0-9][\w.-]*)[\"']?[ \t]*:[ \t]*(?:$|[#&{<])")
_VERSION = re.compile(r"^[\"']?(openapi|swagger)[\"']?[ \t]*:[ \t]*[\"']?(\d[\w.]*)")
_TITLE = re.compile(r"^[ \t]+[\"']?title[\"']?[ \t]*:[ \t]*(.+?)[ \t]*$")


class Declared(NamedTuple):
    """One thing that a project's files name: its kind, its name, and where it is said."""

    kind: str
    name: str
    evidence: str


def find_declared(root: str, paths: Sequence[str]) -> list[Declared]:
    """Return the services of compose files and the APIs of OpenAPI files among a project's own paths."""
    own = [path for path in paths if not _PASSED.search(path) and quotes.path(path)]
    own.sort(key=lambda path: (path.count("/"), path))
    found = [one for path in own if _COMPOSE.search(path) for one in _read_services(root, path)]
    found += [one for path in own if _OPENAPI.search(path) for one in _read_api(root, path)]
    unique: dict[tuple[str, str], Declared] = {}
    for one in found:
        unique.setdefault((one.kind, one.name), one)
    return list(unique.values())[: 2 * MOST_NAMES]


def _read_services(root: str, path: str) -> Iterator[Declared]:
    depth, inside = 0, False
    for number, line in enumerate(files.text(root, path).split("\n")[:MOST_LINES], 1):
        if line and not line[0].isspace() and not line.startswith("#"):
            inside, depth = line.split("#")[0].strip() == "services:", 0
            continue
        key = _KEY.match(line) if inside else None
        if key and (not depth or len(key[1]) == depth):
            depth = len(key[1])
            name = quotes.line(key[2], NAME_CHARS)
            if name == key[2]:
                yield Declared(SERVICE, name, f"{path}:{number}")


def _read_api(root: str, path: str) -> Iterator[Declared]:
    text = files.text(root, path)
    title, version, number = _read_json(text) if path.endswith(".json") else _read_yaml(text)
    name = quotes.line(title.strip("\"' "), NAME_CHARS)
    if name and version:
        yield Declared(API, name, f"{path}:{number} (OpenAPI {version})")


def _read_json(text: str) -> tuple[str, str, int]:
    """Return (title, version, line) of an OpenAPI document, the first two "" for what is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return "", "", 0
    data = data if isinstance(data, dict) else {}
    version, about = data.get("openapi") or data.get("swagger"), data.get("info")
    title = about.get("title") if isinstance(about, dict) else ""
    if not isinstance(version, str) or not isinstance(title, str):
        return "", "", 0
    return title, quotes.line(version, 20), 1


def _read_yaml(text: str) -> tuple[str, str, int]:
    title = version = ""
    at, inside = 0, False
    for number, line in enumerate(text.split("\n")[:MOST_LINES], 1):
        found = _VERSION.match(line)
        if found:
            version, at = found[2], number
        elif line and not line[0].isspace() and not line.startswith("#"):
            inside = line.split("#")[0].strip().strip("\"'") in ("info:", 'info":')
        elif inside and not title and (named := _TITLE.match(line)):
            title = named[1]
    return title, version, at
