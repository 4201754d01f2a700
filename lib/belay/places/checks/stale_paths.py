"""Paths that a memory names and that are not there: renamed, deleted, or never there."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.memory.document import path_references
from belay.places.checks.findings import STALE_PATH, Finding
from belay.repository.git import history, status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.memory.document.path_references import PathReference
    from belay.places.checks.memory_texts import MemoryText
    from belay.places.hierarchy import Hierarchy

_PAST = re.compile(
    r"\b(?:removed|deleted|renamed|moved|used to|former\w*|previously|legacy|no longer|gone|replac(?:ed|es|ing)"
    r"|migrat\w+|instead of|deprecated|dropped|retired|missing|absent|empty)\b|❌|~~|→|->",
    re.IGNORECASE,
)
"""Words of a line that speaks of what was."""
_COMING = re.compile(
    r"\b(?:will|would|planned|future|later|todo|creat\w+|scaffold\w*|add(?:ing)? (?:an?|new|the|your|it|one)"
    r"|new \w+s?|e\.g|example|such as|generat\w+|emit\w*"
    r"|outputs?|produc\w+|writ(?:es|ten) (?:to|into)|compiled|(?:git)?ignored"
    r"|optional\w*|if|templates?|cop(?:y|ied)|upstream|downstream"
    r"|external|never|don['’]t|(?:other|separate|another) (?:repo|project)|install\w*|download\w*|clone[sd]?|cached?"
    r"|would-be|proposed|your|may be)\b",
    re.IGNORECASE,
)
"""Words of a line that may speak of a file that is to come, comes and goes, or is another project's."""
_CODE = re.compile(r"`[^`]*`|\]\([^)]*\)")
_INVENTED = frozenset(
    "foo bar baz xxx yyy x y z example sample my your some name feature component module entity resource domain slug "
    "myfeature newfeature featurename package pkg file filename path todo yyyy nnn n".split()
)
_PLACEHOLDER = re.compile(r"\[|\]|#|@|[A-Z]{3,}_|\bXX")
"""Names that stand for any name."""
_MADE = frozenset(
    "dist build out target coverage node_modules .next vendor tmp temp logs log data .cache bin obj gen".split()
)
"""Folders of what programs make: nothing in them is missed."""


class _Missing(NamedTuple):
    text: MemoryText
    ref: PathReference
    line: str


class _Past(NamedTuple):
    """What history says of paths: old name → new one, path → the commit that took it away."""

    moved: dict[str, str]
    gone: dict[str, str]


def find_stale_paths(hierarchy: Hierarchy, texts: list[MemoryText]) -> Iterator[Finding]:
    """Yield the paths that are not there; what git ignores comes and goes, and what is only written short is there."""
    ends = _index_ends(hierarchy)
    missing = [row for text in texts for row in _list_missing(hierarchy, text, ends)]
    if not missing:
        return
    ignored = _find_ignored(hierarchy.root, missing)
    past = _read_past(hierarchy.root)
    for row in missing:
        names = _list_names(row.text, row.ref.path)
        if not ignored.intersection(names):
            found = _explain(hierarchy, row, names, past)
            if found:
                yield found


def _list_missing(hierarchy: Hierarchy, text: MemoryText, ends: dict[str, list[str]]) -> Iterator[_Missing]:
    for ref in path_references.find_paths(text.page):
        line = text.read_line(ref.line)
        path = ref.path.rstrip("/")
        if "/" not in path or _PAST.search(line) or _is_invented(path):
            continue
        names = _list_names(text, path)
        is_there = any(os.path.lexists(os.path.join(hierarchy.root, name)) for name in names)
        if not is_there and not _is_short(path, ends):
            yield _Missing(text, ref, line)


def _is_invented(path: str) -> bool:
    """Whether a path stands for any path, or is one of what programs make."""
    words = {word.casefold() for word in re.split(r"[/_.-]", path)}
    return bool(_INVENTED & words or _MADE & {*path.split("/")} or _PLACEHOLDER.search(path))


