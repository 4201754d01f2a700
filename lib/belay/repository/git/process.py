"""Starting git: read-only questions to a repository whose own configuration may be hostile.

A repository that came as an archive can name programs in its config (fsmonitor, hooks, filters, external
diff, text conversion, signature checks, lazy fetches); every one of them is switched off for our calls.
"""

from __future__ import annotations

import os
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from belay.core.errors import BelayError

TIMEOUT = 5.0
"""Seconds one question may take; the start of a session waits for it (its hook has 10)."""

FIRST_BYTES = 4 * 1024 * 1024
FIRST_SECONDS = 1.5
"""What a question about history may answer at most, when its beginning is enough."""

_BEFORE = ("git", "--no-pager", "-C")
_FIXED = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "log.showSignature=false",
    "safe.bareRepository=explicit",
)
_READ_FIRST = (
    ".gitignore", ".gitattributes", ".git/info/exclude", ".git/info/attributes", ".claude/memory/.gitignore",
    ".claude/orchestration/.gitignore",
)  # fmt: skip
"""What git reads whatever it is asked; at a pipe it waits for ever."""
_guards: dict[str, list[str]] = {}
_settings: dict[str, list[tuple[str, str]]] = {}
_slow: set[str] = set()
"""Roots where git did not answer in time: a second question would take a hook over its own limit."""


class GitMissing(BelayError):
    """There is no git on PATH."""


class GitFailed(BelayError):
    """Git answered with an error, or not in time."""


def run(root: str, *args: str, timeout: float = TIMEOUT, ok: tuple[int, ...] = (0,), data: bytes = b"") -> str:
    """Return what `git args` prints in the folder `root`; exit codes in `ok` are fine, `data` is its stdin.

    Bytes that are not UTF-8 (file names may be any) come as lone surrogates. Raises GitMissing or GitFailed.
    """
    return call(root, make_guards(root) + list(args), timeout, ok, data).decode("utf-8", "surrogateescape")


def call(root: str, args: list[str], timeout: float, ok: tuple[int, ...], data: bytes) -> bytes:
    """Return the bytes of one git call without the repository's own guards: see `run`."""
    if root in _slow:
        raise GitFailed(root, "git did not answer before", "try again")
    with _start_git(root, args, subprocess.PIPE, subprocess.PIPE) as git:
        try:
            output, errors = git.communicate(data, timeout)
        except subprocess.TimeoutExpired as error:
            _slow.add(root)
            raise GitFailed(root, f"git {find_verb(args)} took over {timeout:g} s", "try again") from error
        finally:
            git.kill()
    if git.returncode not in ok:
        raise _make_failure(root, args, errors.decode("utf-8", "replace"))
    return output


def exchange(root: str, args: list[str], seconds: float) -> tuple[int, str, str]:
    """Run a push or a fetch that the user asked for; return its exit code, errors and output. The network is open.

    No hook runs, and no transport helper (`ext::`) either. Raises GitMissing or GitFailed.
    """
    _refuse_pipes(root)
    named = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_SSL_CAINFO")
    own = {name: os.environ[name] for name in named if name in os.environ}
    environ = {**make_environment(), **own, "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh"}
    command = command_line(root, [*make_guards(root), *args])
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, env=environ)
    except FileNotFoundError as error:
        raise GitMissing("git", "is not on PATH", "install git") from error
    except subprocess.TimeoutExpired as error:
        raise GitFailed(root, f"git {find_verb(args)} took over {seconds:g} s", "try again") from error
    return done.returncode, done.stderr.decode("utf-8", "replace"), done.stdout.decode("utf-8", "replace")


def read_start(root: str, *args: str, most: int = FIRST_BYTES, seconds: float = FIRST_SECONDS) -> str:
    """Return the beginning of what `git args` prints: what comes within so many bytes and seconds.

    For history that may hold anything (a message of a gigabyte packs to nothing). A failure gives what came
    before it; a root that was slow to answer stays askable. Raises GitMissing and GitFailed as `run` does
    when git cannot be started or the repository cannot be guarded.
    """
    with _start_git(root, [*make_guards(root), *args], subprocess.DEVNULL, subprocess.DEVNULL) as git:
        clock = threading.Timer(seconds, git.kill)
        clock.start()
        data = git.stdout.read(most) if git.stdout else b""
        clock.cancel()
        git.kill()
    return data.decode("utf-8", "surrogateescape")


