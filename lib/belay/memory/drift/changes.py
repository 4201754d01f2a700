"""Read from git what happened since a memory was written, and when that was; one process, two the first time."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from belay.core import clock
from belay.core.errors import BelayError
from belay.repository.git import history
from belay.repository.projects import head

if TYPE_CHECKING:
    from belay.core.paths import Project
    from belay.memory.memory_facts import Facts

MEMORY_NAMES = ("MEMORY.md", "GLOBAL-MEMORY.md")


class Comparison(NamedTuple):
    """What is compared: the memory's facts and `folder`, the moment it was written, and the history since.

    `commits` are those since, `seen` all that were read (a day more); `base` is the commit that the memory knew.
    """

    project: Project
    facts: Facts
    folder: str
    since: float
    base: str
    commits: list[history.Commit]
    seen: list[history.Commit]
    truncated: bool

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
    """Return what happened since a memory file (MEMORY.md) was written; nothing without a repository or a date.

    `writing`: the moment at which the facts, which are not in the file yet, are written to it.
    """
    memory = path or project.memory_md
    updated = str(facts["header"]["updated"])
    written, day = writing or _written_at(memory, updated), parse_midnight(updated) if updated else 0.0
    start = day or written
    commits, more = _read_commits(project, max(0.0, start - clock.DAY)) if start else ([], False)
    last_commit = _find_memory_commit(project.relative(memory), updated, commits)
    since = next(
        (history.parse_time(commit) for commit in commits if commit.sha == last_commit),
        written or _end_of_day(day),
    )
    fresh = (
        history.select_beyond(commits, last_commit)
        if last_commit
        else [commit for commit in commits if history.parse_time(commit) > since]
    )
    truncated = more and (not commits or (not last_commit and history.parse_time(commits[-1]) > since))
    return Comparison(
        project,
        facts,
        os.path.dirname(memory),
        since,
        last_commit or _find_base(project, fresh),
        _filter_commits(project, fresh),
        commits,
        truncated,
    )


def _find_base(project: Project, fresh: list[history.Commit]) -> str:
    """Return the commit before the new ones, HEAD if there are none."""
    return history.find_base(fresh) if fresh else head(project.git_dir, project.common_dir)[1]


def _filter_commits(project: Project, fresh: list[history.Commit]) -> list[history.Commit]:
    known = {commit.sha for commit in fresh}
    return [commit for commit in fresh if _counts_as_change(project, commit, known)]


def _written_at(path: str, updated: str) -> float:
    """Return when a file was last written, 0.0 unless that was on the day its header names (or it names none)."""
    try:
        moment = os.stat(path).st_mtime
    except OSError:
        return 0.0
    return moment if not updated or time.strftime("%Y-%m-%d", time.localtime(moment)) == updated else 0.0


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


def _find_memory_commit(memory: str, updated: str, seen: list[history.Commit]) -> str:
    """Return the last commit that touched the memory on or after the date that it names, "" when none did."""
    for commit in seen:
        if commit.time[:10] >= updated and any(file.path == memory for file in commit.files):
            return commit.sha
    return ""


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
