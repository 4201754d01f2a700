"""What git should not track: marked blocks of names, never `*`; the user's .gitignore stays."""

from __future__ import annotations

import os

from belay.core import files as core_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

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
)
_ORCHESTRATION = (b"/.gitignore", b"/session-context.md", b"/evidence/", b"/verification/")
_EXCLUDE = (b"/CONTINUATION.md",)


def write_excludes(project: Project) -> bool:
    """Lay the blocks where they are missing or out of date; False where a file cannot be written.

    `.claude/orchestration/` gets its own only once that folder is there.
    """
    return _each(project, block)


def remove_excludes(project: Project) -> bool:
    """Take the blocks away, and files that held nothing else; False where one cannot be written."""
    return _each(project, lambda text, _: without(text))


def files(project: Project) -> list[tuple[str, tuple[bytes, ...]]]:
    """Return (file, names) for each place that may get a block."""
    memory = os.path.join(project.store, ".gitignore")
    orchestration = os.path.join(project.orchestration, ".gitignore")
    places: list[tuple[str, tuple[bytes, ...]]] = [(memory, _MEMORY)] if _within(memory, project.home) else []
    if os.path.isdir(project.orchestration) and _within(orchestration, project.home):
        places.append((orchestration, _ORCHESTRATION))
    if project.exclude:
        places.append((project.exclude, _EXCLUDE))
    return places


def _within(path: str, home: str) -> bool:
    """Whether a file is in the checkout, links of a clone followed; a bare repository's store does not."""
    return os.path.realpath(os.path.dirname(path)).startswith(os.path.realpath(home) + os.sep)


def _each(project: Project, change: Change) -> bool:
    done = True
    for path, names in files(project):
        done &= _rewrite(path, change, names)
    return done


def _rewrite(path: str, change: Change, names: tuple[bytes, ...]) -> bool:
    old = core_files.read(path)
    new = change(old, names)
    if new == old:
        return True
    try:
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
