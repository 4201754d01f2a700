"""Which memory files may be injected: read, checked, judged by `trust.verdict`, remembered (docs/trust.md).

Git is asked only about text that was never seen here; most starts of a session ask nothing.
"""

from __future__ import annotations

import os

from belay.core import clock
from belay.core import files as core_files
from belay.core.errors import BelayError
from belay.core.paths import inside
from belay.repository.git import reflog
from belay.safety import trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project
    from belay.safety.trust import FileTrust, FirstLook, TrustStore


_COMMITS = 300
"""Commits made here that are looked through for where a text came from."""


class _Look:
    """One look at some files of a project: what the store knew before, and what is to be remembered."""

    def __init__(self, project: Project, environ: Mapping[str, str]) -> None:
        self.project, self.store = project, trust.load(environ)
        mine = trust.project(self.store, project.root)
        first = mine.get("first")
        self.first = first if isinstance(first, dict) else None
        self.news: list[tuple[str, str, str, str]] = []

    @property
    def since(self) -> float:
        """When the project was first looked at (seconds since the epoch); now, if this is that look."""
        return clock.seconds(str(self.first.get("time"))) if self.first else clock.seconds(clock.now()) + 1

    def entry(self, path: str) -> FileTrust:
        return trust.entry(self.store, self.project.root, path)

    def accepted(self, path: str, sha: str) -> bool:
        """Whether the text is known here or in the main checkout, which shares its memory with worktrees."""
        roots = {self.project.root, self.project.home}
        return any(trust.is_trusted(self.store, root, path, sha) for root in roots)


