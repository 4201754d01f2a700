"""Find paths that a memory names and that no longer exist: renamed, moved, deleted, or never in this history."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from belay.memory.document import path_references as names
from belay.memory.finished_lines import find_finished_lines
from belay.repository.git import history
from belay.safety.labels import is_label

if TYPE_CHECKING:
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Conflict, PathRepair
    from belay.memory.memory_facts import Facts

_COMMON = frozenset(
    "index main app utils util helpers types config constants models views tests test setup init readme mod lib page "
    "layout route routes schema style styles makefile dockerfile __init__ __main__ conftest package provider "
    "providers client server service services store context hooks router handler handlers controller model models "
    "manager error errors common base core factory module settings state theme wrapper view form list table modal "
    "header footer".split()
)
"""Stems of files that every project has many of: one elsewhere is not the one that is missed."""


class MissingPath(NamedTuple):
    """A path that is not there: the lines that name it, where it went ("" unknown), how and by which commit.

    `how`: renamed, moved, deleted, uncommitted (deleted here), short (of another path), "" unknown.
    """

    path: str
    lines: list[int]
    new: str
    how: str
    sha: str


def find_named_paths(look: Comparison) -> dict[str, list[int]]:
    """Return path → lines of every path the memory names, Key Files included.

    None that leads out of the project, nor one in whose name a secret was redacted: no file has that name.
    """
    lines_by_path: dict[str, dict[int, None]] = {}
    for row in [*look.facts["refs"], *look.facts.get("files", [])]:
        lines_by_path.setdefault(row["path"], {})[row["line"]] = None
    return {
        path: list(lines) for path, lines in lines_by_path.items() if not names.leads_out(path) and not is_label(path)
    }


def find_missing(look: Comparison) -> list[MissingPath]:
    """Return the named paths that are not there; a path that ends like a tracked one is only written short."""
    gone = {path: lines for path, lines in find_named_paths(look).items() if path and not look.path_exists(path)}
    past = _History(history.map_renames(look.changes), _index_removed_paths(look), _index_added_files(look))
    explained = [_explain_by_history(look, path, lines, past) for path, lines in gone.items()]
    if all(missing.how for missing in explained) or not look.project.git_dir:
        return explained
    tracked, listed = _index_tracked_paths(look), _key_file_paths(look.facts)
    known = [missing if missing.how else _explain_by_tracked(missing, tracked, listed) for missing in explained]
    here = ("short", "uncommitted") if _is_sparse(look) else ("short",)
    return [missing for missing in known if missing.how not in here]


def _is_sparse(look: Comparison) -> bool:
    """Whether the work tree holds only a part of what is tracked: what is not there was not deleted."""
    return os.path.isfile(os.path.join(look.project.git_dir, "info", "sparse-checkout"))


class _History(NamedTuple):
    """The history since: old name → new one, path → the commit that took it away, commit → the paths that it added."""

    moved: dict[str, str]
    taken: dict[str, str]
    added: dict[str, list[str]]


def _explain_by_history(look: Comparison, path: str, lines: list[int], past: _History) -> MissingPath:
    """Return what the history since says of a missing path."""
    taken, sha = path in past.taken, past.taken.get(path, "")
    new = past.moved.get(path, "") or (_find_moved_folder(path, past.moved) if taken and path.endswith("/") else "")
    if new and look.path_exists(new):
        return MissingPath(path, lines, new, "renamed", sha)
    new = _find_added_file(look, path, past.added.get(sha, [])) if sha and _has_telling_name(path) else ""
    return MissingPath(path, lines, new, "moved" if new else "deleted" if taken else "", sha)


def _key_file_paths(facts: Facts) -> set[str]:
    """Return the paths of which the memory says that they are there: those of its Key Files."""
    return {row["path"] for row in facts.get("files") or []}


def _index_added_files(look: Comparison) -> dict[str, list[str]]:
    """Return commit → the paths that it added."""
    return {commit.sha: [file.path for file in commit.files if file.status == "A"] for commit in look.changes}


def _find_added_file(look: Comparison, path: str, added: list[str]) -> str:
    """Return the one file of a path's name that the commit added that took it away, "" without one."""
    same = [file for file in added if _last_name(file) == _last_name(path) and look.path_exists(file)]
    return same[0] if len(same) == 1 else ""