def _list_names(text: MemoryText, path: str) -> list[str]:
    """Return what a path can mean: from the root, from the memory's folder, or from a folder above it."""
    path, folder, found = path.rstrip("/"), text.place.folder, [path.rstrip("/")]
    while folder:
        found.append(os.path.normpath(f"{folder}/{path}"))
        found.append(os.path.normpath(f"{folder}/src/{path}"))
        folder = folder.rpartition("/")[0]
    return [*found, f"src/{path}"]


def _index_ends(hierarchy: Hierarchy) -> dict[str, list[str]]:
    """Return last name → the files and folders of that name."""
    index: dict[str, list[str]] = defaultdict(list)
    known = {*hierarchy.names}
    for name in hierarchy.names:
        while "/" in name:
            name = name.rpartition("/")[0]
            known.add(name)
    for name in known:
        index[_stem(name)].append(name)
    return index


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].casefold()


def _is_short(path: str, ends: dict[str, list[str]]) -> bool:
    """Whether something ends like a path, whatever the ending of its name: `auth/session` for auth/session.ts."""
    folder, _, name = path.rpartition("/")
    for known in ends.get(_stem(path), ()):
        above, _, last = known.rpartition("/")
        is_end = f"/{above}/".endswith(f"/{folder}/") or f"/{above}/".replace("/src/", "/").endswith(f"/{folder}/")
        if is_end and (last == name or last.startswith(name + ".")):
            return True
    return False


def _find_ignored(root: str, missing: list[_Missing]) -> set[str]:
    names = {name for row in missing for name in _list_names(row.text, row.ref.path)}
    try:
        return status.find_ignored(root, sorted(names)) if names else set()
    except BelayError:
        return set()


def _read_past(root: str) -> _Past:
    try:
        commits = history.read_commits(root)
    except BelayError:
        return _Past({}, {})
    gone: dict[str, str] = {}
    for commit in commits:
        for file in commit.files:
            path = file.path if file.status == "D" else file.old if file.status == "R" else ""
            while path:
                gone.setdefault(path, commit.sha)
                path = path.rpartition("/")[0]
    return _Past(history.map_renames(commits), gone)


def _explain(hierarchy: Hierarchy, row: _Missing, names: list[str], past: _Past) -> Finding | None:
    """Return the finding for a missing path; None where it may be none of this project."""
    path = row.ref.path
    old = next((name for name in names if name in past.moved or name in past.gone), "")
    new = past.moved.get(old, "")
    if new and os.path.lexists(os.path.join(hierarchy.root, new)):
        written = _rewrite(row, old, new)
        proposed = row.line.replace(path, written) if row.line.count(path) == 1 else ""
        why = f"names {shown(path)}, which is {shown(new)} since {past.gone.get(old, '')[:9]}"
        return _build(row, why, f"write {shown(written)}", proposed)
    if old:
        why = f"names {shown(path)}, which was deleted in {past.gone[old][:9]}"
        return _build(row, why, "name what does it now, or take the line out")
    if not _begins_here(hierarchy, row) or _COMING.search(_CODE.sub(" ", row.line)):
        return None
    return _build(row, f"names {shown(path)}, which is not there", "name what does it now, or take the line out")


def _rewrite(row: _Missing, old: str, new: str) -> str:
    """Return the new path as the memory writes paths: from its own folder, if it wrote the old one so."""
    prefix = old[: len(old) - len(row.ref.path.rstrip("/"))]
    return new[len(prefix) :] if prefix and new.startswith(prefix) else new


def _begins_here(hierarchy: Hierarchy, row: _Missing) -> bool:
    """Whether a path begins with a folder of the project, so that it can only be a path of the project."""
    first = row.ref.path.split("/")[0]
    folders = [row.text.place.folder, ""]
    return any(os.path.isdir(os.path.join(hierarchy.root, folder, first)) for folder in folders)


def _build(row: _Missing, why: str, advice: str, proposed: str = "") -> Finding:
    return Finding(row.text.place.path, row.ref.line, STALE_PATH, why, row.line.strip(), advice, proposed)