def read_trusted(project: Project, environ: Mapping[str, str], paths: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return ({path: text} of trusted files, [paths of unknown ones]); paths are relative to the root.

    What is absent or no memory file (`refused` says why) is in neither. Text that was changed here is
    recorded as known.
    """
    texts = {path: data for path in paths if (data := _read(project, path)) is not None}
    look = _Look(project, environ)
    verdicts = _judge(look, texts)
    _remember(look, environ)
    known = {p: texts[p].decode("utf-8") for p in texts if verdicts[p] != trust.UNKNOWN}
    return known, [path for path in texts if verdicts[path] == trust.UNKNOWN]


def committed(project: Project, environ: Mapping[str, str], path: str, blob: str, data: bytes) -> bool:
    """Whether the text of a blob that a commit has at a path is trusted; nothing is remembered.

    As in a work tree: it is known, or commits made here lead down to known text or to the file's creation. Known is
    also what was written in another worktree of this repository: that is where its branch is checked out.
    """
    from belay.repository import projects

    look, sha = _Look(project, environ), trust.digest(data)
    others = projects.worktrees(project.common_dir)
    if look.accepted(path, sha) or any(trust.is_trusted(look.store, root, path, sha) for root in others):
        return True
    if sha in trust.list_refused(look.entry(path)):
        return False
    try:
        origins = _Origins(look, [path])
    except BelayError:
        return False
    return path not in origins.strange and origins.made_here(path, blob)


def candidates(project: Project) -> list[str]:
    """Return the memory files of a project that exist, as paths from its root."""
    single = [project.memory_md, project.continuation, project.todo, project.lessons]
    folders = (project.logs, project.overlays)
    several = [
        os.path.join(folder, name)
        for folder in folders
        for name in core_files.list_names(folder)
        if name.endswith(".md")
    ]
    return [project.relative(path) for path in single + several if os.path.lexists(path)]


def explain_refusals(project: Project, paths: list[str]) -> list[str]:
    """Return one line a file that is not touched: which and why (conflict markers, a link, too large …)."""
    reasons = [(path, core_files.explain_refusal(project.at(path))) for path in paths]
    return [f"{path} {why}; Belay leaves it alone" for path, why in reasons if why]


def _read(project: Project, path: str) -> bytes | None:
    full = project.at(path)
    if not os.path.lexists(full) or core_files.explain_refusal(full) or not inside(project.root, full):
        return None
    return core_files.read(full)


def _judge(look: _Look, texts: dict[str, bytes]) -> dict[str, str]:
    shas = {path: trust.digest(data) for path, data in texts.items()}
    verdicts = {path: trust.KNOWN for path, sha in shas.items() if look.accepted(path, sha)}
    refused = [p for p in texts if p not in verdicts and shas[p] in trust.list_refused(look.entry(p))]
    verdicts.update(dict.fromkeys(refused, trust.UNKNOWN))
    new = [path for path in texts if path not in verdicts]
    return {**verdicts, **_first_seen(look, new, shas)}


def _first_seen(look: _Look, new: list[str], shas: dict[str, str]) -> dict[str, str]:
    """Judge text that was never seen here; where git does not answer it stays unknown this time."""
    if not new:
        return {}
    try:
        origins = _Origins(look, new)
        found = {path: origins.verdict(path) for path in new}
    except BelayError:
        return dict.fromkeys(new, trust.UNKNOWN)
    look.news += [(path, shas[path], found[path], origins.heads.get(path, "")) for path in new]
    return found


class _Origins:
    """What git says of some files, asked once for all: state, HEAD's blob, changes by commits made here."""

    def __init__(self, look: _Look, paths: list[str]) -> None:
        self.look, self.root, self.git_dir = look, look.project.root, look.project.git_dir
        self.states: dict[str, str] = dict.fromkeys(paths, "outside")
        self.heads: dict[str, str] = {}
        self.made: dict[str, list[tuple[str, str]]] = {}
        self.strange = {path for path in paths if _elsewhere(self.root, path)}
        if self.git_dir:
            self._ask(paths)

    def _ask(self, paths: list[str]) -> None:
        from belay.repository.git import status

        changed = {path for _, path in status.list_uncommitted(self.root, *paths)}
        for path in status.list_tracked(self.root, paths):
            self.states[path] = "edited" if path in changed else "clean"
            self.strange |= {one for one in paths if one != path and _same(self.root, one, path)}
        offset = int(self.look.first.get("reflog", 0)) if self.look.first else reflog.read_size(self.git_dir)
        commits = reflog.list_local_commits(self.git_dir, offset)[-_COMMITS:]
        names = [f"{commit}:{path}" for path in paths for pair in (("HEAD", "HEAD"), *commits) for commit in pair]
        blobs = iter(status.find_blobs(self.root, names))
        for path in paths:
            self.heads[path] = [next(blobs), next(blobs)][0]
            self.made[path] = [(next(blobs), next(blobs)) for _ in commits]

    def verdict(self, path: str) -> str:
        if path in self.strange:
            return trust.UNKNOWN
        entry = self.look.entry(path)
        seen, state = entry.get("known"), self.states[path]
        return trust.verdict(
            known=False,
            refused=False,
            git=state,
            base=state != "outside" and self._base(path, state, seen),
            merging=bool(self.git_dir) and reflog.is_underway(self.git_dir),
            seen=seen,
            older=self._older(path),
        )

    def _base(self, path: str, state: str, seen: bool | None) -> bool:
        head = self.heads[path]
        if state == "edited" and not head:
            return seen if seen is not None else not self._older(path)
        if state == "edited" and seen and self.look.entry(path).get("head") == head:
            return True
        return (state == "edited" and self._known_blob(path, head)) or self.made_here(path, head)

    def made_here(self, path: str, blob: str) -> bool:
        """Whether commits made here lead from this blob down to a known one, or to the file's creation."""
        before = {new: old for old, new in self.made[path] if old != new}
        while blob in before:
            blob = before.pop(blob)
            if not blob or self._known_blob(path, blob):
                return True
        return False

    def _known_blob(self, path: str, blob: str) -> bool:
        from belay.repository.git import status

        return bool(blob) and self.look.accepted(path, trust.digest(status.read_blob(self.root, blob)))

    def _older(self, path: str) -> bool:
        # The time of the inode's last change: an archive or a tool can set every other one.
        return self.look.first is None or os.stat(self.look.project.at(path)).st_ctime < self.look.since


def _elsewhere(root: str, path: str) -> bool:
    """Whether git keeps a file under another name or elsewhere: behind a link, in a submodule or nested repository."""
    folder = os.path.dirname(os.path.join(root, path))
    while len(folder) > len(root):
        if os.path.islink(folder) or os.path.lexists(os.path.join(folder, ".git")):
            return True
        folder = os.path.dirname(folder)
    return False


def _same(root: str, one: str, other: str) -> bool:
    """Whether two names are one file, as on a file system that ignores the case of letters."""
    try:
        return os.path.samefile(os.path.join(root, one), os.path.join(root, other))
    except OSError:
        return False


def _remember(look: _Look, environ: Mapping[str, str]) -> None:
    if not look.news and look.first is not None:
        return
    root, git_dir = look.project.root, look.project.git_dir
    first: FirstLook = {"time": clock.now(), "reflog": reflog.read_size(git_dir) if git_dir else 0}

    def change(store: TrustStore) -> None:
        trust.project(store, root).setdefault("first", first)
        for path, sha, found, head in look.news:
            if found == trust.CHANGED:
                trust.add(store, root, path, sha, "changed")
            else:
                trust.refuse(store, root, path, sha)
            trust.note_head(store, root, path, head)

    trust.update(environ, change)
