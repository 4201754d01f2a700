"""What a project is made of, read from its own manifests: nothing is guessed, what cannot be read is left out."""

from __future__ import annotations

import os
from typing import Any

from belay.core import files
from belay.core.constants import FILE_BYTES
from belay.core.paths import inside
from belay.repository.manifests import dependencies, known_packages, scripts, toml, xml

MANIFESTS = 40
"""Manifests of one project that are read: the root's and those one level below, workspaces first."""
_PASSED = frozenset(["node_modules", "vendor", "dist", "build", "target", "venv", "third_party", "testdata"])
_MANAGERS = {
    "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun",
    "package-lock.json": "npm", "npm-shrinkwrap.json": "npm", "uv.lock": "uv", "poetry.lock": "poetry",
    "pdm.lock": "pdm", "Pipfile.lock": "pipenv", "package.json": "npm", "pyproject.toml": "pip",
    "requirements.txt": "pip", "setup.py": "pip", "go.mod": "go", "Cargo.toml": "cargo", "Gemfile": "bundler",
    "composer.json": "composer", "pom.xml": "maven",
}  # fmt: skip
"""File at the root → what installs, the surest first; a `packageManager` field counts before all of them."""
_LANGUAGES = {
    "tsconfig.json": "TypeScript", "deno.json": "TypeScript", "package.json": "JavaScript",
    "pyproject.toml": "Python", "setup.py": "Python", "requirements.txt": "Python", "Pipfile": "Python",
    "go.mod": "Go", "Cargo.toml": "Rust", "Gemfile": "Ruby", "gems.rb": "Ruby", "composer.json": "PHP",
    "build.gradle.kts": "Kotlin", "build.gradle": "Java", "pom.xml": "Java", "mix.exs": "Elixir",
    "Package.swift": "Swift", "pubspec.yaml": "Dart", "CMakeLists.txt": "C++",
}  # fmt: skip


def stack(root: str) -> dict[str, Any]:
    """Return what the manifests of a project say.

    {"name", "description", "languages": [..], "frameworks": [..], "manager", "scripts": {name: what to type},
    "manifests": [paths from the root], "dependencies": {manifest: {package: version}}}; what none says is "".
    """
    paths = manifests(root)
    texts = {path: text(root, path) for path in paths}
    found = {path: dependencies.dependencies(path, texts[path]) for path in paths}
    name, description = _about(root, texts)
    return {
        "name": name,
        "description": description,
        "languages": _languages(root, found),
        "frameworks": frameworks(found),
        "manager": _manager(root, texts),
        "scripts": scripts.scripts(texts, _manager(root, texts), lambda path: text(root, path)),
        "manifests": paths,
        "dependencies": found,
    }


def frameworks(found: dict[str, dict[str, str]]) -> list[str]:
    """Return what people call the known packages among the dependencies of some manifests, each once."""
    names = [known_packages.called(package) for packages in found.values() for package in packages]
    return list(dict.fromkeys(name for name in names if name))


def manifests(root: str) -> list[str]:
    """Return the manifests of the root and of the folders one level below it, as paths from the root."""
    folders = ["", *workspaces(root), *_below(root)]
    found = [folder + name for folder in dict.fromkeys(folders) for name in _files(root, folder)]
    return [path for path in dict.fromkeys(found) if dependencies.is_manifest(path)][:MANIFESTS]


def workspaces(root: str) -> list[str]:
    """Return the folders, with "/" at their end, that the root's manifests declare as members of the project."""
    patterns = [str(row) for row in scripts.members(lambda path: text(root, path)) if isinstance(row, str)]
    found: list[str] = []
    for pattern in patterns[:MANIFESTS]:
        found += _members(root, pattern.replace("\\", "/").strip("./"))
    return found


def text(root: str, path: str) -> str:
    """Return the text of a plain file inside the root, "" when it is none, a link out of it or over 1 MB."""
    real = inside(root, path)
    if not os.path.isfile(real):
        return ""
    data = files.read(real, FILE_BYTES + 1)
    return data.decode("utf-8", "replace") if len(data) <= FILE_BYTES else ""


