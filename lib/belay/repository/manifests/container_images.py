"""Versions of databases and runtimes that container files and version files pin: `postgres:16`, `.nvmrc`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.repository.manifests import stack

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

FILES = 20
_COMPOSE = re.compile(r"(?:^|/)(?:docker-)?compose[\w.-]*\.ya?ml$")
_DOCKER = re.compile(r"(?:^|/)(?:[\w.-]+\.)?Dockerfile(?:\.[\w-]+)?$")
_IMAGE = re.compile(r"^\s*(?:image:|FROM)\s+[\"']?(?:[\w./-]+/)?([a-z][\w-]*):v?(\d+(?:\.\d+){0,2})", re.MULTILINE)
_PLAIN = {".nvmrc": "node", ".node-version": "node", ".python-version": "python", ".go-version": "golang"}
_NAMES = {
    "postgres": ("PostgreSQL", "Postgres"), "redis": ("Redis",), "mysql": ("MySQL",), "mariadb": ("MariaDB",),
    "mongo": ("MongoDB", "Mongo"), "node": ("Node.js", "Node"), "python": ("Python",), "golang": ("Go",),
    "elasticsearch": ("Elasticsearch",), "rabbitmq": ("RabbitMQ",), "nginx": ("nginx", "Nginx"), "ruby": ("Ruby",),
}  # fmt: skip
"""An image → how people call what is in it."""
_OPEN = re.compile(
    r"\+|\b(?:or|to|and) (?:newer|later|above|up|higher)\b|>=|≥|\bat least\b|\bminimum\b|\bsupport", re.I
)


class Pinned(NamedTuple):
    """A version that a file pins."""

    image: str
    version: str
    path: str


class WrongImage(NamedTuple):
    """A product as a text writes it with its version, and the file and version that contradict it."""

    name: str
    written: str
    version: str
    path: str


def read_images(root: str, names: Collection[str]) -> list[Pinned]:
    """Return what the container files and version files among some files pin."""
    found: list[Pinned] = []
    paths = [name for name in names if _COMPOSE.search(name) or _DOCKER.search(name)]
    for path in sorted(paths)[:FILES]:
        found += [Pinned(image, version, path) for image, version in _IMAGE.findall(stack.text(root, path))]
    for path, image in _PLAIN.items():
        version = re.match(r"\s*v?(\d+(?:\.\d+)*)", stack.text(root, path)) if path in names else None
        found += [Pinned(image, version[1], path)] if version else []
    return [row for row in found if row.image in _NAMES]


def find_wrong(text: str, pinned: list[Pinned]) -> Iterator[WrongImage]:
    """Yield the versions of a text that nothing pinned has; a range or "or newer" says nothing exact."""
    for image in {row.image for row in pinned}:
        rows = [row for row in pinned if row.image == image]
        for name in _NAMES[image]:
            for found in re.finditer(rf"(?<![\w./-]){re.escape(name)} v?(\d+(?:\.\d+)*)(?![\w%]|\.\d)", text):
                is_open = _OPEN.search(text[found.end() :][:20]) or _OPEN.search(text[: found.start()][-20:])
                if not is_open and not any(_fits(found[1], row.version) for row in rows):
                    yield WrongImage(name, found[1], rows[0].version, rows[0].path)


def _fits(written: str, pinned: str) -> bool:
    """Whether two versions agree as far as both are written."""
    return all(one == other for one, other in zip(written.split("."), pinned.split("."), strict=False))
