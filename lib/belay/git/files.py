"""Branch and HEAD read from git's own files, for hooks that cannot afford a process."""

from __future__ import annotations

import os

_REF = "ref: refs/heads/"


def head(git_dir: str, common_dir: str) -> tuple[str, str]:
    """Return (branch, commit); branch is "" when HEAD is detached, commit "" before the first one."""
    text = _line(os.path.join(git_dir, "HEAD"))
    if not text.startswith(_REF):
        return "", text if _is_commit(text) else ""
    branch = text[len(_REF) :]
    return branch, _resolve(common_dir, "refs/heads/" + branch)


def _resolve(common_dir: str, ref: str) -> str:
    loose = _line(os.path.join(common_dir, *ref.split("/")))
    return loose if _is_commit(loose) else _packed(common_dir, ref)


def _packed(common_dir: str, ref: str) -> str:
    wanted = (" " + ref).encode("utf-8", "surrogateescape")
    try:
        with open(os.path.join(common_dir, "packed-refs"), "rb") as file:
            for line in file:
                if line.rstrip().endswith(wanted):
                    return line.split(b" ", 1)[0].decode("ascii", "replace")
    except OSError:
        pass
    return ""


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(4096).strip()
    except (OSError, ValueError):
        return ""


def _is_commit(text: str) -> bool:
    return len(text) in (40, 64) and all(char in "0123456789abcdef" for char in text)
