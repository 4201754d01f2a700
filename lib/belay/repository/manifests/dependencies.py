"""Dependencies by name out of the text of a manifest; broken or hostile text has none. Text in, values out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from belay.core.constants import FILE_BYTES
from belay.repository.manifests import toml, xml

VALUE_CHARS = 120
"""Characters of a version or constraint that are kept."""
DEPENDENCIES = 2000
"""Entries of one manifest that are looked at."""
_NAME_CHARS = 214  # the longest name that npm allows

_NODE = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_CARGO = ("dependencies", "dev-dependencies", "build-dependencies")
_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)")
_EGG = re.compile(r"#egg=([A-Za-z0-9][A-Za-z0-9._-]*)")
_GEM = re.compile(r"""^[ \t]*gem[ (][ \t]*["']([^"'\s]+)["']((?:\s*,\s*["'][^"']*["'])*)""", re.MULTILINE)
_QUOTED = re.compile(r"""["']([^"']*)["']""")
_GO = re.compile(r"^(?:require\s+)?\"?([\w.~-]+(?:/[\w.~-]+)*)\"?\s+(v[^\s/]+)$")
_LOGIN = re.compile(r"(?<=://)[^/\s]*@|(?<=[\w/])\?[^\s#?]*=[^\s#]*")


def dependencies(path: str, text: str) -> dict[str, str]:
    """Return name → version or constraint of a manifest, recognised by its file name; {} for whatever is none.

    All groups count (development, optional, workspace); what Go marks as indirect and what PHP calls a
    platform do not. Python's names are normalised (PEP 503). Passwords in addresses are left out.
    """
    read = reader(path)
    if read is None or len(text) > FILE_BYTES:
        return {}
    try:
        found = read(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}
    pairs = [(name, value) for name, value in found.items() if 0 < len(name) <= _NAME_CHARS]
    return {name: _plain(value) for name, value in pairs[:DEPENDENCIES]}


def is_manifest(path: str) -> bool:
    """Whether a path is named like a manifest that `dependencies` reads."""
    return reader(path) is not None


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Return {"added": {name: version}, "removed": {name: version}, "changed": {name: [from, to]}}."""
    both = [name for name in new if name in old and new[name] != old[name]]
    return {
        "added": {name: value for name, value in new.items() if name not in old},
        "removed": {name: value for name, value in old.items() if name not in new},
        "changed": {name: [old[name], new[name]] for name in both},
    }


def reader(path: str) -> Callable[[str], dict[str, str]] | None:
    """Return what reads a manifest of this name, None where it is none."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    inside = folder.rpartition("/")[2] == "requirements"
    if name.endswith(".txt") and (name.startswith("requirements") or inside):
        return requirements
    return _READERS.get(name)


def table(text: str) -> dict[str, Any]:
    """Return the object of a JSON text, {} where it is something else; ValueError where it is broken."""
    import json

    found = json.loads(text)
    return found if isinstance(found, dict) else {}


def inner(value: object, *keys: str) -> dict[str, Any]:
    """Return the table below some keys, {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _groups(data: object, names: tuple[str, ...]) -> dict[str, str]:
    """Return name → version of several tables; of a name in two of them the first one counts."""
    found: dict[str, str] = {}
    for group in names:
        for name, value in inner(data, group).items():
            found.setdefault(name, _version(value))
    return found


def _version(value: object) -> str:
    """Return the version of an entry that is a string, or a table as Cargo and Poetry write it."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        rows = [value.get(key) for key in ("version", "rev", "tag", "branch", "git", "path", "url")]
        value = next((row for row in rows if isinstance(row, str)), "")
    return value if isinstance(value, str) else ""


def _node(text: str) -> dict[str, str]:
    return _groups(table(text), _NODE)


def _composer(text: str) -> dict[str, str]:
    found = _groups(table(text), ("require", "require-dev"))
    return {name: value for name, value in found.items() if "/" in name}


def requirements(text: str) -> dict[str, str]:
    """Return name → constraint of a pip requirements file; what it includes is not followed."""
    found: dict[str, str] = {}
    for line in text.replace("\\\n", " ").split("\n"):
        egg = _EGG.search(line)
        if egg:
            found.setdefault(normal(egg[1]), "")
        elif line.strip() and not line.lstrip().startswith(("#", "-")):
            found.update({name: value for name, value in _requirement(line) if name not in found})
    return found


def _requirement(line: object) -> list[tuple[str, str]]:
    """Return (name, constraint) of one PEP 508 requirement, [] for whatever is none."""
    text = line.partition(" #")[0].partition(" --")[0].strip() if isinstance(line, str) else ""
    found = _REQUIREMENT.match(text[:1000])
    if not found or text[found.end(1) :].lstrip().startswith((":", "/", "\\")):
        return []
    return [(normal(found[1]), " ".join(found[2].split()))]


def normal(name: str) -> str:
    """Return a Python package's name as the index compares it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _pyproject(text: str) -> dict[str, str]:
    data = toml.loads(text)
    tables = [inner(data, "project", "optional-dependencies"), inner(data, "dependency-groups")]
    lists = [inner(data, "project").get("dependencies"), inner(data, "tool", "uv").get("dev-dependencies")]
    lists += [row for group in tables for row in group.values()]
    rows = [pair for row in lists if isinstance(row, list) for one in row for pair in _requirement(one)]
    found = {**_poetry(inner(data, "tool", "poetry")), **dict(reversed(rows))}
    found.pop(normal(str(inner(data, "project").get("name") or "")), None)  # its own extras, not a dependency
    return found


def _poetry(data: dict[str, Any]) -> dict[str, str]:
    found = _groups(data, ("dependencies", "dev-dependencies"))
    for group in inner(data, "group").values():
        found = {**_groups(group, ("dependencies",)), **found}
    return {normal(name): value for name, value in found.items() if name != "python"}


def _cargo(text: str) -> dict[str, str]:
    data = toml.loads(text)
    found = _groups(data, _CARGO)
    for target in (*inner(data, "target").values(), inner(data, "workspace")):
        found = {**_groups(target, _CARGO), **found}
    return found


def _go(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    block = ""
    for raw in text.split("\n"):
        line, _, comment = raw.partition("//")
        line = line.strip()
        if line.endswith("("):
            block = line[:-1].strip()
        elif line == ")":
            block = ""
        elif "indirect" not in comment and (block == "require" or line.startswith("require ")):
            found.update([(row[1], row[2]) for row in [_GO.match(line)] if row])
    return found


def _gemfile(text: str) -> dict[str, str]:
    return {row[1]: ", ".join(_QUOTED.findall(row[2])) for row in _GEM.finditer(text)}


def _plain(value: str) -> str:
    """Return a version on one line, without the login of an address."""
    return _LOGIN.sub("", " ".join(value.split()))[:VALUE_CHARS]


_READERS: dict[str, Callable[[str], dict[str, str]]] = {
    "package.json": _node,
    "pyproject.toml": _pyproject,
    "go.mod": _go,
    "Cargo.toml": _cargo,
    "Gemfile": _gemfile,
    "gems.rb": _gemfile,
    "composer.json": _composer,
    "pom.xml": xml.dependencies,
}