def _has_telling_name(path: str) -> bool:
    """Whether a file's name is its own: one of the names that every project has many of is not."""
    stem = _last_name(path).partition(".")[0].lower()
    return len(stem) > 3 and stem not in _COMMON and not path.endswith("/")


def _find_moved_folder(path: str, moved: dict[str, str]) -> str:
    """Return where a folder went, if all its files went to one place; up into the folder above is no new name."""
    inside = [(old[len(path) :], new) for old, new in moved.items() if old.startswith(path)]
    if not inside or not all(new.endswith("/" + rest) for rest, new in inside):
        return ""
    places = {new[: -len(rest)] for rest, new in inside}
    place = places.pop() if len(places) == 1 else ""
    return "" if path.startswith(place) else place


def _index_removed_paths(look: Comparison) -> dict[str, str]:
    """Return path, or folder with "/" → the last commit that took it, or something out of it, away."""
    index: dict[str, str] = {}
    for commit in look.changes:
        for file in commit.files:
            path = file.path if file.status == "D" else file.old
            while path and path not in index:
                index[path] = commit.sha
                folder = path.rstrip("/").rpartition("/")[0]
                path = folder + "/" if folder else ""
    return index


def _index_tracked_paths(look: Comparison) -> dict[str, list[str]]:
    """Return last name → the tracked paths that end with it, folders with "/" included."""
    from belay.core.errors import BelayError
    from belay.repository.git import owners

    try:
        files = owners.list_files(look.project.root)
    except BelayError:
        files = []
    index: dict[str, list[str]] = {}
    for path in dict.fromkeys(inner for file in files for inner in (file, *_parent_folders(file))):
        index.setdefault(_last_name(path), []).append(path)
    return index


def _parent_folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:at]) + "/" for at in range(1, len(parts) + 1)]


def _last_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] + "/" * path.endswith("/")


def _explain_by_tracked(missing: MissingPath, tracked: dict[str, list[str]], listed: set[str]) -> MissingPath:
    """Return what the tracked files say: deleted here, written short, or a Key File that moved."""
    same = tracked.get(_last_name(missing.path), [])
    if missing.path in same:
        return missing._replace(how="uncommitted")
    if any(path.endswith("/" + missing.path) for path in same):
        return missing._replace(how="short")
    unique = len(same) == 1 and missing.path in listed and _has_telling_name(missing.path)
    return missing._replace(new=same[0], how="moved") if unique else missing


def find_conflicts(look: Comparison, found: list[MissingPath]) -> list[Conflict]:
    """Return a conflict for each missing path that was renamed, moved or deleted; a Key File counts in any case."""
    finished = find_finished_lines(look.facts)
    listed = _key_file_paths(look.facts)
    decided = {row["line"] for row in look.facts.get("decisions") or []}
    conflicts = []
    for missing in found:
        lines = [line for line in missing.lines if line not in finished]
        if lines and (missing.how or missing.path in listed):
            conflicts.append(_build_conflict(missing, lines, decided))
    return conflicts


def _build_conflict(missing: MissingPath, lines: list[int], decided: set[int]) -> Conflict:
    free = [line for line in lines if line not in decided]
    repair: PathRepair | None = None
    if missing.new and free:
        repair = {"kind": "path", "lines": free, "from": missing.path, "to": missing.new}
    by = f" in {missing.sha[:9]}" if missing.sha else ""
    what_happened = {
        "renamed": f"renamed to {missing.new}{by}",
        "moved": f"not there; the only file of that name is {missing.new}",
        "deleted": f"deleted{by or ' since'}",
        "uncommitted": "deleted, not committed yet",
        "": "not there",
    }[missing.how]
    ask = f"Name `{missing.new}` instead?" if missing.new else f"`{missing.path}` is gone: what replaced it?"
    return {
        "kind": _conflict_kind(missing), "line": lines[0], "also": lines[1:],
        "claim": missing.path, "path": missing.path, "evidence": f"{missing.path}: {what_happened}",
        "repair": repair, "ask": ask,
    }  # fmt: skip


def _conflict_kind(missing: MissingPath) -> str:
    return "renamed" if missing.new else "deleted" if missing.how in ("deleted", "uncommitted") else "missing"
