"""Questions to git, one process each: what is uncommitted, committed, tracked, ignored, and blobs."""

from __future__ import annotations

import os

from belay.core.tuples import NamedTuple
from belay.repository.git.process import run, split_fields
from belay.safety.labels import make_label
from belay.safety.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_COMMITS = 50


class Commit(NamedTuple):
    """One commit: full id, committer's time (ISO 8601), first line of the message."""

    sha: str
    time: str
    subject: str


def list_uncommitted(root: str, *paths: str) -> list[tuple[str, str]]:
    """Return (XY, label of the path) of all that is uncommitted, as `git status --porcelain`; new folders end with "/".

    Of a submodule only its commit counts: its files are a project of their own.
    """
    options = (
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",
    )
    answer = run(root, "status", *options, "--", *quote_paths(paths))
    return [(entry[:2], make_label(entry[3:])) for entry in split_fields(answer)]


def list_commits(root: str, since: str) -> list[Commit]:
    """Return the commits of HEAD after an ISO time, newest first, at most 50, their subjects redacted."""
    if not run(root, "rev-parse", "-q", "--verify", "HEAD^{commit}", ok=(0, 1, 128)).strip():
        return []
    answer = run(root, "log", "-z", f"-n{_COMMITS}", "--format=%H%x1f%cI%x1f%s", f"--since={since}", "HEAD", "--")
    return [Commit(*redact(entry).split("\x1f", 2)) for entry in split_fields(answer)]


def list_tracked(root: str, paths: list[str]) -> list[str]:
    """Return which of the paths (folders: what in them) the index holds."""
    if not paths:
        return []
    return split_fields(run(root, "ls-files", "-z", "--full-name", "--", *quote_paths(paths, ",icase")))


def list_named(root: str, names: Iterable[str]) -> list[str]:
    """Return the tracked files in folders below a root that have one of some names."""
    return split_fields(run(root, "ls-files", "-z", "--full-name", "--", *(f":(glob)*/**/{name}" for name in names)))


def find_blobs(root: str, names: list[str]) -> list[str]:
    """Return the blob ids of names like "COMMIT:path" in their order, "" for what does not exist."""
    return [sha for sha, _ in find_sized_blobs(root, names)]


def find_sized_blobs(root: str, names: list[str]) -> list[tuple[str, int]]:
    """Return (blob id, its bytes) of names like "COMMIT:path" in their order, ("", 0) for what does not exist."""
    lines = "".join(("0" if "\n" in name else name) + "\n" for name in names)
    if not names:
        return []
    answer = run(
        root,
        "cat-file",
        "--batch-check=%(objecttype) %(objectname) %(objectsize)",
        data=lines.encode("utf-8", "surrogateescape"),
    )
    rows = [line.split(" ") for line in answer.split("\n")[:-1]]
    return [(row[1], int(row[2])) if row[0] == "blob" and len(row) == 3 else ("", 0) for row in rows]


def read_blobs(root: str, blobs: list[str]) -> list[bytes]:
    """Return the bytes of several blobs in their order, b"" for what is none; whoever asks knows their sizes."""
    lines = "".join(blob + "\n" for blob in blobs).encode()
    answer = run(root, "cat-file", "--batch", data=lines).encode("utf-8", "surrogateescape")
    bodies: list[bytes] = []
    at = 0
    for _ in blobs:
        start = answer.index(b"\n", at) + 1
        head = answer[at:start].split()
        size = int(head[2]) if head[1:2] == [b"blob"] else -1
        bodies.append(answer[start : start + max(size, 0)])
        at = start + size + 1  # a line end follows a blob's bytes; none follows "missing"
    return bodies


def find_ignored(root: str, names: list[str]) -> set[str]:
    """Return which paths (folders end with "/"; they need not exist) git ignores, its own folder included."""
    own = {name for name in names if name.split("/", 1)[0] == ".git"}
    asked = {name + "x" if name.endswith("/") else name: name for name in names if name not in own}
    plain = [path for path in asked if path[:1] not in ("", ":", "/") and "\0" not in path]
    data = "".join(path + "\0" for path in plain).encode("utf-8", "surrogateescape")
    # 128: one of them is behind a link or in a submodule; those before it have been answered.
    answer = run(root, "check-ignore", "-z", "--stdin", data=data, ok=(0, 1, 128)) if plain else ""
    return own | {asked[path] for path in split_fields(answer) if path in asked}


def read_blob(root: str, blob: str) -> bytes:
    """Return the bytes of a blob, b"" when there is none."""
    return run(root, "cat-file", "blob", blob, ok=(0, 128)).encode("utf-8", "surrogateescape")


def quote_paths(paths: Iterable[str], case: str = "") -> list[str]:
    """Return the arguments by which git takes paths as they are, without patterns."""
    return [f":(literal{case})" + path.replace(os.sep, "/") for path in paths]
