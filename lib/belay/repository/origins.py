"""Whether a memory file's text came about here, by what git holds of it (docs/trust.md).

A text is compared row by row with every version of its path: in branches, stashes, logs, and in commits that have no
name any more. Rows that only another's commit added came from elsewhere, however they got into the work tree.
"""

from __future__ import annotations

from belay.core.tuples import NamedTuple
from belay.repository.git import process, reflog, status, versions
from belay.safety import trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from belay.core.paths import Project
    from belay.repository.git.versions import Version
    from belay.safety.trust import FirstLook

    Row = tuple[str, str]
    """A line without its layout, behind the heading above it."""

_OWN, _COPIED, _FOREIGN = "own", "copied", "foreign"
_TEXT_BYTES = 64 * 1024 * 1024
"""Bytes of all versions together that are compared."""


class Judgement(NamedTuple):
    """What is said of a text: `foreign` rows came from elsewhere, `typed` ones are in no commit.

    made: rows that own commits added, and when the first of them was made (seconds since 1970).
    has_own: whether a row that is not known by itself came about here.
    """

    foreign: frozenset[Row]
    typed: frozenset[Row]
    made: dict[Row, float]
    has_own: bool


def split_rows(text: str) -> dict[Row, bytes]:
    """Return the rows of a text that say something, each with the line that spells it."""
    rows: dict[Row, bytes] = {}
    heading = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            heading = line
        if any(map(str.isalnum, line)):
            rows[heading if line != heading else "", line] = line.encode("utf-8", "surrogateescape")
    return rows


class TextOrigins:
    """What git knows of the versions of some paths, asked once for all of them.

    known: whether a text (by path and hash) is trusted already. Raises GitMissing or GitFailed where git does not
    answer: then nothing can be said of a text.
    """

    def __init__(
        self, project: Project, paths: list[str], first: FirstLook | None, known: Callable[[str, str], bool]
    ) -> None:
        self.project, self.root, self.first, self.known = project, project.root, first, known
        self.logs = reflog.CommitOrigins(project.common_dir)
        self.emails = self.logs.emails | {one.lower() for one in process.read_settings(self.root, "user.email")}
        found = versions.list_versions(self.root, project.common_dir, paths)
        self.versions = [version for version in found if not (version.lost and self._is_ours(version))]
        self.own = self._find_own(paths)
        self.bodies = self._read_bodies()
        self.split: dict[str, dict[Row, bytes]] = {}

    def judge(self, path: str, data: bytes, told: str = "") -> Judgement:
        """Return what is to be said of a path's text that is not known; `told` is what is known of it by its rows."""
        known = split_rows(told)
        rows = {row: line for row, line in split_rows(data.decode("utf-8", "replace")).items() if row not in known}
        new = rows.keys()
        mine = [version for version in self.versions if version.path == path]
        trusted = {version.blob for version in mine if self._is_trusted(path, version.blob)}
        for blob in trusted:
            rows = {row: line for row, line in rows.items() if row not in self._rows(blob)}
        added: dict[str, dict[Row, float]] = {_OWN: {}, _COPIED: {}, _FOREIGN: {}}
        for version in mine:
            if version.blob not in trusted:
                self._note(version, rows, added[self._find_kind(version)])
        typed = rows.keys() - added[_OWN].keys() - added[_COPIED].keys() - added[_FOREIGN].keys()
        foreign = added[_FOREIGN].keys() | (added[_COPIED].keys() - added[_OWN].keys())
        if typed and self._is_elsewhere(data):
            foreign |= typed
        made = {row: time for row, time in added[_OWN].items() if row not in foreign}
        return Judgement(frozenset(foreign), frozenset(typed), made, not new <= foreign)

    def _note(self, version: Version, rows: Mapping[Row, bytes], times: dict[Row, float]) -> None:
        """Note which of the rows a version added, and when the first version did."""
        found = self._find_added(version, rows)
        time = versions.find_time(self.project.common_dir, version) if found else 0.0
        times.update({row: min(time, times.get(row, time)) for row in found})

    def _find_own(self, paths: list[str]) -> set[str]:
        """Return the commits that were made here after the first look.

        A log names them; or the committer works here, and a rebase or merge made them, or no fetched commit leads to
        them: their log is gone with a branch or a work tree.
        """
        if self.first is None or not self.versions:
            return set()
        if "tips" not in self.first:
            moves = reflog.list_local_commits(self.project.git_dir, int(self.first.get("reflog", 0)))
            return {commit for _, commit in moves}
        tips = self.first["tips"]
        later = versions.list_later(self.root, tips, paths)
        unfetched = versions.list_later(self.root, [*tips, *self._list_fetched()], paths) if later else set()
        mine = {version.commit for version in self.versions if self._is_ours(version)}
        unlogged = (unfetched - self.logs.copied - self.logs.patched) | (later & self.logs.rewritten)
        return (later & self.logs.made) | (unlogged & mine)

    def _is_ours(self, version: Version) -> bool:
        return self.first is not None and "tips" in self.first and version.email in self.emails

    def _list_fetched(self) -> list[str]:
        """Return commits of other repositories, from logs and from fetched branches that have none."""
        named = versions.list_fetched(self.root)
        return [*dict.fromkeys([*self.logs.fetched, *(commit for commit in named if commit not in self.logs.pushed)])]

    def _find_kind(self, version: Version) -> str:
        if version.commit in self.own:
            return _OWN
        return _COPIED if version.commit in self.logs.copied else _FOREIGN

    def _read_bodies(self) -> dict[str, bytes]:
        names = {blob for version in self.versions for blob in (version.blob, *version.before) if blob}
        sized = [(blob, size) for blob, size in status.find_sized_blobs(self.root, sorted(names)) if blob]
        if sum(size for _, size in sized) > _TEXT_BYTES:
            raise process.GitFailed(self.root, "its memory files have too many versions to compare")
        blobs = [blob for blob, _ in sized]
        return dict(zip(blobs, status.read_blobs(self.root, blobs) if blobs else [], strict=True))

    def _is_trusted(self, path: str, blob: str) -> bool:
        return bool(blob) and self.known(path, trust.digest(self.bodies.get(blob, b"")))

    def _rows(self, blob: str) -> Iterable[Row]:
        if blob not in self.split:
            self.split[blob] = split_rows(self.bodies.get(blob, b"").decode("utf-8", "replace"))
        return self.split[blob]

    def _find_added(self, version: Version, rows: Mapping[Row, bytes]) -> set[Row]:
        """Return which of the rows a version has and none of its parents had."""
        body = self.bodies.get(version.blob, b"")
        if not any(line in body for line in rows.values()):
            return set()
        found = rows.keys() & self._rows(version.blob)
        for blob in version.before if found else ():
            found -= {*self._rows(blob)}
        return found

    def _is_elsewhere(self, data: bytes) -> bool:
        """Whether git has this very text, from a commit that was not made here: under another name, say."""
        from belay.repository import projects

        blob = versions.find_text(self.root, data, projects.branch_and_commit(self.project)[1])
        return bool(blob) and versions.find_elsewhere(self.root, blob, self.own | self.logs.made)
