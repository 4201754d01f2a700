"""Find what a memory says is used and what left the project since: packages, folders, and the code for a product."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.memory.drift import awaited_versions, stack
from belay.repository.git import content, history, owners
from belay.repository.manifests import known_packages
from belay.repository.survey import places

if TYPE_CHECKING:
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Conflict, DependencyChange
    from belay.memory.memory_facts import Facts

_TICKED = re.compile(r"`([^`\n]{2,120})`")
_MODULE = re.compile(r"[A-Za-z_][\w-]*(?:[./][\w-]+)*")
_NAME = re.compile(r"(?<![\w/@.`-])[A-Z][A-Za-z0-9]{3,30}(?![\w/]|\.\w)")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ROLES = frozenset(
    "adapter api backend cache client connector driver exporter gateway integration plugin provider sdk service store "
    "transport webhook wrapper".split()
)
"""Words of a file's name that say what it does for the product named before them: `pinata.provider.ts`."""
_SERVICES = (":(icase,glob)**/*compose*.y*ml", ":(glob)**/*.tf", ":(glob)**/Chart.yaml", ":(glob)**/Dockerfile*")
"""Where a product may run without code of its own."""
_KEPT = 4
"""Letters of a name that tell it from a word inside another one."""
TEXT_CHARS = 1000
TEXTS = 300
"""Texts of the memory that are looked at, and characters of one."""


class Claim(NamedTuple):
    """A text of the memory that says how the project is: its line, the kind of the conflict, the words."""

    line: int
    kind: str
    text: str


class Lost(NamedTuple):
    """A name that left the project: what the memory calls it, a path or manifest, and how that is known."""

    name: str
    path: str
    evidence: str


def find_conflicts(
    look: Comparison, packages: dict[str, dict[str, str]], deltas: list[DependencyChange]
) -> list[Conflict]:
    """Return a conflict for each name that a text says is used and that left the project since.

    `packages` is manifest → dependencies now, `deltas` what changed in them since.
    """
    removed, lost_files = _list_removed_packages(packages, deltas), removed_files(look)
    if not removed and not lost_files:
        return []
    tree = _LostTree(look, lost_files, packages)
    found = [(claim, lost) for claim in _list_claims(look.facts) for lost in _find_lost(claim.text, removed, tree)]
    return [_build_conflict(claim, lost) for claim, lost in found if not _is_superseded(look.facts, claim, lost.name)]


def _is_superseded(facts: Facts, claim: Claim, name: str) -> bool:
    """Whether a claim is a decision and a newer one speaks of the name too: the newest is the word."""
    rows = {row["line"]: row for row in facts.get("decisions") or []}
    own = rows.get(claim.line) if claim.kind == "decision" else None
    later = [row for row in rows.values() if own and (row["date"], row["line"]) > (own["date"], own["line"])]
    return any(name.lower() in row["decision"].lower() for row in later)


def _list_claims(facts: Facts) -> list[Claim]:
    overview = next((row["line"] for row in facts.get("sections") or [] if row["name"] == "overview"), 1)
    rows = [Claim(overview, "stack", str(facts.get("overview") or ""))]
    rows += [Claim(row["line"], "architecture", row["text"]) for row in facts.get("architecture") or []]
    rows += [Claim(row["line"], "external", row["text"]) for row in facts.get("external") or []]
    rows += [Claim(row["line"], "decision", row["decision"]) for row in facts.get("decisions") or []]
    rows += [Claim(row["line"], "issue", row["text"]) for row in facts.get("issues") or [] if not row["resolved"]]
    return [row._replace(text=row.text[:TEXT_CHARS]) for row in rows if row.text][:TEXTS]


def removed_files(look: Comparison) -> dict[str, str]:
    """Return path → the commit that took it away ("" unknown), of files that are not there any more."""
    paths = {
        (file.path if file.status == "D" else file.old): commit.sha
        for commit in reversed(look.changes)
        for file in commit.files
        if file.status == "D" or file.old
    }
    return {path: sha for path, sha in paths.items() if path and not look.path_exists(path)}


def _list_removed_packages(packages: dict[str, dict[str, str]], deltas: list[DependencyChange]) -> dict[str, str]:
    """Return package → manifest of those that no manifest has any more."""
    kept = {name for rows in packages.values() for name in rows}
    return {name: row["manifest"] for row in deltas for name in row["removed"] if name not in kept}


