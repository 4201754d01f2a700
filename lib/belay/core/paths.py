"""Every path and environment variable, as functions of (cwd, environ)."""

from __future__ import annotations

import os
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ROOTS: set[str] = set()  # work trees and git folders at work here: what is written below them stays there
MEMORY = os.path.join(".claude", "memory")
PLUGIN_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
INNER = ("journal", "state", "continuations", "undo", "log", "sessions")
_LOGS, _TASKS = ("working-buffer.md",), ("todo.md", "lessons.md")


class Project:
    """One project: `root` is the work tree, `home` the folder whose .claude/memory is shared by its worktrees.

    For a bare repository with worktrees there is no main checkout; then `store` is in its common dir.
    `database` is the knowledge base that a variable names, "" for its own (`belay.repository.database_location`).
    """

    __slots__ = ("_log", "common_dir", "database", "git_dir", "root", "store")

    def __init__(self, root: str, git_dir: str = "", common_dir: str = "", store: str = "") -> None:
        self.root, self.git_dir, self.common_dir = root, git_dir, common_dir
        self.store = store or os.path.join(root, MEMORY)
        ROOTS.update(filter(None, (root, git_dir, common_dir, self.home)))
        self._log = self.database = ""

    def at(self, *parts: str) -> str:
        """Return a path below the project's root."""
        return os.path.join(self.root, *parts)

    def stored(self, *parts: str) -> str:
        """Return a path below the memory folder that all worktrees share."""
        return os.path.join(self.store, *parts)

    def relative(self, path: str) -> str:
        """Return the path from the root with forward slashes, or as it is when it is elsewhere."""
        full = os.path.abspath(os.path.join(self.root, path))
        if not full.startswith(self.root + os.sep) and "\0" not in full:
            full = os.path.realpath(full)
        return full[len(self.root) + 1 :].replace(os.sep, "/") if full.startswith(self.root + os.sep) else path

    def is_own(self, name: str) -> bool:
        """Whether a path from the root, as git lists it (a new folder with "/"), holds only Belay's files."""
        if name == self.relative(self.continuation) or _is_half_written(name):
            return True
        own = [self.relative(path) + "/" for path in (self.store, self.logs)]
        return name.startswith(tuple(own)) or (name.endswith("/") and any(path.startswith(name) for path in own))

    @property
    def home(self) -> str:
        """The main checkout, or the work tree itself where there is none."""
        return self.store[: -len(MEMORY) - 1] if self.store.endswith(os.sep + MEMORY) else self.root

    @property
    def journals(self) -> str:
        return self.stored("journal")

    def journal(self, session: str) -> str:
        return self.stored("journal", session + ".jsonl")

    @property
    def ledger(self) -> str:
        return self.stored("journal", "ledger.jsonl")

    @property
    def states(self) -> str:
        return self.stored("state")

    def state(self, session: str) -> str:
        return self.stored("state", session + ".json")

    def own_lines(self, date: str = "") -> str:
        """Return the crcs of Belay's own lines in the working buffer, or in the daily log of a date."""
        return self.stored("state", f"own-lines-{date}" if date else "own-lines")

    @property
    def settings_compiled(self) -> str:
        return self.stored("state", "settings.json")

    @property
    def lock(self) -> str:
        return self.stored("state", "lock")

    @property
    def archive(self) -> str:
        """Where delivered continuations go."""
        return self.stored("continuations")

    @property
    def sessions(self) -> str:
        """Where the searchable conversations are."""
        return self.stored("sessions")

    @property
    def undo(self) -> str:
        return self.stored("undo")

    @property
    def orchestration(self) -> str:
        return os.path.join(self.home, ".claude", "orchestration")

    @property
    def workshop(self) -> str:
        """The knowledge base in use."""
        return self.database or self.own_workshop

    @property
    def own_workshop(self) -> str:
        return self.stored("workshop.db")

    def derived(self, name: str) -> str:
        """Return the path of a file that is derived from the knowledge base in use; each base has its own."""
        tag = f"-{zlib.crc32(os.fsencode(self.database)):08x}" if self.database else ""
        return self.stored("state", name + tag)

    @property
    def logs(self) -> str:
        """The folder of working buffer and daily logs: memory/, or ours where memory/ is something else."""
        self._log = self._log or self._folder("memory", _LOGS)
        return self._log

    def _folder(self, name: str, own: tuple[str, ...]) -> str:
        if is_ours(self.at(name), own):
            return self.at(name)
        return self.stored("log") if is_linked(self.root, ("log",)) else self.at(MEMORY, "log")

    @property
    def buffer(self) -> str:
        return os.path.join(self.logs, "working-buffer.md")

    def daily(self, date: str) -> str:
        """Return the daily log of a local date YYYY-MM-DD."""
        return os.path.join(self.logs, date + ".md")

    @property
    def continuation(self) -> str:
        return self.at("CONTINUATION.md")

    @property
    def memory_md(self) -> str:
        return self.at("MEMORY.md")

    @property
    def tasks(self) -> str:
        return self._folder("tasks", _TASKS)

    @property
    def todo(self) -> str:
        return os.path.join(self.tasks, "todo.md")

    @property
    def lessons(self) -> str:
        return os.path.join(self.tasks, "lessons.md")

    @property
    def overlays(self) -> str:
        return self.at(".memory", "branches")

    @property
    def settings(self) -> str:
        return os.path.join(self.home, ".claude", "belay.yaml")

    @property
    def exclude(self) -> str:
        """The repository's own ignore file, "" without git or where a link leads out of git's folder."""
        info = os.path.join(self.common_dir, "info")
        return os.path.join(info, "exclude") if self.common_dir and not leads_out(self.common_dir, info) else ""


