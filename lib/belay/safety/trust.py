"""Which text this user trusts: hashes of what Belay wrote, what was changed here, what the user accepted.

One JSON file of the user's own (0600), by project root and path: whatever came with a clone is not in it.
"""

from __future__ import annotations

from belay.core import clock, files, json_codec, lock, paths
from belay.core.errors import LockTimeout
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypedDict

    class FileTrust(TypedDict, total=False):
        """A path: {trusted hash: how and when}, unknown hashes, `known` when last seen.

        `rows` is the trusted hash whose rows were remembered last.
        """

        hashes: dict[str, str]
        refused: list[str]
        known: bool
        rows: str

    class FirstLook(TypedDict, total=False):
        """When a project was first looked at, the size of its reflog then, the commits with a name (or `many`)."""

        time: str
        reflog: int
        tips: list[str]
        many: bool

    class ProjectTrust(TypedDict, total=False):
        """What the store holds of a project."""

        files: dict[str, FileTrust]
        first: FirstLook

    class TrustStore(TypedDict, total=False):
        """The complete store, by project root."""

        projects: dict[str, ProjectTrust]


KEPT = 40
"""Hashes kept of one path; older ones are forgotten, the accepted ones never."""
ROW_FILES = ("MEMORY.md", "MEMORY-ARCHIVE.md")
ARCHIVE = "MEMORY-ARCHIVE-"
"""Beginning of the names of full archives: MEMORY-ARCHIVE-2026.md."""
ROW_FOLDERS = (".memory/branches/", ".claude/memory/playbooks/", "tasks/")
KNOWN, CHANGED, UNKNOWN = "known", "changed", "unknown"


def verdict(
    *, known: bool, refused: bool, git: str, foreign: bool, typed: bool, merging: bool, seen: bool | None, older: bool
) -> str:
    """Decide on a file's text: KNOWN, CHANGED (here, so it becomes known) or UNKNOWN (docs/trust.md).

    known: this text was recorded or accepted. refused: this very text was unknown before.
    git: `clean` (as committed), `edited` (differs from HEAD), `outside` (HEAD has no such file).
    foreign: a row of it came from elsewhere. typed: it has rows that no commit has.
    merging: a merge, rebase or cherry-pick is under way, so an edit may be a stranger's.
    seen: whether the path's text was known when last looked at, None if never.
    older: the file is from before the project was first looked at.
    """
    if known:
        return KNOWN
    if refused or foreign:
        return UNKNOWN
    if git == "outside":
        return CHANGED if (not older if seen is None else seen) else UNKNOWN
    return CHANGED if not typed or (git == "edited" and not merging) else UNKNOWN


def digest(data: bytes) -> str:
    """Return the content hash the store goes by: BLAKE2b (RFC 7693), 20 bytes, in hex."""
    try:
        from _blake2 import blake2b  # hashlib's import alone costs a fifth of a bare interpreter
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=20).hexdigest()


def is_known(environ: Mapping[str, str], root: str, path: str, data: bytes) -> bool:
    """Whether this text at this path of the project is trusted."""
    return is_trusted(load(environ), root, path, digest(data))


def is_trusted(store: TrustStore, root: str, path: str, sha: str) -> bool:
    """Whether a loaded store trusts a hash at a path."""
    return sha in _table(entry(store, root, path), "hashes")


def has_rows(path: str) -> bool:
    """Whether rows of a file are judged, by its path from the root; any other file is known as a whole or not."""
    name = path.rpartition("/")[2]
    is_memory = name in ROW_FILES or name.startswith(ARCHIVE) or path.startswith(ROW_FOLDERS)
    return is_memory and path.endswith(".md")


def record(environ: Mapping[str, str], root: str, path: str, data: bytes, how: str = "written") -> bool:
    """Remember a text as `written` by Belay, `changed` here or `accepted`; False where it cannot be kept."""
    rows = remember_rows(environ, root, {path: data})

    def change(store: TrustStore) -> None:
        add(store, root, path, digest(data), how)
        note_rows(store, root, rows)

    return update(environ, change)


def remember_rows(environ: Mapping[str, str], root: str, texts: Mapping[str, bytes]) -> dict[str, str]:
    """Remember the rows of trusted texts (path → text); return path → hash of those that could be kept."""
    texts = {path: data for path, data in texts.items() if has_rows(path)}
    if not texts:
        return {}
    from belay.safety.rows import known_rows

    return {path: digest(data) for path, data in texts.items() if known_rows.remember(environ, root, path, data)}


def note_rows(store: TrustStore, root: str, rows: Mapping[str, str]) -> None:
    """Note in a loaded store of which texts (path → hash) the rows are remembered."""
    for path, sha in rows.items():
        _make_entry(store, root, path)["rows"] = sha


