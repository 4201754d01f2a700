"""Read from git what happened since a memory was saved, and when that was; one process, two the first time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.core.errors import BelayError
from belay.memory.reviews import find_last_review
from belay.repository.git import history
from belay.repository.projects import head

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts

MEMORY_NAMES = ("MEMORY.md", "GLOBAL-MEMORY.md")


class Comparison(NamedTuple):
    """What is compared: the memory's facts and `folder`, the day and moment it was saved, and the history since.

    `commits` are those since, `seen` all that were read (a day more); `base` is the commit that the memory knew. Where
    there are more than can be read, the last of `seen` has no name and sums up the files of the others.
    """

    project: Project
    facts: Facts
    folder: str
    day: str
    since: float
    base: str
    commits: list[history.Commit]
    seen: list[history.Commit]
    truncated: bool

    @property
    def changes(self) -> list[history.Commit]:
        """The commits that were read, without merges of commits that were read themselves: those say more exactly."""
        known = {commit.sha for commit in self.seen}
        return [commit for commit in self.seen if not any(sha in known for sha in commit.parents[1:])]

    def path_exists(self, path: str) -> bool:
        """Whether a path that the memory names is there, from the root or from the memory's own folder."""
        folders = dict.fromkeys((self.project.root, self.folder))
        return any(self._is_inside_project(os.path.join(folder, path)) for folder in folders)

    def _is_inside_project(self, path: str) -> bool:
        """Whether a file of the project is there; a path behind a link that leads out of it counts as absent."""
        if not os.path.lexists(path):
            return False
        root, folder = (os.path.realpath(folder_path) for folder_path in (self.project.root, os.path.dirname(path)))
        return folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)


def compare_memory(project: Project, facts: Facts, path: str = "", writing: float = 0.0) -> Comparison:
    """Return what happened since a memory file (MEMORY.md) was saved; nothing without a repository or a date.

    The moment is within the day of the last reviewed save (`memory.reviews`): the file's last write or the last commit
    of it on that day, the earlier one; else the day's end. A commit of the file on another day says nothing of when
    it was written. `writing`: the moment at which the facts, which are not in the file yet, are written to it.
    """
    memory = path or project.memory_md
    day = find_last_review(project, os.environ, facts, memory)
    written = writing or _written_at(memory, day)
    start = parse_midnight(day) or written
    commits, more = _read_commits(project, max(0.0, start - clock.DAY)) if start else ([], False)
    saved = _find_memory_commit(project.relative(memory), day, commits)
    committed = history.parse_time(saved) if saved else 0.0
    since = min(filter(None, (written, committed)), default=_end_of_day(parse_midnight(day)))
    fresh = _select_new(commits, saved, since)
    gap = _read_gap(project, fresh, since) if more and not saved and _is_after(commits, since) else None
    base = gap.parents[0] if gap else _find_base(project, fresh, saved)
    seen = [*commits, *([gap] if gap else [])]
    truncated = more and (not commits or (not saved and _is_after(commits, since)))
    folder = os.path.dirname(memory)
    return Comparison(project, facts, folder, day, since, base, _filter_commits(project, fresh), seen, truncated)


def _is_after(commits: list[history.Commit], since: float) -> bool:
    """Whether even the oldest of some commits is after a moment."""
    return bool(commits) and history.parse_time(commits[-1]) > since


def _select_new(commits: list[history.Commit], saved: history.Commit | None, since: float) -> list[history.Commit]:
    """Return the commits after a moment, and those that the memory's own commit does not reach: late merges."""
    beyond = {commit.sha for commit in history.select_beyond(commits, saved.sha)} if saved else set()
    return [commit for commit in commits if history.parse_time(commit) > since or commit.sha in beyond]


def _read_gap(project: Project, fresh: list[history.Commit], since: float) -> history.Commit | None:
    """Return what was committed between a moment and the oldest commit that was read, as one commit without a name.

    Its parent is the commit of that moment. None where git does not say.
    """
    try:
        base = history.find_commit_before(project.root, format_time(since))
        first = history.find_base(fresh)
        files = history.compare_commits(project.root, base, first) if base and first else ()
    except BelayError:
        return None
    return history.Commit("", "", "", "", (base,), "", files) if base else None


def _find_base(project: Project, fresh: list[history.Commit], saved: history.Commit | None) -> str:
    """Return the commit before the new ones, HEAD if there are none."""
    return history.find_base(fresh) if fresh else saved.sha if saved else head(project.git_dir, project.common_dir)[1]


def _filter_commits(project: Project, fresh: list[history.Commit]) -> list[history.Commit]:
    known = {commit.sha for commit in fresh}
    return [commit for commit in fresh if _counts_as_change(project, commit, known)]


def _written_at(path: str, day: str) -> float:
    """Return when a file was last written, 0.0 unless that was on its day (or it has none)."""
    try:
        moment = os.stat(path).st_mtime
    except OSError:
        return 0.0
    return moment if not day or time.strftime("%Y-%m-%d", time.localtime(moment)) == day else 0.0


def parse_midnight(date: str) -> float:
    """Return the moment at which a local date YYYY-MM-DD begins, 0.0 for none."""
    try:
        year, month, day = (int(part) for part in date.split("-"))
        return max(0.0, time.mktime((year, month, day, 0, 0, 0, 0, 0, -1)))
    except (ValueError, OverflowError):
        return 0.0


def _end_of_day(day: float) -> float:
    """Return when a day ends: a memory is written when the day's work is done, and knows it (seed 003)."""
    return day + clock.DAY - 1 if day else 0.0


def format_time(moment: float) -> str:
    """Return a moment as UTC time, ISO 8601; "" for none."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment)) if moment else ""


def _read_commits(project: Project, start: float) -> tuple[list[history.Commit], bool]:
    if not project.git_dir:
        return [], False
    try:
        commits, more = history.read_window(project.root, format_time(start))
    except BelayError:
        return [], True
    grafted = _read_shallow_commits(project.common_dir)
    return [commit._replace(files=()) if commit.sha in grafted else commit for commit in commits], more


def _read_shallow_commits(common_dir: str) -> set[str]:
    """Return the commits where a shallow clone ends: their files are not new, git only knows nothing before them."""
    from belay.core import files

    return set(files.read(os.path.join(common_dir, "shallow")).decode("ascii", "ignore").split())


def _find_memory_commit(memory: str, day: str, seen: list[history.Commit]) -> history.Commit | None:
    """Return the last commit that touched the memory on its day (without one: on any), None where none did."""
    for commit in seen:
        if commit.time[:10] == (day or commit.time[:10]) and any(file.path == memory for file in commit.files):
            return commit
    return None


def _counts_as_change(project: Project, commit: history.Commit, fresh: set[str]) -> bool:
    """Whether a commit counts: not what only changes Belay's own files, nor a merge whose commits are counted."""
    if len(commit.parents) > 1 and (not commit.files or any(sha in fresh for sha in commit.parents[1:])):
        return False
    return not commit.files or any(not is_own(project, file.path) for file in commit.files)


def is_own(project: Project, path: str) -> bool:
    """Whether a path is one of Belay's own files: a change of theirs is no change of the project."""
    name = path.rpartition("/")[2]
    archive = name.startswith("MEMORY-ARCHIVE") and name.endswith(".md")
    return name in MEMORY_NAMES or archive or path.startswith(".memory/") or project.is_own(path)