def _is_half_written(name: str) -> bool:
    """Whether a name is what a killed write of a memory file leaves behind: NAME.md.PID.tmp (`files.write`)."""
    stem, _, end = name.rpartition(".")
    target, _, number = stem.rpartition(".")
    return end == "tmp" and number.isdigit() and target.endswith(".md")


def is_linked(root: str, inner: tuple[str, ...] = INNER) -> bool:
    """Whether the memory folder of a tree is outside through a link, or one of these folders in it is one."""
    names = [os.path.join(root, MEMORY, name) for name in inner]
    outer = (os.path.join(root, ".claude"), os.path.join(root, MEMORY))
    return any(leads_out(root, path) for path in outer) or any(map(os.path.islink, names))


def find_ledger(database: str) -> str:
    """Return the ledger of a knowledge base: beside the journals for a project's own, else beside the file."""
    folder, name = os.path.split(os.path.abspath(database))
    if name == "workshop.db":
        return os.path.join(folder, "journal", "ledger.jsonl")
    return os.path.join(folder, name.removesuffix(".db") + ".ledger.jsonl")


def find_sessions(database: str) -> str:
    """Return the folder of conversations that belongs to a knowledge base, "" for a base that is no project's own."""
    folder, name = os.path.split(os.path.abspath(database))
    return os.path.join(folder, "sessions") if name == "workshop.db" else ""


def home_dir(environ: Mapping[str, str]) -> str:
    """Return the user's home, links resolved."""
    return os.path.realpath(environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~"))


def data_home(environ: Mapping[str, str]) -> str:
    """Return the user's own Belay folder, the same for hooks and terminal; BELAY_HOME names it to a session's shell."""
    base = environ.get("XDG_DATA_HOME") or environ.get("LOCALAPPDATA")
    own = os.path.join(base or os.path.join(home_dir(environ), ".local", "share"), "belay")
    return environ["BELAY_HOME"] if os.path.isabs(environ.get("BELAY_HOME", "")) else own


def word_pieces(environ: Mapping[str, str]) -> str:
    """Return the table of word pieces, which all projects share; the number is that of its form."""
    return os.path.join(data_home(environ), "word-pieces-1.bin")


def plugin_data(environ: Mapping[str, str]) -> str:
    """Return where the environment is built: the client's folder, to commands BELAY_DATA, else ours."""
    return environ.get("CLAUDE_PLUGIN_DATA") or environ.get("BELAY_DATA") or data_home(environ)


def log_file(environ: Mapping[str, str]) -> str:
    return os.path.join(data_home(environ), "belay.log")


def trust_file(environ: Mapping[str, str]) -> str:
    return os.path.join(data_home(environ), "trust.json")


def limits_file(environ: Mapping[str, str]) -> str:
    return os.path.join(data_home(environ), "limits.json")


def client_dir(environ: Mapping[str, str]) -> str:
    """Return the client's configuration folder (HOST §1.3: CLAUDE_CONFIG_DIR moves it)."""
    return environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home_dir(environ), ".claude")


def user_settings(environ: Mapping[str, str]) -> str:
    return os.path.join(client_dir(environ), "belay.yaml")


def global_memory(environ: Mapping[str, str]) -> str:
    return os.path.join(client_dir(environ), "GLOBAL-MEMORY.md")


def client_project(environ: Mapping[str, str], home: str) -> str:
    """Return the client's own folder of a project, with its transcripts (HOST §5.3)."""
    slug = "".join(char if char.isascii() and char.isalnum() else "-" for char in home)
    return os.path.join(client_dir(environ), "projects", slug)


def native_memory(environ: Mapping[str, str], home: str) -> str:
    """Return Claude Code's own memory of a project's main checkout (HOST §4): read by us, never written."""
    return os.path.join(client_project(environ, home), "memory", "MEMORY.md")


def mirror(environ: Mapping[str, str], session: str) -> str:
    """Return where the status line mirrors its JSON for a session."""
    return os.path.join(data_home(environ), "mirror", session + ".json")


def sidecar(environ: Mapping[str, str], session: str) -> str:
    """Return where the optional module writes the measured context of a session (HOST §5.1)."""
    return os.path.join(data_home(environ), "measure", session + ".json")


def inside(root: str, name: str) -> str:
    """Return the real path of a name below a root, "" where a link leads out or the name is impossible."""
    top = os.path.realpath(root).rstrip(os.sep) + os.sep
    full = os.path.realpath(os.path.join(top, name)) if "\0" not in name else ""
    return full if full.startswith(top) else ""


def resource(*parts: str) -> str:
    """Return a file that ships with the plugin."""
    return os.path.join(PLUGIN_ROOT, *parts)


def leads_out(root: str, path: str) -> bool:
    """Whether a path is a link to something outside of the root."""
    return os.path.islink(path) and not os.path.realpath(path).startswith(root + os.sep)


def is_ours(path: str, own: tuple[str, ...]) -> bool:
    """Whether a folder of the root is absent, holds one of our files, or only Markdown, half-written too."""
    if leads_out(os.path.dirname(path), path):
        return False
    try:
        names = [name for name in os.listdir(path) if not name.startswith(".")]
    except OSError:
        return not os.path.lexists(path)
    return any(name in own for name in names) or all(
        name.endswith(".md") or (name.endswith(".tmp") and ".md." in name) for name in names
    )
