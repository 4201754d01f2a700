"""Which repository a line of a note belongs to: a line that was copied from another one counts as nobody's here.

A line names the commit at which it was written and the first commit of its repository, both below its mark. Amend and
rebase change the one, a shallow clone lacks the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.core.plain_text import shown
from belay.repository.git import process
from belay.safety.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belay.core.paths import Project

NAME_CHARS = 40


def find_root(project: Project) -> str:
    """Return the first commit of HEAD's line, "" where there is none, or a shallow clone does not know it."""
    try:
        if process.run(project.root, "rev-parse", "--is-shallow-repository").strip() == "true":
            return ""
        answer = process.run(project.root, "rev-list", "--max-parents=0", "--first-parent", "HEAD", ok=(0, 128))
    except BelayError:
        return ""
    return answer.strip()


def find_name(project: Project) -> str:
    """Return the person's name in git's settings, "" for none: what others see who wrote a line."""
    try:
        answer = process.run(project.root, "config", "user.name", ok=(0, 1))
    except BelayError:
        return ""
    return shown(redact(answer.strip()), NAME_CHARS)


def list_existing(project: Project, objects: Sequence[str]) -> set[str]:
    """Return which of some full ids name an object that this clone has."""
    data = "".join(name + "\n" for name in objects).encode()
    answer = process.run(project.root, "cat-file", "--batch-check=%(objectname)", data=data) if data else ""
    return {line for line in answer.split("\n") if line and " " not in line}


def check(project: Project, places: Sequence[tuple[str, str]]) -> list[bool]:
    """Return whether lines with these (commit, first commit) were written in this repository.

    One that names neither waited for the first commit, and belongs to where it is.
    """
    commits = list(dict.fromkeys(commit for commit, _ in places if is_commit(commit)))
    here = list_existing(project, commits)
    lost = any(commit not in here and root for commit, root in places)
    own_root = find_root(project) if lost else ""
    return [commit in here or bool(own_root and root == own_root) or not (commit or root) for commit, root in places]


def is_commit(text: str) -> bool:
    """Whether a text is the full id of a commit: 40 hex digits, or 64 of SHA-256."""
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")