def _below(root: str) -> list[str]:
    return [name + "/" for name in _folders(root, "") if name not in _PASSED]


def _members(root: str, pattern: str) -> list[str]:
    folder, _, last = pattern.rpartition("/")
    if ".." in pattern.split("/") or "*" in folder or not pattern:
        return []
    if "*" not in last:
        return [pattern + "/"]
    return [f"{folder}/{name}/" if folder else f"{name}/" for name in _folders(root, folder)]


def _folders(root: str, folder: str) -> list[str]:
    """Return the folders in a folder that may hold a part of the project, in order."""
    return _names(root, folder, folders=True)[: MANIFESTS * 5]


def _files(root: str, folder: str) -> list[str]:
    inner = ["requirements/" + name for name in _names(root, folder + "requirements", folders=False)]
    return _names(root, folder, folders=False) + inner


def _names(root: str, folder: str, folders: bool) -> list[str]:
    try:
        with os.scandir(os.path.join(root, folder)) as entries:
            rows = [
                entry.name
                for entry in entries
                if not entry.name.startswith(".") and (entry.is_dir(follow_symlinks=False) == folders)
            ]
    except (OSError, ValueError):
        return []
    return sorted(rows)


def _about(root: str, texts: dict[str, str]) -> tuple[str, str]:
    """Return name and description as the first manifest of the root that has them says."""
    rows = [_said(path, body) for path, body in texts.items() if "/" not in path]
    names, descriptions = [row[0] for row in rows if row[0]], [row[1] for row in rows if row[1]]
    name = names[0] if names else os.path.basename(os.path.abspath(root))
    return _line(name, 100), _line(descriptions[0], 300) if descriptions else ""


def _said(path: str, body: str) -> tuple[object, object]:
    try:
        data = _tables(path, body)
    except (ValueError, RecursionError):
        return "", ""
    name, description = (
        next((row[key] for row in data if isinstance(row.get(key), str) and row[key].strip()), "")
        for key in ("name", "description")
    )
    return name, description


def _tables(path: str, body: str) -> list[dict[str, Any]]:
    """Return the tables of a manifest that may hold the project's name and description."""
    if path in ("package.json", "composer.json"):
        return [dependencies.table(body)]
    if path in ("pyproject.toml", "Cargo.toml"):
        data = toml.loads(body)
        places = (("project",), ("tool", "poetry"), ("package",))
        return [dependencies.inner(data, *keys) for keys in places]
    if path == "pom.xml":
        about = xml.read(body).about
        return [about, {"name": about.get("artifactId", "")}]
    module = [line.split()[1] for line in body.split("\n") if line.startswith("module ") and line.split()[1:]]
    return [{"name": module[0].rpartition("/")[2]}] if path == "go.mod" and module else []


def _languages(root: str, found: dict[str, dict[str, str]]) -> list[str]:
    here = set(_names(root, "", folders=False)) | {path.rpartition("/")[2] for path in found}
    names = [name for file, name in _LANGUAGES.items() if file in here]
    packages = {package for packages in found.values() for package in packages}
    names = ["TypeScript", *names] if "typescript" in packages else names
    names += ["Kotlin"] if any(package.startswith("org.jetbrains.kotlin:") for package in packages) else []
    names += ["Python"] if any(path.endswith(".txt") for path in found) else []
    plain = "JavaScript" if "TypeScript" in names else ""
    return [name for name in dict.fromkeys(names) if name != plain]


def _manager(root: str, texts: dict[str, str]) -> str:
    """Return what installs the project: the `packageManager` field, else the first lock file or manifest."""
    asked = scripts.find_package_manager(texts.get("package.json", ""))
    here = set(_names(root, "", folders=False))
    found = [manager for name, manager in _MANAGERS.items() if name in here]
    body, first = texts.get("pyproject.toml", ""), found[0] if found else ""
    tools = [tool for tool in ("uv", "poetry", "pdm") if f"\n[tool.{tool}" in "\n" + body]
    return asked or (tools[0] if first == "pip" and tools else first)


def _line(said: object, most: int) -> str:
    return " ".join(str(said).split())[:most]
