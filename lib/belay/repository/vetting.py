"""Which memory files may be injected: read, checked, judged by `trust.verdict`, remembered (docs/trust.md).

Git is asked only about text that was never seen here; most starts of a session ask nothing.
"""

from __future__ import annotations

import os

from belay.core import clock
from belay.core import files as core_files
from belay.core.errors import BelayError
from belay.core.paths import inside
from belay.repository import file_places
from belay.repository.git import reflog
from belay.safety import trust
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from belay.core.paths import Project
    from belay.repository.origins import Row, TextOrigins
    from belay.safety.rows.known_rows import Filtered
    from belay.safety.trust import FileTrust, FirstLook, TrustStore

TIPS = 300
"""Named commits that are remembered of the first look; with more, only HEAD's log tells what was made here later."""


class _Look:
    """One look at some files of a project: what the store knew before, and what is to be remembered."""

    def __init__(self, project: Project, environ: Mapping[str, str]) -> None:
        self.project, self.environ, self.store = project, environ, trust.load_for_change(environ)
        looks = [trust.project(self.store, root).get("first") for root in (project.root, project.home)]
        self.looked, shared = [look if isinstance(look, dict) else None for look in looks]
        self.first: FirstLook | None = self.looked or shared
        self.news: list[tuple[str, str, str]] = []
        self.foreign: dict[str, frozenset[str]] = {}

    @property
    def since(self) -> float:
        """When the project was first looked at (seconds since the epoch); now, if this is that look."""
        return clock.seconds(str(self.first.get("time"))) if self.first else clock.seconds(clock.now()) + 1

    def entry(self, path: str) -> FileTrust:
        return trust.entry(self.store, self.project.root, path)

    def without_rows(self, texts: dict[str, bytes]) -> dict[str, bytes]:
        """Return those of some texts whose rows were not remembered yet."""
        wanted = {path: data for path, data in texts.items() if trust.has_rows(path)}
        return {path: data for path, data in wanted.items() if self.entry(path).get("rows") != trust.digest(data)}

    def find_part(self, path: str, data: bytes) -> Filtered:
        """Return what of a text that is not known consists of known rows."""
        from belay.safety.rows import known_rows

        roots = (self.project.root, self.project.home)
        return known_rows.keep_known(self.environ, roots, path, data.decode("utf-8"))

    def accepted(self, path: str, sha: str) -> bool:
        """Whether the text is known here or in the main checkout, which shares its memory with worktrees."""
        roots = {self.project.root, self.project.home}
        return any(trust.is_trusted(self.store, root, path, sha) for root in roots)

    def is_known(self, path: str, sha: str) -> bool:
        """Whether the text is known in any work tree of the repository: that is where a branch is checked out."""
        from belay.repository import projects

        trees = projects.worktrees(self.project.common_dir)
        return self.accepted(path, sha) or any(trust.is_trusted(self.store, root, path, sha) for root in trees)


