"""`.claude/orchestration/evidence/`: the end of what failed checks printed, a file each; the oldest go."""

from __future__ import annotations

import os
import time

from belay.core import clock, files
from belay.repository import excludes, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from belay.core.paths import Project

BYTES = 64 * 1024
"""The largest file."""
MOST, DAYS = 50, 30.0
"""Files that are kept, and for how long."""
EVIDENCE, VERIFICATION = "evidence", "verification"
FOLDERS = (EVIDENCE, VERIFICATION)
_ENDINGS = {EVIDENCE: ".txt", VERIFICATION: ".json"}
_HEX = frozenset("0123456789abcdef")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_SLUG_CHARS = 40
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
"""Control characters but for tab and line end: a terminal that shows the file must not obey them."""


def make_name(kind: str, runner: str, number: int) -> str:
    """Return the name of a check without its ending: letters, digits and dashes, whatever its command line holds."""
    slug = "-".join("".join(char if char in _NAME else " " for char in f"{kind} {runner}".lower()).split())
    return f"{slug[:_SLUG_CHARS].strip('-')}-{number:08x}"


def find_folder(project: Project, name: str) -> str:
    """Return the folder of evidence or of results, "" where a link is in the way: nothing is written through links."""
    folder = os.path.join(project.orchestration, name)
    claude = os.path.dirname(project.orchestration)
    return "" if any(map(os.path.islink, (claude, project.orchestration, folder))) else folder


def make_private(project: Project, environ: Mapping[str, str]) -> None:
    """Let git ignore both folders before anything is in them; OSError where that cannot be written."""
    ignored = os.path.join(project.orchestration, ".gitignore")
    if f"/{EVIDENCE}/".encode() in files.read(ignored):
        return
    files.make_folder(project.orchestration)
    if not excludes.write_excludes(project, environ):
        raise OSError(f"{ignored} cannot be written")


def write_output(project: Project, name: str, head: list[str], tail: str) -> str:
    """Write the end of an output under its head; return the file's name, "" where a link is in the way.

    `name` is that of the check (`make_name`). OSError where it cannot be written.
    """
    folder = find_folder(project, EVIDENCE)
    if not folder:
        return ""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(clock.moment()))
    first = "\n".join([*head, ""]).encode("utf-8", "replace")
    rest = strip_controls(tail).strip("\n").encode("utf-8", "replace") + b"\n"
    room = BYTES - len(first) - len(_CUT) - 1
    if len(rest) > room:
        rest = _CUT + rest[-room:].partition(b"\n")[2]
    file = f"{stamp}-{name}{_ENDINGS[EVIDENCE]}"
    files.write(os.path.join(folder, file), first + b"\n" + rest, sync=False)
    prune(project, EVIDENCE)
    return file


_CUT = b"(only the end is kept)\n"


def strip_controls(text: str) -> str:
    """Return a text without control characters and a terminal's colour codes."""
    if "\x1b" in text:
        first, *others = text.split("\x1b")
        text = first + "".join(map(_behind_escape, others))
    return text.replace("\r\n", "\n").translate(_CONTROLS)


def _behind_escape(part: str) -> str:
    """Return what follows an escape sequence (ECMA-48: `[`, parameters, a final byte); others lose one character."""
    if not part.startswith("["):
        return part[1:]
    return part[1:].lstrip("0123456789:;<=>? !\"#$%&'()*+,-./")[1:]


def find_output(project: Project, name: str) -> str:
    """Return the path from the work tree of a file of evidence, "" where it is gone or its path holds a secret."""
    folder = find_folder(project, EVIDENCE)
    path = os.path.join(folder, name)
    if not folder or not is_own_file(name, EVIDENCE) or os.path.islink(path) or not os.path.isfile(path):
        return ""
    shown = os.path.relpath(path, project.root).replace(os.sep, "/")
    return shown if projects.make_label(shown) == shown else ""


def is_own_file(name: str, folder: str) -> bool:
    """Whether a name is one that Belay gives in a folder; earlier tools and people keep files there too."""
    stem, ending = os.path.splitext(name)
    slug, _, number = stem.rpartition("-")
    if ending != _ENDINGS[folder] or len(number) != 8 or not _HEX.issuperset(number) or not slug:
        return False
    stamp, _, check = slug.partition("-")
    is_stamped = len(stamp) == 16 and stamp[8] == "T" and stamp[15] == "Z" and (stamp[:8] + stamp[9:15]).isdigit()
    return _NAME.issuperset(check if folder == EVIDENCE else slug) and is_stamped == (folder == EVIDENCE)


def list_own(project: Project, folder: str) -> list[str]:
    """Return the paths of Belay's files in a folder, the oldest first."""
    top = find_folder(project, folder)
    names = [name for name in files.list_names(top) if is_own_file(name, folder)] if top else []
    found = [os.path.join(top, name) for name in names]
    return sorted(found, key=files.written_at) if folder == VERIFICATION else found


def list_removed(project: Project, folder: str) -> list[str]:
    """Return what goes with Belay: the folder, or only Belay's files where others are in it."""
    top, own = find_folder(project, folder), list_own(project, folder)
    has_others = bool(top) and len(files.list_names(top)) > len(own)
    return own if has_others or not top else [top]


def prune(project: Project, folder: str, *, most: int = MOST, before: float = 0.0) -> int:
    """Remove the oldest files over `most`, and those written before a moment; return how many."""
    own = list_own(project, folder)
    over = len(own) - most
    old = [path for at, path in enumerate(own) if at < over or 0 < files.written_at(path) < before]
    for path in old:
        files.remove(path)
    return len(old)
