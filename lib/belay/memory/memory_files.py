"""Change memory files: check, replace in one step, keep the trust, read back.

A kill at any point leaves a file either old or new. The caller holds the project's lock (`lock_memory`).
"""

from __future__ import annotations

import os
import zlib
from contextlib import contextmanager, nullcontext

from belay.core import files, paths
from belay.core.lock import hold
from belay.core.tuples import NamedTuple
from belay.repository import vetting
from belay.safety import trust
from belay.safety.labels import make_label

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from belay.core.paths import Project
    from belay.memory.document.page import Page


class Saved(NamedTuple):
    """What became of one file: `what` was written, or `why` it was left alone; neither if it was up to date."""

    file: str
    what: str = ""
    why: str = ""


@contextmanager
def lock_memory(project: Project) -> Iterator[None]:
    """Hold the lock around reading and changing a project's memory files. Raises LockTimeout.

    Two locks: the project's own, where Belay has a folder (none is made for a lock), and always one beside the user's
    own data, because the folder may be created while another process works without it.
    """
    with _user_lock(project):
        if os.path.isdir(project.store):
            with hold(project.lock):
                yield
        else:
            yield


def _user_lock(project: Project) -> AbstractContextManager[object]:
    folder = os.path.join(paths.data_home(os.environ), "locks")
    try:
        files.make_folder(folder, 0o700)
    except OSError:
        return nullcontext()
    if not os.access(folder, os.W_OK):
        return nullcontext()
    return hold(os.path.join(folder, f"{zlib.crc32(os.fsencode(project.store)):08x}"))


def read_text(path: str) -> str:
    """Return a memory file's text, every byte of it; "" where there is none."""
    return files.read(path).decode("utf-8", "surrogateescape")


def change_file(
    project: Project,
    environ: Mapping[str, str],
    path: str,
    change: Callable[[str], str],
    description: Callable[[str, str], str] | str = "written",
    refuse: str = "",
) -> Saved:
    """Replace one file by its changed text and read it back; it becomes trusted where what was there was.

    `description` says what was done, from the old and the new text; `refuse` says why nothing may change at all.
    """
    name = make_label(project.relative(path))
    why = explain_refusal(project, path)
    if why:
        return Saved(name, why=why)
    try:
        old = files.load(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        return Saved(name, why=f"cannot be read: {error.strerror or error}")
    new = change(old)
    if new == old:
        return Saved(name)
    if refuse:
        return Saved(name, why=refuse)
    why = write_file(project, environ, path, new)
    if why:
        return Saved(name, why=why)
    return Saved(name, description if isinstance(description, str) else description(old, new))


def change_page(
    project: Project,
    environ: Mapping[str, str],
    path: str,
    change_: Callable[[Page], Page],
    description: Callable[[str, str], str] | str = "written",
) -> Saved:
    """Change a memory file as a page; one that is not understood is left alone: where and why is said."""
    from belay.memory.document import page

    def changed(text: str) -> str:
        return change_(page.parse(text)).text

    return change_file(project, environ, path, changed, description, refuse=explain_problem(read_text(path)))


def explain_problem(text: str) -> str:
    """Return where and why a text is not understood, "" where it is."""
    from belay.memory.document import page

    problem = page.find_problem(page.parse(text))
    return f"line {problem[0]} {problem[1]}" if problem else ""


def write_file(project: Project, environ: Mapping[str, str], path: str, text: str) -> str:
    """Write a file, trusted if the one before was; return why that was impossible, "" when done."""
    data = text.encode("utf-8", "replace")  # a stray byte would make the file unreadable
    if is_trusted(project, environ, path):
        # Before the file: whoever reads in between, without the lock, must not take our text for a stranger's.
        trust.record(environ, project.root, project.relative(path), data)
    try:
        files.write(path, data)
    except OSError as error:
        return f"cannot be written: {error.strerror or error}"
    return "" if files.read(path) == data else "reads back differently"


def explain_refusal(project: Project, path: str) -> str:
    """Return why a file of the project is not to be touched (docs/trust.md), "" when it may be."""
    folder = os.path.realpath(os.path.dirname(path))
    root = os.path.realpath(project.root)
    if folder != root and not folder.startswith(root + os.sep):
        return "is outside the project"
    return files.explain_refusal(path)


def is_trusted(project: Project, environ: Mapping[str, str], path: str) -> bool:
    """Whether what a file holds is trusted, or there is none: a stranger's stays a stranger's when we write."""
    if not os.path.exists(path):
        return True
    name = project.relative(path)
    return name in vetting.read_trusted(project, environ, [name])[0]


def is_hidden(project: Project, environ: Mapping[str, str], path: str) -> bool:
    """Whether a session of Claude asks about a memory file that nobody accepted: its words stay out of the context."""
    return bool(environ.get("CLAUDE_CODE_SESSION_ID")) and not is_trusted(project, environ, path)