def accept(environ: Mapping[str, str], root: str, path: str, data: bytes) -> bool:
    """Remember that the user accepted this text."""
    return record(environ, root, path, data, "accepted")


def revoke(environ: Mapping[str, str], root: str, path: str) -> bool:
    """Forget every text trusted at a path; True if there was one. The text it has now stays unknown."""
    found: list[bool] = []

    def forget(store: TrustStore) -> None:
        entry = _make_entry(store, root, path)
        hashes = _table(entry, "hashes")
        entry["hashes"] = {}
        entry["refused"] = [*hashes][-KEPT:]
        entry["known"] = False
        entry["rows"] = ""
        found.append(bool(hashes))

    if has_rows(path):
        from belay.safety.rows import known_rows

        known_rows.forget(environ, root, path)
    return update(environ, forget) and found == [True]


def list_trusted(environ: Mapping[str, str], root: str = "") -> list[dict[str, str]]:
    """Return {project, path, how, time, hash} of each path's newest trusted text, one project's or all."""
    rows = []
    for project, about in _table(load(environ), "projects").items():
        for path, entry in _table(about, "files").items():
            hashes = _table(entry, "hashes")
            if hashes and make_label(root) in ("", project):
                newest = next(reversed(hashes))
                how, _, when = str(hashes[newest]).partition(" ")
                rows.append({"project": project, "path": path, "how": how, "time": when, "hash": newest})
    return sorted(rows, key=lambda row: (row["project"], row["path"]))


def load(environ: Mapping[str, str]) -> TrustStore:
    """Return the store; an empty one where there is none, or it is damaged or cannot be read now."""
    try:
        return load_for_change(environ)
    except OSError:
        return {}


def load_for_change(environ: Mapping[str, str]) -> TrustStore:
    """Return the store; OSError where it cannot be read now: what follows from an empty one would be kept for good."""
    try:
        store: Any = json_codec.loads(files.load(paths.trust_file(environ)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    loaded: TrustStore = _table({"store": store}, "store")
    return loaded


def update(environ: Mapping[str, str], change: Callable[[TrustStore], None]) -> bool:
    """Change the store under its lock; False where it cannot be kept (read-only home, lock held)."""
    path = paths.trust_file(environ)
    try:
        with lock.hold(path + ".lock"):
            store = load_for_change(environ)
            change(store)
            files.create(path)  # for this user alone; the write keeps the mode
            # A folder's name may hold any bytes; in JSON the escape of one is the character itself.
            files.write(path, json_codec.dumps(store).encode("utf-8", "backslashreplace"))
    except (OSError, LockTimeout):
        return False
    return True


def add(store: TrustStore, root: str, path: str, sha: str, how: str) -> None:
    """Put a hash into a loaded store; the newest is last."""
    entry = _make_entry(store, root, path)
    hashes = _make_table(entry, "hashes")
    hashes.pop(sha, None)
    hashes[sha] = f"{how} {clock.now()[:19]}Z"
    ordinary = [one for one, about in hashes.items() if not str(about).startswith("accepted")]
    for old in ordinary[:-KEPT]:
        del hashes[old]
    entry["known"] = True
    entry["refused"] = [one for one in list_refused(entry) if one != sha]


def refuse(store: TrustStore, root: str, path: str, sha: str) -> None:
    """Note in a loaded store that a text is unknown, so that git is not asked about it again."""
    entry = _make_entry(store, root, path)
    entry["known"] = False
    entry["refused"] = [*(one for one in list_refused(entry) if one != sha), sha][-KEPT:]


def project(store: TrustStore, root: str) -> ProjectTrust:
    """Return what a loaded store holds of a project, to read or to change."""
    projects = _make_table(store, "projects")
    entry: ProjectTrust = _make_table(projects, _find_key(projects, root))
    return entry


def _find_key(projects: Any, root: str) -> str:
    """Return the label of a project; one that the store has is not looked through for secrets at each start."""
    return root if root in projects else make_label(root)


def _make_entry(store: TrustStore, root: str, path: str) -> FileTrust:
    entry: FileTrust = _make_table(_make_table(project(store, root), "files"), make_label(path))
    return entry


def entry(store: TrustStore, root: str, path: str) -> FileTrust:
    """Return what a loaded store holds of a path: `hashes`, `refused`, `known` when last seen."""
    projects = _table(store, "projects")
    found: FileTrust = _table(_table(_table(projects, _find_key(projects, root)), "files"), make_label(path))
    return found


def list_refused(entry: FileTrust) -> list[str]:
    """Return the hashes of a path that are known to be unknown."""
    hashes = entry.get("refused")
    return hashes if isinstance(hashes, list) else []


def _table(table: Any, key: str) -> Any:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _make_table(table: Any, key: str) -> Any:
    """Return the table at a key; a damaged file may hold something else there."""
    if not isinstance(table.get(key), dict):
        table[key] = {}
    return table[key]
