"""A second name of the ledger, where no checkout reaches: git overwrites an ignored file when a commit brings one.

A hard link in the repository's own folder costs no room, and keeps what is appended under either name. A pull that puts
another file in the ledger's place so takes nothing away: what only the second name still holds is brought back, before
what came (whose records are another's: they are never folded). Without git, or links, there is none.
"""

from __future__ import annotations

import os
import stat

from belay.core import files
from belay.core.lock import hold
from belay.repository import projects
from belay.session import journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project


def settle(project: Project) -> bool:
    """Bring the ledger and its second name together; return whether something had to be brought back."""
    folder = _find_folder(project)
    if not folder:
        return False
    copy = os.path.join(folder, os.path.basename(project.ledger))
    pairs = zip(_list_segments(project.ledger, copy), _list_segments(copy, project.ledger), strict=True)
    results = [_settle_segment(project, own, spare) for own, spare in pairs]
    return any(results)


def count_names(ledger: str, environ: Mapping[str, str]) -> int:
    """Return how many names Belay gave the segment of a ledger that is written now: any other is not its own."""
    project = projects.find(os.path.dirname(ledger), environ)
    folder = _find_folder(project) if project else ""
    own = journal.current_segment(ledger)
    known = _read_identity(own)
    return 2 if folder and known and known == _read_identity(os.path.join(folder, os.path.basename(own))) else 1


def list_copies(project: Project) -> list[str]:
    """Return the second names that exist."""
    folder = _find_folder(project)
    return journal.list_segments(os.path.join(folder, os.path.basename(project.ledger))) if folder else []


def _find_folder(project: Project) -> str:
    """Return the folder of second names, "" without a repository or where the ledger is in it already."""
    folder = projects.own_folder(project)
    return "" if not folder or project.store.startswith(folder) else folder


def _list_segments(path: str, other: str) -> list[str]:
    """Return the segments of a ledger, as many as it or the other has."""
    number = max(len(journal.list_segments(path)), len(journal.list_segments(other)), 1)
    stem = path.removesuffix(".jsonl")
    return [path, *(f"{stem}.{at}.jsonl" for at in range(2, number + 1))]


def _settle_segment(project: Project, own: str, spare: str) -> bool:
    mine, kept = _read_identity(own), _read_identity(spare)
    if mine == kept:
        return False
    if not kept:
        return _link(own, spare) and False
    if not mine and not os.path.isdir(project.journals):
        os.unlink(spare)  # the user took the memory away
        return False
    with hold(project.lock):
        if _read_identity(own) != _read_identity(spare):
            _bring_back(own, spare)
    return True


def _read_identity(path: str) -> tuple[int, int] | None:
    """Return by what a plain file is known whatever its name, None for what is none."""
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return (seen.st_dev, seen.st_ino) if stat.S_ISREG(seen.st_mode) else None


def _bring_back(own: str, spare: str) -> None:
    saved = files.load(spare)
    came = files.load(own) if _read_identity(own) else b""
    known = set(saved.split(b"\n"))
    added = [line for line in came.split(b"\n") if line and line not in known]
    text = saved if saved.endswith(b"\n") or not saved else saved + b"\n"
    if os.path.islink(own):
        os.unlink(own)  # git may have put it there; a write would refuse it
    files.write(own, text + b"".join(line + b"\n" for line in added))
    _link(own, spare)


def _link(own: str, spare: str) -> bool:
    """Give a file its second name, in place of what bore it; False where links cannot be made."""
    beside = f"{spare}.{os.getpid()}.tmp"
    try:
        files.make_folder(os.path.dirname(spare))
        os.link(own, beside, follow_symlinks=False)
        files.replace(beside, spare, sync=False)
    except (OSError, NotImplementedError):
        return False
    return True
