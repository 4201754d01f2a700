"""Which text this user trusts: hashes of what Belay wrote, what was changed here, what the user accepted.

One JSON file of the user's own (0600), by project root and path: whatever came with a clone is not in it.
"""

from __future__ import annotations

from belay.core import clock, files, json_codec, lock, paths
from belay.core.errors import LockTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

KEPT = 40
"""Hashes kept of one path; older ones are forgotten, the accepted ones never."""
KNOWN, CHANGED, UNKNOWN = "known", "changed", "unknown"


def verdict(
    *, known: bool, refused: bool, git: str, base: bool, merging: bool, seen: bool | None, older: bool
) -> str:
    """Decide on a file's text: KNOWN, CHANGED (here, so it becomes known) or UNKNOWN (docs/trust.md).

    known: this text was recorded or accepted. refused: this very text was unknown before.
    git: `clean` (as committed), `edited` (differs from HEAD), `outside` (git does not track it).
    base: the text below the change is known: for `clean` the commits made here lead down to known text or
    to the file's creation, for `edited` HEAD's text does. A small edit does not make a stranger's text ours.
    merging: a merge, rebase or cherry-pick is under way, so an edit may be a stranger's.
    seen: whether the path's text was known when last looked at, None if never.
    older: the file is from before the project was first looked at.
    """
    if known:
        return KNOWN
    if refused:
        return UNKNOWN
    if git == "outside":
        return CHANGED if (not older if seen is None else seen) else UNKNOWN
    return CHANGED if base and (git == "clean" or not merging) else UNKNOWN


def digest(data: bytes) -> str:
    """Return the content hash the store goes by: BLAKE2b (RFC 7693), 20 bytes, in hex."""
    try:
        from _blake2 import blake2b  # hashlib's import alone costs a fifth of a bare interpreter
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=20).hexdigest()


def known(environ: Mapping[str, str], root: str, path: str, data: bytes) -> bool:
    """Whether this text at this path of the project is trusted."""
    return holds(load(environ), root, path, digest(data))


def holds(store: dict[str, Any], root: str, path: str, sha: str) -> bool:
    """Whether a loaded store trusts a hash at a path."""
    return sha in _table(entry(store, root, path), "hashes")


def record(environ: Mapping[str, str], root: str, path: str, data: bytes, how: str = "written") -> bool:
    """Remember a text as `written` by Belay, `changed` here or `accepted`; False where it cannot be kept."""
    return update(environ, lambda store: add(store, root, path, digest(data), how))


def accept(environ: Mapping[str, str], root: str, path: str, data: bytes) -> bool:
    """Remember that the user accepted this text."""
    return record(environ, root, path, data, "accepted")


def revoke(environ: Mapping[str, str], root: str, path: str) -> bool:
    """Forget every text trusted at a path; True if there was one. The text it has now stays unknown."""
    found: list[bool] = []

    def forget(store: dict[str, Any]) -> None:
        entry = _entry(store, root, path)
        hashes = _table(entry, "hashes")
        entry["hashes"] = {}
        entry["refused"] = [*hashes][-KEPT:]
        entry["known"] = False
        found.append(bool(hashes))

    return update(environ, forget) and found == [True]


def listing(environ: Mapping[str, str], root: str = "") -> list[dict[str, str]]:
    """Return {project, path, how, time, hash} of each path's newest trusted text, one project's or all."""
    rows = []
    for project, about in _table(load(environ), "projects").items():
        for path, entry in _table(about, "files").items():
            hashes = _table(entry, "hashes")
            if hashes and root in ("", project):
                newest = next(reversed(hashes))
                how, _, when = str(hashes[newest]).partition(" ")
                rows.append({"project": project, "path": path, "how": how, "time": when, "hash": newest})
    return sorted(rows, key=lambda row: (row["project"], row["path"]))


def load(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the whole store; an empty one where there is none or it is damaged."""
    try:
        store = json_codec.loads(files.read(paths.trust_file(environ)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return store if isinstance(store, dict) else {}


def update(environ: Mapping[str, str], change: Callable[[dict[str, Any]], None]) -> bool:
    """Change the store under its lock; False where it cannot be kept (read-only home, lock held)."""
    path = paths.trust_file(environ)
    try:
        with lock.hold(path + ".lock"):
            store = load(environ)
            change(store)
            files.create(path)  # for this user alone; the write keeps the mode
            files.write(path, json_codec.encode(store))
    except (OSError, LockTimeout):
        return False
    return True


def add(store: dict[str, Any], root: str, path: str, sha: str, how: str) -> None:
    """Put a hash into a loaded store; the newest stands last."""
    entry = _entry(store, root, path)
    hashes = _made(entry, "hashes")
    hashes.pop(sha, None)
    hashes[sha] = f"{how} {clock.now()[:19]}Z"
    ordinary = [one for one, about in hashes.items() if not str(about).startswith("accepted")]
    for old in ordinary[:-KEPT]:
        del hashes[old]
    entry["known"] = True
    entry["refused"] = [one for one in refusals(entry) if one != sha]


def refuse(store: dict[str, Any], root: str, path: str, sha: str) -> None:
    """Note in a loaded store that a text is unknown, so that git is not asked about it again."""
    entry = _entry(store, root, path)
    entry["known"] = False
    entry["refused"] = [*(one for one in refusals(entry) if one != sha), sha][-KEPT:]


def seen(store: dict[str, Any], root: str, path: str, head: str) -> None:
    """Note in a loaded store what HEAD held of a path (a blob id) when its text was last judged."""
    _entry(store, root, path)["head"] = head


def project(store: dict[str, Any], root: str) -> dict[str, Any]:
    """Return what a loaded store holds of a project, to read or to change."""
    return _made(_made(store, "projects"), root)


def _entry(store: dict[str, Any], root: str, path: str) -> dict[str, Any]:
    return _made(_made(project(store, root), "files"), path)


def entry(store: dict[str, Any], root: str, path: str) -> dict[str, Any]:
    """Return what a loaded store holds of a path: `hashes`, `refused`, `known` when last seen, `head`."""
    return _table(_table(_table(_table(store, "projects"), root), "files"), path)


def refusals(entry: dict[str, Any]) -> list[str]:
    """Return the hashes of a path that are known to be unknown."""
    found = entry.get("refused")
    return found if isinstance(found, list) else []


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _made(table: dict[str, Any], key: str) -> dict[str, Any]:
    if not isinstance(table.get(key), dict):
        table[key] = {}
    made: dict[str, Any] = table[key]
    return made
