"""What a project's own files offer to be run, as what a person types: scripts, targets, recipes, entry points."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from belay.repository.manifests import dependencies, toml

SCRIPTS = 60
"""Scripts of one project that are shown."""
_NAME = re.compile(r"[A-Za-z0-9@][\w:.@/+-]{0,60}")
_RUNNERS = {"npm": "npm run", "pnpm": "pnpm run", "yarn": "yarn", "bun": "bun run"}
_SETTINGS = ("set", "alias", "export", "import", "mod")
_ENTRY = {"uv": "uv run ", "poetry": "poetry run ", "pdm": "pdm run "}

Read = Callable[[str], str]


def scripts(texts: dict[str, str], manager: str, read: Read) -> dict[str, str]:
    """Return name → what to type, of the root; of one name package.json counts before make, just and mise."""
    found: dict[str, str] = {}
    for name in list_package_scripts(texts.get("package.json", "")):
        found.setdefault(name, f"{_RUNNERS.get(manager, 'npm run')} {name}")
    for names, runner in ((_python(texts.get("pyproject.toml", "")), _ENTRY.get(manager, "")),
                          (_make(read), "make "), (_just(read), "just "),
                          (_mise(read), "mise run ")):  # fmt: skip
        for name in names:
            found.setdefault(name, runner + name)
    return dict(list(found.items())[:SCRIPTS])


def find_package_manager(body: str) -> str:
    """Return the package manager that package.json's `packageManager` names, "" when it names none we know."""
    name = str(_loaded(body).get("packageManager", "")).partition("@")[0]
    return name if name in _RUNNERS else ""


def members(read: Read) -> list[Any]:
    """Return the workspace patterns that the root's manifests declare (npm, pnpm, cargo, go)."""
    spaces = _loaded(read("package.json")).get("workspaces")
    spaces = spaces.get("packages") if isinstance(spaces, dict) else spaces
    found = list(spaces) if isinstance(spaces, list) else []
    found += re.findall(r"^[ \t]*-[ \t]*[\"']?([\w@./*-]+)", read("pnpm-workspace.yaml"), re.MULTILINE)
    found += re.findall(r"^[ \t]*(?:use[ \t]+)?(\./[\w./-]+)[ \t\r]*$", read("go.work"), re.MULTILINE)
    rust = dependencies.inner(_toml(read("Cargo.toml")), "workspace").get("members")
    return found + (rust if isinstance(rust, list) else [])


def _loaded(body: str) -> dict[str, Any]:
    try:
        return dependencies.table(body)
    except (ValueError, RecursionError):
        return {}


def _toml(body: str) -> dict[str, Any]:
    try:
        return toml.loads(body)
    except (ValueError, RecursionError):
        return {}


def list_package_scripts(body: str) -> list[str]:
    """Return the names of the scripts of a package.json."""
    return _plain(dependencies.inner(_loaded(body), "scripts"))


def list_make_targets(body: str) -> list[str]:
    """Return the names of the targets of a Makefile."""
    return _plain(dict.fromkeys(name for head in _heads(body) if "=" not in head for name in head.split()))


def _python(body: str) -> list[str]:
    data = _toml(body)
    return _plain(
        {
            **dependencies.inner(data, "tool", "poetry", "scripts"),
            **dependencies.inner(data, "project", "scripts"),
        }
    )


def _make(read: Read) -> list[str]:
    body = next((text for text in map(read, ("GNUmakefile", "makefile", "Makefile")) if text), "")
    return list_make_targets(body)


def _just(read: Read) -> list[str]:
    body = next((text for text in map(read, ("justfile", "Justfile", ".justfile")) if text), "")
    heads = [head.lstrip("@").split() for head in _heads(body)]
    return _plain(dict.fromkeys(words[0] for words in heads if words and words[0] not in _SETTINGS))


def _mise(read: Read) -> list[str]:
    body = next((text for text in map(read, ("mise.toml", ".mise.toml")) if text), "")
    return _plain(dependencies.inner(_toml(body), "tasks"))


def _heads(body: str) -> list[str]:
    """Return the text before the first colon of each line that begins a rule; assignments begin none."""
    parts = [line.partition(":") for line in body.split("\n") if line[:1] not in ("", " ", "\t", "#", ".", "_")]
    return [head for head, colon, rest in parts if colon and rest[:1] != "="]


def _plain(names: dict[str, Any]) -> list[str]:
    """Return the names that a person can type as one word."""
    return [name for name in names if _NAME.fullmatch(name)]
