"""The dependencies of Maven's pom.xml, read as events: no tree to nest, no entity to grow."""

from __future__ import annotations

import re
from typing import Any

_PLACES = (
    "project/dependencies/dependency",
    "project/dependencyManagement/dependencies/dependency",
    "project/parent",
)
_NAMED = re.compile(r"\$\{([^{}]+)\}")
_CHARS = 120
"""Characters of a name or value that are kept, before a property can stand in for them many times."""
_DEPTH = 8
"""Elements deeper than this belong to plugins and profiles and are passed over."""


def dependencies(text: str) -> dict[str, str]:
    """Return group:artifact → version, versions that a property names filled in; ValueError where it is broken."""
    events = read(text)
    found = {f"{row['groupId']}:{row['artifactId']}": row.get("version", "") for row in events.rows}
    return {
        name: _NAMED.sub(lambda part: events.values.get(part[1], part[0]), version) for name, version in found.items()
    }


class Events:
    """What is kept of a pom: `rows` of dependencies, `values` of properties, `about` of the project itself."""

    def __init__(self) -> None:
        self.path: list[str] = []
        self.text: list[str] = []
        self.row: dict[str, str] = {}
        self.rows: list[dict[str, str]] = []
        self.values: dict[str, str] = {}
        self.about: dict[str, str] = {}

    def begin(self, name: str, _: Any) -> None:
        self.path.append(name[:_CHARS].rpartition(":")[2])
        self.text = []
        if "/".join(self.path[:_DEPTH]) in _PLACES and len(self.path) < _DEPTH:
            self.row = {}

    def said(self, data: str) -> None:
        self.text.append(data)

    def end(self, _: str) -> None:
        name = self.path.pop()
        if len(self.path) >= _DEPTH:
            return
        place, value = "/".join(self.path), "".join(self.text).strip()[:_CHARS]
        if place in _PLACES:
            self.row[name] = value
        elif place == "project/properties":
            self.values[name] = value
        elif place == "project":
            self.about[name] = value
        if f"{place}/{name}" in _PLACES and {"groupId", "artifactId"} <= self.row.keys():
            self.rows.append(self.row)
        self.text = []


def read(text: str) -> Events:
    """Return what a pom holds; ValueError where it is broken or declares anything of its own."""
    from xml.parsers import expat

    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("declares entities")
    events, parser = Events(), expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = events.begin, events.end
    parser.CharacterDataHandler = events.said
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error
    return events
