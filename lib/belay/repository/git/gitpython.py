"""GitPython behind the guards of `process`: the only module that imports it, because it takes 100 ms to load.

Neither settings nor references of a repository are read in this process. A clone's settings can include any file,
and a pipe in place of a file would stop us; git itself is asked, and ended when it does not answer.
"""

from __future__ import annotations

import subprocess
import threading
from functools import partial
from typing import IO, Any

import git

from belay.repository.git import blame, process

_SHOW_CHANGES = ("diff", "diff-tree", "log", "show")
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")
_open: dict[str, Repository] = {}


class _Git(git.Git):
    """git as GitPython calls it: every call guarded, and those it waits for bounded in bytes and seconds."""

    def execute(self, command: Any, *args: Any, **options: Any) -> Any:
        """Run a call of GitPython's own making; return a process, bytes or text, as its options say."""
        root, arguments = str(self.working_dir), list(command[1:])
        verb = process.find_verb(arguments)
        if verb in _SHOW_CHANGES:
            behind = arguments.index(verb) + 1
            arguments[behind:behind] = _NO_PROGRAMS
        if options.get("as_process"):
            guarded = process.command_line(root, [*process.make_guards(root), *arguments])
            return self.start(guarded, options.get("istream"))
        text = process.read_start(root, *arguments)
        return text if options.get("stdout_as_string", True) else text.encode("utf-8", "surrogateescape")

    def start(self, command: list[str], stdin: int | None) -> git.Git.AutoInterrupt:
        """Start a guarded command line with the environment of a plain process."""
        with process.hidden_variables():
            started: git.Git.AutoInterrupt = super().execute(
                command, istream=stdin, as_process=True, env=process.make_environment()
            )
        return started


class Repository(git.Repo):
    """A work tree that has answered a guarded question: what makes git hang has been found out there."""

    GitCommandWrapperType = _Git

    def __init__(self, root: str) -> None:
        process.make_guards(root)
        with process.hidden_variables():
            super().__init__(root, expand_vars=False)

    def _config_reader(self, *_: object, **__: object) -> git.GitConfigParser:
        return git.GitConfigParser([], read_only=True, merge_includes=False)

    config_reader = _config_reader


def open_repository(root: str) -> Repository | None:
    """Return the repository of a work tree's top folder, open until `close_all`; None for any other folder."""
    if root not in _open:
        try:
            _open[root] = Repository(root)
        except (git.GitError, OSError):
            return None
    return _open[root]


def close_all() -> None:
    """Close what was opened: no process of a repository stays."""
    while _open:
        _open.popitem()[1].close()


def start(root: str, command: list[str], stdin: int, stderr: int) -> subprocess.Popen[bytes]:
    """Start a git command through GitPython, as `process.start` does without it."""
    repository = open_repository(root) if process.is_guarded(root) else None
    try:
        running = (repository.git if repository else _Git(root)).start(command, stdin)
    except git.GitCommandNotFound as error:
        raise FileNotFoundError(str(error)) from error
    started: subprocess.Popen[bytes] = running.proc
    running.proc = None  # else it ends the process as soon as nobody refers to it
    if stderr == subprocess.DEVNULL and started.stderr:
        threading.Thread(target=_discard, args=(started.stderr,), daemon=True).start()
        started.stderr = None
    return started


def _discard(stream: IO[bytes]) -> None:
    # GitPython always makes this pipe; git would wait when nobody empties it.
    with stream:
        for _ in iter(partial(stream.read, 65536), b""):
            pass


def line_times(root: str, path: str, since: str) -> dict[int, int]:
    """Return 1-based line → author's time (seconds) of its last change, as `blame.read_line_times` does."""
    process.make_guards(root)
    repository = open_repository(root)
    if repository is None:
        return blame.read_line_times(root, path, since)
    changed: dict[int, int] = {}
    try:
        for entry in repository.blame_incremental(None, path, since=since, no_textconv=True):
            changed.update(dict.fromkeys(entry.linenos, entry.commit.authored_date))
    except AssertionError:  # GitPython knows no commits with SHA-256
        return blame.read_line_times(root, path, since)
    except (ValueError, KeyError):  # the answer was cut off
        pass
    return dict(sorted(changed.items()))