def read_trusted(project: Project, environ: Mapping[str, str], paths: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return ({path: text} of trusted files, [paths of unknown ones]); paths are relative to the root.

    What is absent or no memory file (`refused` says why) is in neither. Text that was changed here is
    recorded as known. While it cannot be read what is known, nothing is said of any file.
    """
    texts = {path: data for path in paths if (data := _read(project, path)) is not None}
    try:
        look = _Look(project, environ)
        verdicts = _judge(look, texts)
        verdicts.update(_judge_rows(look, texts))
    except OSError:
        return {}, []
    trusted = {path: data for path, data in texts.items() if verdicts[path] != trust.UNKNOWN}
    _remember(look, environ, trusted)
    unknown = [path for path in texts if verdicts[path] == trust.UNKNOWN]
    return {path: data.decode("utf-8") for path, data in trusted.items()}, unknown


def hold_back_new(project: Project, environ: Mapping[str, str], paths: list[str]) -> None:
    """Note as unknown what a command brought into memory files; buffer and logs another session may have written."""
    try:
        look = _Look(project, environ)
    except OSError:
        return
    logs = os.path.join(project.logs, "")
    for path in paths:
        data = _read(project, path) if not project.at(path).startswith(logs) else None
        if data is None or look.accepted(path, trust.digest(data)):
            continue
        part = look.find_part(path, data) if trust.has_rows(path) else None
        if not part or part.new or not part.known:
            look.news.append((path, trust.digest(data), trust.UNKNOWN))
    _remember(look, environ, {})


def committed(project: Project, environ: Mapping[str, str], path: str, data: bytes) -> bool:
    """Whether the text of a blob that a commit has at a path is trusted; nothing is remembered.

    As in a work tree: it is known, or none of its rows came from elsewhere.
    """
    look, sha = _Look(project, environ), trust.digest(data)
    if look.is_known(path, sha):
        return True
    if look.first is None or sha in trust.list_refused(look.entry(path)):
        return False
    from belay.repository import origins

    try:
        foreign, typed, *_ = origins.TextOrigins(project, [path], look.first, look.is_known).judge(path, data)
    except BelayError:
        return False
    return not foreign and not typed


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
    return {**verdicts, **_first_seen(look, {path: texts[path] for path in new}, shas)}


def _first_seen(look: _Look, new: dict[str, bytes], shas: dict[str, str]) -> dict[str, str]:
    """Judge text that was never seen here; where git does not answer it stays unknown this time."""
    if not new:
        return {}
    try:
        origins = _Origins(look, [*new])
        found = {path: origins.verdict(path, data) for path, data in new.items()}
        look.foreign = origins.foreign
    except BelayError:
        return dict.fromkeys(new, trust.UNKNOWN)
    look.news += [(path, shas[path], found[path]) for path in new]
    return found


def _judge_rows(look: _Look, texts: dict[str, bytes]) -> dict[str, str]:
    """Return CHANGED for each unknown text that was never seen here but says nothing new: all its rows are known.

    Known are also the rows that came about here, beside those of others.
    """
    unknown = [path for path, _, found in look.news if found == trust.UNKNOWN and trust.has_rows(path)]
    if not unknown:
        return {}
    for path in look.foreign.keys() & {*unknown}:
        from belay.safety.rows import known_rows

        known_rows.remember_own(look.environ, look.project.root, path, texts[path], look.foreign[path])
    seen = {path: look.find_part(path, texts[path]) for path in unknown}
    known = [path for path, part in seen.items() if part.known and not part.new]
    look.news = [(path, sha, trust.CHANGED if path in known else found) for path, sha, found in look.news]
    return dict.fromkeys(known, trust.CHANGED)


class _Origins:
    """What git says of some files, asked once for all: their states, and where their texts came from."""

    def __init__(self, look: _Look, paths: list[str]) -> None:
        self.look, self.root, self.git_dir = look, look.project.root, look.project.git_dir
        self.states: dict[str, str] = dict.fromkeys(paths, "outside")
        self.strange = {path for path in paths if file_places.is_elsewhere(self.root, path)}
        self.texts: TextOrigins | None = None
        self.foreign: dict[str, frozenset[str]] = {}
        self.own: set[str] = set()
        if self.git_dir:
            self._ask(paths)

    def _ask(self, paths: list[str]) -> None:
        from belay.repository import origins
        from belay.repository.git import status

        changed = {path: state for state, path in status.list_uncommitted(self.root, *paths)}
        for path in status.list_tracked(self.root, paths):
            state = changed.get(make_label(path), "")
            self.states[path] = "outside" if "A" in state else "edited" if state else "clean"
            self.strange |= {one for one in paths if one != path and file_places.is_same(self.root, one, path)}
        self.texts = origins.TextOrigins(self.look.project, paths, self.look.first, self.look.is_known)

    def verdict(self, path: str, data: bytes) -> str:
        if path in self.strange:
            return trust.UNKNOWN
        foreign, is_copied, typed = self._judge(path, data)
        found = self._decide(path, bool(foreign) or is_copied, typed)
        if path in self.own and foreign and self._decide(path, is_copied, typed) == trust.CHANGED:
            self.foreign[path] = frozenset(line for _, line in foreign)
        return found

    def _decide(self, path: str, is_foreign: bool, typed: Collection[Row]) -> str:
        return trust.verdict(
            known=False,
            refused=False,
            git=self.states[path],
            foreign=is_foreign or (self.look.first is None and self.states[path] != "outside"),
            typed=bool(typed),
            merging=bool(self.git_dir) and reflog.is_underway(self.git_dir),
            seen=self.look.entry(path).get("known"),
            older=self._older(path),
        )

    def _judge(self, path: str, data: bytes) -> tuple[Collection[Row], bool, Collection[Row]]:
        """Return the rows of a text that came from elsewhere, whether others are a copy, and those no commit has."""
        from belay.repository import copies, origins

        told = self.look.find_part(path, data).text if trust.has_rows(path) else ""
        made: dict[Row, float] = {}
        if self.texts:
            foreign, typed, made, has_own = self.texts.judge(path, data, told)
            self.own |= {path} if has_own else set()
        else:
            foreign = frozenset()
            typed = frozenset(origins.split_rows(data.decode()).keys() - origins.split_rows(told))
        if copies.is_refused_elsewhere(self.look.store, self.root, path, data):
            return foreign, True, typed
        changed = os.stat(self.look.project.at(path)).st_ctime
        lines = {line: time for (_, line), time in (dict.fromkeys(typed, changed) | made).items()}
        return foreign, copies.is_copied(self.look.project, self.look.store, path, lines), typed

    def _older(self, path: str) -> bool:
        # The time of the inode's last change: an archive or a tool can set every other one.
        return self.look.first is None or os.stat(self.look.project.at(path)).st_ctime < self.look.since


def _remember(look: _Look, environ: Mapping[str, str], trusted: dict[str, bytes]) -> None:
    """Remember what was judged, and the rows of the `trusted` texts."""
    rows = trust.remember_rows(environ, look.project.root, look.without_rows(trusted))
    is_new = not look.looked or not {"tips", "many"} & look.looked.keys()
    if not look.news and not rows and not is_new:
        return
    tips: FirstLook = _list_tips(look.project) if is_new else {}
    root, git_dir = look.project.root, look.project.git_dir
    first: FirstLook = {"time": clock.now(), "reflog": reflog.read_size(git_dir) if git_dir else 0}

    def change(store: TrustStore) -> None:
        trust.project(store, root).setdefault("first", first).update(tips)
        for path, sha, found in look.news:
            if found == trust.CHANGED:
                trust.add(store, root, path, sha, "changed")
            else:
                trust.refuse(store, root, path, sha)
        trust.note_rows(store, root, rows)

    trust.update(environ, change)


def _list_tips(project: Project) -> FirstLook:
    """Return the commits that have a name now, as a first look remembers them."""
    from belay.repository.git import versions

    try:
        tips = versions.list_tips(project.root, TIPS) if project.git_dir else []
    except BelayError:
        return {}
    return {"many": True} if tips is None else {"tips": tips}
