"""Paths that a memory names and that are no longer there: renamed, moved, deleted, or never in this history."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from belay.git import history

if TYPE_CHECKING:
    from belay.diff.look import Look, Values

_COMMON = frozenset(
    "index main app utils util helpers types config constants models views tests test setup init readme mod lib page "
    "layout route routes schema style styles makefile dockerfile __init__ __main__ conftest package".split()
)
"""Stems of files that every project has many of: one elsewhere is not the one that is missed."""


class Missing(NamedTuple):
    """A path that is not there: on which lines it stands, where it went ("" unknown), how and by which commit."""

    path: str
    lines: list[int]
    new: str
    how: str
    sha: str


def named(look: Look) -> dict[str, list[int]]:
    """Return path → lines of every path that the memory names, Key Files included."""
    found: dict[str, list[int]] = {}
    for row in [*look.facts["refs"], *look.facts.get("files", [])]:
        lines = found.setdefault(row["path"], [])
        if row["line"] not in lines:
            lines.append(row["line"])
    return found


def missing(look: Look) -> list[Missing]:
    """Return the named paths that are not there; a path that ends like a tracked one is only written short."""
    gone = {path: lines for path, lines in named(look).items() if path and not look.stands(path)}
    moved, taken = history.renames(look.seen), _taken(look)
    found = [_known(look, path, lines, moved, taken) for path, lines in gone.items()]
    if all(one.how for one in found) or not look.project.git_dir:
        return found
    tracked, listed = _tracked(look), _listed(look.facts)
    known = [one if one.how else _elsewhere(one, tracked, listed) for one in found]
    here = ("short", "deleted") if _is_sparse(look) else ("short",)
    return [one for one in known if one.how not in here or one.sha]


def _is_sparse(look: Look) -> bool:
    """Whether the work tree holds only a part of what is tracked: what is not there was not deleted."""
    return os.path.isfile(os.path.join(look.project.git_dir, "info", "sparse-checkout"))


def _known(look: Look, path: str, lines: list[int], moved: dict[str, str], taken: dict[str, str]) -> Missing:
    """Return what the history since says of a missing path."""
    sha = taken.get(path, "")
    new = moved.get(path, "") or (_folder(path, moved) if sha else "")
    if new and look.stands(new):
        return Missing(path, lines, new, "renamed", sha)
    new = _added(look, path) if sha else ""
    return Missing(path, lines, new, "moved" if new else "deleted" if sha else "", sha)


def _listed(facts: Values) -> set[str]:
    """Return the paths of which the memory says that they are there: those of its Key Files."""
    return {row["path"] for row in facts.get("files") or []}


def _added(look: Look, path: str) -> str:
    """Return the one file of a telling name that was added since while the path was taken away, "" without one."""
    files = {file.path for commit in look.seen for file in commit.files if file.status == "A"}
    same = [file for file in files if _last(file) == _last(path) and look.stands(file)]
    return same[0] if len(same) == 1 and _tells(path) else ""


def _tells(path: str) -> bool:
    """Whether a file's name is its own: one of the names that every project has many of is not."""
    stem = _last(path).partition(".")[0].lower()
    return len(stem) > 3 and stem not in _COMMON and not path.endswith("/")


def _folder(path: str, moved: dict[str, str]) -> str:
    """Return where a folder went, if all its files went to one place."""
    inside = [(old[len(path) :], new) for old, new in moved.items() if old.startswith(path)]
    if not path.endswith("/") or not inside or not all(new.endswith("/" + rest) for rest, new in inside):
        return ""
    places = {new[: -len(rest)] for rest, new in inside}
    return places.pop() if len(places) == 1 else ""


def _taken(look: Look) -> dict[str, str]:
    """Return path, or folder with "/" → the last commit that took it, or something out of it, away."""
    found: dict[str, str] = {}
    for commit in look.seen:
        for file in commit.files:
            path = file.path if file.status == "D" else file.old
            while path and path not in found:
                found[path] = commit.sha
                folder = path.rstrip("/").rpartition("/")[0]
                path = folder + "/" if folder else ""
    return found


def _tracked(look: Look) -> dict[str, list[str]]:
    """Return last name → the tracked paths that end with it, folders with "/" included."""
    from belay.errors import BelayError
    from belay.git import owners

    try:
        files = owners.files(look.project.root)
    except BelayError:
        files = []
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(inner for file in files for inner in (file, *_folders(file))):
        found.setdefault(_last(path), []).append(path)
    return found


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:at]) + "/" for at in range(1, len(parts) + 1)]


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] + "/" * path.endswith("/")


def _elsewhere(one: Missing, tracked: dict[str, list[str]], listed: set[str]) -> Missing:
    """Return what the tracked files say: deleted here, written short, or a Key File that moved."""
    same = tracked.get(_last(one.path), [])
    if one.path in same:
        return one._replace(how="deleted")
    if any(path.endswith("/" + one.path) for path in same):
        return one._replace(how="short")
    unique = len(same) == 1 and one.path in listed and _tells(one.path)
    return one._replace(new=same[0], how="moved") if unique else one


def past(facts: Values) -> set[int]:
    """Return the lines that tell history: what is finished may name what is gone."""
    over = [row for name in ("completed", "log") for row in facts.get(name) or []]
    over += [row for row in facts.get("active") or [] if row.get("done")]
    over += [row for name in ("issues", "blockers") for row in facts.get(name) or [] if row.get("resolved")]
    return {row["line"] for row in over}


def conflicts(look: Look) -> list[Values]:
    """Return a conflict for each named path that was renamed, moved or deleted; a Key File counts in any case."""
    over = past(look.facts)
    listed = _listed(look.facts)
    decided = {row["line"] for row in look.facts.get("decisions") or []}
    found = []
    for one in missing(look):
        lines = [line for line in one.lines if line not in over]
        if lines and (one.how or one.path in listed):
            found.append(_conflict(one, lines, decided))
    return found


def _conflict(one: Missing, lines: list[int], decided: set[int]) -> dict[str, Any]:
    free = [line for line in lines if line not in decided]
    repair = {"kind": "path", "lines": free, "from": one.path, "to": one.new} if one.new and free else None
    by = f" in {one.sha[:9]}" if one.sha else ""
    told = {
        "renamed": f"renamed to {one.new}{by}",
        "moved": f"not there; the only file of that name is {one.new}",
        "deleted": f"deleted{by or ', not committed yet'}",
        "": "not there",
    }[one.how]
    ask = f"Name `{one.new}` instead?" if one.new else f"`{one.path}` is gone: what stands for it now?"
    return {
        "kind": "renamed" if one.new else one.how or "missing", "line": lines[0], "also": lines[1:], "claim": one.path,
        "path": one.path, "evidence": f"{one.path}: {told}", "repair": repair, "ask": ask,
    }  # fmt: skip