def read_all(
    root: str, *args: str, ok: tuple[int, ...] = (0,), most: int = FIRST_BYTES, seconds: float = FIRST_SECONDS
) -> str:
    """Return all that `git args` prints. Raises GitFailed for more bytes or seconds, or another exit code.

    For questions whose answer only counts when it is complete; a root that was slow to answer stays askable.
    """
    with _start_git(root, [*make_guards(root), *args], subprocess.DEVNULL, subprocess.DEVNULL) as git:
        clock = threading.Timer(seconds, git.kill)
        clock.start()
        data = git.stdout.read(most + 1) if git.stdout else b""
        code = git.wait() if len(data) <= most else -1
        clock.cancel()
        git.kill()
    if code not in ok:
        raise GitFailed(root, f"git {find_verb(list(args))} was not answered completely", "try again")
    return data.decode("utf-8", "surrogateescape")


def _start_git(root: str, args: list[str], stdin: int, stderr: int) -> subprocess.Popen[bytes]:
    _refuse_pipes(root)
    try:
        return starter(root, command_line(root, args), stdin, stderr)
    except FileNotFoundError as error:
        raise GitMissing("git", "is not on PATH", "install git") from error
    except (OSError, ValueError) as error:
        raise GitFailed(root, f"git cannot be started: {error}") from error


def _refuse_pipes(root: str) -> None:
    for name in _READ_FIRST:
        path = os.path.join(root, *name.split("/"))
        try:
            is_pipe = stat.S_ISFIFO(os.stat(path).st_mode)
        except (OSError, ValueError):
            continue
        if is_pipe:
            raise GitFailed(path, "is a pipe, at which git waits for ever", "remove it")


def command_line(root: str, args: list[str]) -> list[str]:
    """Return the command line of a call in a folder, without the options of `guards`."""
    return [*_BEFORE, root, *(part for pair in _FIXED for part in ("-c", pair)), *args]


def start(_root: str, command: list[str], stdin: int, stderr: int) -> subprocess.Popen[bytes]:
    """Start a git command as a plain process; stdin and stderr are PIPE or DEVNULL."""
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, env=make_environment())


starter: Callable[[str, list[str], int, int], subprocess.Popen[bytes]] = start
"""What starts git: `start` in hooks and quick commands, GitPython where `reader` chose it."""


def make_environment() -> dict[str, str]:
    """Return our environment for git: no GIT_* of a surrounding hook, no prompt, no locale, no network."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    fixed = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    # A partial clone would fetch what it lacks, by whatever transport its config names.
    return {**clean, **fixed, "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}


@contextmanager
def hidden_variables() -> Iterator[None]:
    """Hide the GIT_* variables of a surrounding git hook: GitPython reads them and passes them on."""
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
    try:
        yield
    finally:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            del os.environ[name]
        os.environ.update(hidden)


def make_guards(root: str) -> list[str]:
    """Return the options that empty the filters of the repository's own config; asked once a process."""
    if root not in _guards:
        listing = call(root, ["config", "--list", "--show-scope", "-z"], TIMEOUT, (0,), b"")
        split_fields = listing.decode("utf-8", "surrogateescape").split("\0")
        _settings[root] = [(name, value) for name, _, value in (row.partition("\n") for row in split_fields[1::2])]
        _guards[root] = _empty_filters(split_fields[0::2], [name for name, _ in _settings[root]])
    return _guards[root]


def is_guarded(root: str) -> bool:
    """Whether the settings of a folder have been read, so that its filters can be emptied."""
    return root in _guards


def read_settings(root: str, name: str) -> list[str]:
    """Return the values of a setting as git lists them, of every scope: no process of its own. Raises as `run`."""
    make_guards(root)
    return [value for key, value in _settings[root] if key == name]


def _empty_filters(scopes: list[str], names: list[str]) -> list[str]:
    options: list[str] = []
    for scope, name in zip(scopes, names, strict=False):
        if scope in ("local", "worktree") and name.startswith("filter."):
            stem = name.rpartition(".")[0]
            if "=" in stem:  # `-c` ends a key at its first "=": such a filter would stay on
                raise GitFailed(name, "cannot be switched off", "rename the filter in .git/config")
            options += ["-c", f"{stem}.clean=", "-c", f"{stem}.process=", "-c", f"{stem}.required=false"]
    return options


def _make_failure(root: str, args: list[str], stderr: str) -> GitFailed:
    lines = [line for line in stderr.splitlines() if line.strip()] or ["no reason given"]
    if "dubious ownership" in stderr:
        return GitFailed(root, "belongs to another user", f"git config --global --add safe.directory '{root}'")
    return GitFailed(root, f"git {find_verb(args)}: {lines[0].removeprefix('fatal: ')}")


def find_verb(args: list[str]) -> str:
    """Return the git command among arguments: what is no option `-c` and no value of one."""
    skip = False
    for arg in args:
        if not skip and arg != "-c":
            return arg
        skip = arg == "-c"
    return ""


def split_fields(text: str) -> list[str]:
    """Return the fields of a -z answer."""
    return text.split("\0")[:-1] if text.endswith("\0") else [field for field in text.split("\0") if field]