class _LostTree:
    """The names of files and folders that are gone, looked up only where a text names one."""

    def __init__(self, look: Comparison, removed: dict[str, str], packages: dict[str, dict[str, str]]) -> None:
        self.look, self.removed, self.moved = look, removed, history.map_renames(look.changes)
        self.folders = _index_folders(removed)
        self.products = _index_products(removed)
        self.packages = [name for rows in packages.values() for name in rows]
        self._tracked: list[str] | None = None
        self._found: dict[str, str] = {}

    def is_left(self, word: str, only_code: bool = False) -> bool:
        """Whether the path of any file still has a word in it."""
        if self._tracked is None:
            try:
                self._tracked = owners.list_files(self.look.project.root)
            except BelayError:
                self._tracked = [f"{word}.py"]
        paths = filter(places.is_code, self._tracked) if only_code else self._tracked
        return any(word.lower() in path.lower() for path in paths)

    def find_folder(self, name: str) -> str:
        """Return a file of the folder that a text calls by this name (`shop/tax`, `shop.tax`), "" for none."""
        path = _as_path(name)
        file = self.folders.get(path.lower(), "")
        return "" if not file or self.is_left(path) else file

    def find_product(self, name: str) -> str:
        """Return a file that did something for a product of this name, "" where anything for it is left."""
        if name not in self._found:
            self._found[name] = self._look_for_product(name)
        return self._found[name]

    def _look_for_product(self, name: str) -> str:
        file, word = self.products.get(name.lower(), ""), name.lower()
        if not file or self.is_left(name, only_code=True) or any(word in package.lower() for package in self.packages):
            return ""
        return "" if self._is_in_services(word) else file

    def _is_in_services(self, word: str) -> bool:
        """Whether a compose file or the like names a word: the product may run there."""
        try:
            return bool(content.find_matches(self.look.project.root, re.escape(word), _SERVICES))
        except BelayError:
            return True


def _as_path(name: str) -> str:
    """Return a module's name as a path (`shop.tax`)."""
    return name if "/" in name else name.replace(".", "/")


def _index_folders(removed: dict[str, str]) -> dict[str, str]:
    """Return the ends of removed folders' paths, and of source files' without their endings, in lower case → a file."""
    index: dict[str, str] = {}
    for path in removed:
        parts = path.lower().split("/")
        for names in (parts[:-1], [*parts[:-1], parts[-1].partition(".")[0]]):
            for start in range(len(names)):
                index.setdefault("/".join(names[start:]), path)
    return index


def _index_products(removed: dict[str, str]) -> dict[str, str]:
    """Return the first word of files named after a product and their role for it → a file."""
    index: dict[str, str] = {}
    for path in sorted(removed, key=len):  # a file before its tests
        words = [word.lower() for word in _WORDS.findall(path.rpartition("/")[2].rpartition(".")[0])]
        if len(words) > 1 and words[1] in _ROLES and len(words[0]) >= _KEPT and words[0] not in _ROLES:
            index.setdefault(words[0], path)
    return index


def _find_lost(text: str, removed: dict[str, str], tree: _LostTree) -> list[Lost]:
    """Return what a text is for and what is gone, each once."""
    lost = [*_find_packages(text, removed), *_find_modules(text, tree), *_find_products(text, tree)]
    return list({row.path: row for row in reversed(lost)}.values())[::-1]


def _find_packages(text: str, removed: dict[str, str]) -> Iterable[Lost]:
    for package, manifest in removed.items():
        for name in awaited_versions.list_names(package):
            if _is_telling(name, text) and stack.is_used(text, name):
                short = awaited_versions.shortest_name(package)
                called = known_packages.called(package) or name
                yield Lost(called, manifest, f"{manifest}: {short} was removed since")
                break


def _is_telling(name: str, text: str) -> bool:
    """Whether a name in a text is no everyday word: it has a mark in it, or is written as code."""
    return any(mark in name for mark in "-/@_.0123456789") or f"`{name}`" in text


def _find_modules(text: str, tree: _LostTree) -> Iterable[Lost]:
    for name in dict.fromkeys(word.strip("/") for word in _TICKED.findall(text)):
        file = tree.find_folder(name) if len(name) >= _KEPT and _MODULE.fullmatch(name) else ""
        if file and stack.is_used(text, name):
            yield Lost(name, file, _format_evidence(file, tree, _as_path(name), "file"))


def _find_products(text: str, tree: _LostTree) -> Iterable[Lost]:
    for name in dict.fromkeys(_NAME.findall(text)):
        file = tree.find_product(name)
        if file and stack.is_used(text, name):
            yield Lost(name, file, _format_evidence(file, tree, name, "source file"))


def _format_evidence(file: str, tree: _LostTree, name: str, left: str) -> str:
    sha, new = tree.removed[file][:9], tree.moved.get(file, "")
    how = (f"renamed to {new}" if new else "deleted") + (f" in {sha}" if sha else "" if new else " since")
    return f"{file}: {how}; no {left} has “{name}” in its path any more"


def _build_conflict(claim: Claim, lost: Lost) -> Conflict:
    return {
        "kind": claim.kind, "line": claim.line, "also": [], "claim": lost.name, "path": lost.path,
        "evidence": lost.evidence, "repair": None, "ask": f"Does line {claim.line} still hold?",
    }  # fmt: skip
