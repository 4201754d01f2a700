"""Which package a manifest publishes, under the name by which others depend on it."""

from __future__ import annotations

from typing import Any

from belay.repository.manifests import dependencies, toml

_NAME_CHARS = 214


def read_package_name(path: str, text: str) -> str:
    """Return the name of the package that a manifest makes, "" where it makes none that others could name."""
    reader = _READERS.get(path.rpartition("/")[2])
    try:
        name = reader(text) if reader else ""
    except (ValueError, RecursionError):
        return ""
    return name if isinstance(name, str) and 0 < len(name) <= _NAME_CHARS and name.isprintable() else ""


def _node(text: str) -> Any:
    return dependencies.table(text).get("name")


def _python(text: str) -> Any:
    data = toml.loads(text)
    name = dependencies.inner(data, "project").get("name") or dependencies.inner(data, "tool", "poetry").get("name")
    return dependencies.normal(name) if isinstance(name, str) else ""


def _rust(text: str) -> Any:
    return dependencies.inner(toml.loads(text), "package").get("name")


def _go(text: str) -> Any:
    words = [line.split() for line in text.split("\n")[:200] if line.startswith("module ")]
    return words[0][1].strip('"') if words and len(words[0]) > 1 else ""


_READERS = {
    "package.json": _node, "composer.json": _node, "pyproject.toml": _python, "Cargo.toml": _rust, "go.mod": _go,
}  # fmt: skip
