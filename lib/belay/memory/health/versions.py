"""Find versions that a memory names and that the project's manifests rule out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.memory.health.statements import list_statements
from belay.repository.git import content
from belay.repository.manifests import dependencies, known_packages, stack, toml

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.health.health_types import FalseClaim
    from belay.memory.memory_facts import Facts

Version = tuple[int, ...]

_CONSTRAINT = re.compile(
    r"\s*(\^|~=|~>|~|>=|==|=)?\s*v?(\d+(?:\.\d+)*)(?:\.[x*])?(?:-[\w.]+)?\s*(?:,\s*<\s*[\d.]+\s*)?$"
)
_GO = re.compile(r"^go (\d+\.\d+(?:\.\d+)?)", re.MULTILINE)
MANIFESTS = 200
_SHORTEST = 3
"""Letters of a package's own name that may stand in a sentence as a name."""


_BEHIND = (
    r"(?:\.js)?[ @]v?(\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)?"
    r"(?![\w%+]|\.\d|\s*(?:%|[mµ]?s\b|sec|min|hour|day|[kKMG]i?B\b|times\b|of\b|per\b|/)"
    r"|\s*[-–+]\s*\d|[-–]|\s+(?:or|to|and (?:newer|later|up)|plus)\b)"
)
"""A version behind a name, unless it begins a range or is the lowest of several."""


class Declared(NamedTuple):
    """What one manifest says of a version: the path, the text, the lowest version, and whether a higher one is ruled
    out: "" not, "major" beyond its major version, "all" beyond what is written."""

    path: str
    text: str
    lowest: Version
    above: str


class WrongVersion(NamedTuple):
    """A line (1-based) of the memory, the product and version that it names, the manifest and what that has."""

    line: int
    claim: str
    path: str
    text: str


def find_wrong_versions(project: Project, facts: Facts) -> list[FalseClaim]:
    """Return the versions in a memory's statements that every manifest which names the product rules out."""
    return [_build(row) for row in list_wrong_versions(project, facts)]


def list_wrong_versions(project: Project, facts: Facts) -> list[WrongVersion]:
    """Return the same as values."""
    statements = list(list_statements(facts))
    text = "\n".join(sentence for _, sentence in statements).lower()
    if not any(char.isdigit() for char in text):
        return []
    named = {name: rows for name, rows in read_versions(project.root).items() if name.lower() in text}
    rows = [
        (line, name, found)
        for line, sentence in statements
        for name in named
        if name in sentence
        for found in _find(name, sentence)
    ]
    wrong = [row for row in dict.fromkeys(rows) if not any(_fits(row[2], one) for one in named[row[1]])]
    if wrong:  # before a memory is contradicted, the manifests of deeper folders are asked too
        named = read_versions(project.root, _list_manifests(project))
        wrong = [row for row in wrong if row[1] in named and not any(_fits(row[2], one) for one in named[row[1]])]
    return [
        WrongVersion(line, f"{name} {'.'.join(map(str, version))}", named[name][0].path, _format_text(named[name][0]))
        for line, name, version in wrong
    ]


def _list_manifests(project: Project) -> list[str]:
    try:
        names = content.list_files(project.root, (".",)) if project.git_dir else stack.manifests(project.root)
    except BelayError:
        return []
    return [path for path in names if dependencies.is_manifest(path)][:MANIFESTS]


def read_versions(root: str, paths: list[str] | None = None) -> dict[str, list[Declared]]:
    """Return name → what the manifests say of its version; a name one of them leaves open is left out.

    `paths` are the manifests, by default those of the root, its workspaces and the folders below it.
    """
    found: dict[str, list[Declared]] = {}
    unclear: set[str] = set()
    for path in stack.manifests(root) if paths is None else paths:
        body = stack.text(root, path)
        rows = {**dependencies.dependencies(path, body), **_languages(path, body)}
        for package, constraint in rows.items():
            declared = read_constraint(path, constraint)
            for name in {known_packages.called(package), package} - {""}:
                if declared is None:
                    unclear.add(name)
                elif len(name) >= _SHORTEST or name == "Go":
                    found.setdefault(name, []).append(declared)
    return {name: rows for name, rows in found.items() if name not in unclear}


def _languages(path: str, body: str) -> dict[str, str]:
    """Return language → the constraint that a manifest sets for it."""
    name = path.rpartition("/")[2]
    try:
        if name == "go.mod":
            mark = _GO.search(body)
            return _constraint("Go", f">={mark[1]}" if mark else None)
        if name == "pyproject.toml":
            return _constraint("Python", dependencies.inner(toml.loads(body), "project").get("requires-python"))
        if name == "package.json":
            node = dependencies.inner(dependencies.table(body), "engines").get("node")
            return {**_constraint("Node", node), **_constraint("Node.js", node)}
    except (ValueError, RecursionError):
        pass
    return {}


def _constraint(name: str, value: object) -> dict[str, str]:
    return {name: value} if isinstance(value, str) else {}


def read_constraint(path: str, constraint: str) -> Declared | None:
    """Return what a constraint says, None where it can mean anything (ranges, tags, addresses)."""
    found = _CONSTRAINT.match(constraint)
    if not found:
        return None
    sign = found[1] or ("=" if path.endswith("go.mod") else "")
    above = {"": "major", "^": "major", "~": "all", "~=": "major", "~>": "major", "==": "all", "=": "all", ">=": ""}
    return Declared(path, constraint, _read(found[2]), above[sign])


def _read(text: str) -> Version:
    return tuple(int(part[:9]) for part in text.split("."))


def _find(name: str, sentence: str) -> list[Version]:
    """Return the versions that directly follow a name; ranges and "or newer" say nothing exact.

    A name in small letters may be a word ("coverage 90"), so its version needs a point.
    """
    numbers = re.findall(rf"(?<![\w/@.-]){re.escape(name)}{_BEHIND}", sentence)
    return [_read(number) for number in numbers if not name.islower() or "." in number]


def _fits(version: Version, declared: Declared) -> bool:
    """Whether a version can be what a manifest asks for, compared as exactly as the memory writes it."""
    lowest = declared.lowest[: len(version)]
    mine = version[: len(lowest)]
    if mine < lowest:
        return False
    exact = mine == lowest
    return exact or not declared.above or (declared.above == "major" and (mine[0] == lowest[0] or lowest[0] == 0))


def _format_text(declared: Declared) -> str:
    return declared.text.removeprefix(">=") if declared.path.endswith("go.mod") else declared.text


def _build(row: WrongVersion) -> FalseClaim:
    what = f"says {shown(row.claim)}, but `{shown(row.path)}` has {shown(row.text)}"
    return {"line": row.line, "what": what, "mend": f"edit line {row.line}: write the version that the manifest has"}
