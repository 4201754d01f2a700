"""What git should not track: marked blocks of names, never `*`; the user's .gitignore stays.

The block in the repository's own exclude file keeps the working buffer, the daily logs and the lessons private: they
hold what a person said, and an ordinary `git add -A` would commit them. It names files, not the folder `memory/`:
the exclude file counts for every branch and work tree, and another branch may have a source package of that name.
"""

from __future__ import annotations

import os

from belay.core import files as core_files
from belay.core import settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from belay.core.paths import Project

    Change = Callable[[bytes, tuple[bytes, ...]], bytes]

OPEN = b"# >>> belay >>>"
CLOSE = b"# <<< belay <<<"
_MEMORY = (
    b"/.gitignore",
    b"/workshop.db",
    b"/workshop.db-*",
    b"/workshop.db.*",
    b"/journal/",
    b"/state/",
    b"/continuations/",
    b"/undo/",
    b"/sessions/",
)
_ORCHESTRATION = (b"/.gitignore", b"/session-context.md", b"/evidence/", b"/verification/")
_EXCLUDE = (b"/CONTINUATION.md", b"/.breadcrumbs.yaml")
_DAY = b"[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md"
_LOGS = tuple(
    folder + name
    for folder in (b"/memory/", b"/.claude/memory/log/")
    for name in (b"working-buffer.md", _DAY, b"working-buffer.md.*.tmp", _DAY + b".*.tmp")
)
"""Buffer and daily logs in either folder that they may be in (`Project.logs`), half-written ones too."""
_LESSONS = (b"/tasks/lessons.md", b"/.claude/memory/log/lessons.md")


def write_excludes(project: Project, environ: Mapping[str, str]) -> bool:
    """Lay the blocks where they are missing or out of date; False where a file cannot be written.

    `.claude/orchestration/` gets its own only once that folder is there. The setting `share` takes names out.
    """
    return _each(project, block, settings.load_settings(project, environ)["share"])


def remove_excludes(project: Project) -> bool:
    """Take the blocks away, and files that held nothing else; False where one cannot be written."""
    return _each(project, lambda text, _: without(text))


def files(project: Project, share: Collection[str] = ()) -> list[tuple[str, tuple[bytes, ...]]]:
    """Return (file, names) for each place that may get a block; `share` is the setting of that name."""
    memory = os.path.join(project.store, ".gitignore")
    orchestration = os.path.join(project.orchestration, ".gitignore")
    places: list[tuple[str, tuple[bytes, ...]]] = [(memory, _MEMORY)] if _within(memory, project.home) else []
    if os.path.isdir(project.orchestration) and _within(orchestration, project.home):
        places.append((orchestration, _ORCHESTRATION))
    if project.exclude:
        places.append((project.exclude, _private_names(project, share)))
    return places


def _private_names(project: Project, share: Collection[str]) -> tuple[bytes, ...]:
    """Return the names of the repository's own block; lessons that a person began are theirs and stay visible."""
    begun = os.path.lexists(project.lessons) and _LESSONS[0] not in _read_names(core_files.read(project.exclude))
    logs = () if "memory" in share else _LOGS
    lessons = () if "lessons" in share or begun else _LESSONS
    return (*_EXCLUDE, *logs, *lessons)


def _read_names(text: bytes) -> list[bytes]:
    start, end = _span(text)
    return text[start:end].split(b"\n") if start >= 0 else []


def _within(path: str, home: str) -> bool:
    """Whether a file is in the checkout, links of a clone followed; a bare repository's store does not."""
    return os.path.realpath(os.path.dirname(path)).startswith(os.path.realpath(home) + os.sep)


def _each(project: Project, change: Change, share: Collection[str] = ()) -> bool:
    done = True
    for path, names in files(project, share):
        done &= _rewrite(path, change, names)
    return done


def _rewrite(path: str, change: Change, names: tuple[bytes, ...]) -> bool:
    try:
        old = core_files.load(path)
        new = change(old, names)
        if new == old:
            return True
        if new or os.path.basename(path) == "exclude":
            core_files.write(path, new)
        else:
            os.unlink(path)
    except OSError:
        return False
    return True


def block(text: bytes, names: tuple[bytes, ...]) -> bytes:
    """Return the text with one block of these names, at its end or where it stood; other bytes stay."""
    fresh = b"\n".join((OPEN, *names, CLOSE))
    start, end = _span(text)
    if start >= 0:
        return text[:start] + fresh + text[end:]
    gap = b"" if not text or text.endswith(b"\n") else b"\n"
    return text + gap + fresh + b"\n"


def without(text: bytes) -> bytes:
    """Return the text without the block and the line end after it."""
    start, end = _span(text)
    if start < 0:
        return text
    return text[:start] + text[end + (text[end : end + 1] == b"\n") :]


def _span(text: bytes) -> tuple[int, int]:
    start = text.rfind(OPEN)
    end = text.find(CLOSE, start)
    return (start, end + len(CLOSE)) if 0 <= start <= end else (-1, -1)
