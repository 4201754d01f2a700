"""Find the project of a folder, its branch and its HEAD: read from git's own files, without a process."""

from __future__ import annotations

import os
import zlib

from belay.core import files, paths
from belay.core.signatures import is_plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GIT = ".git"
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep a hook waiting
LINE_BYTES = 4096
SPARE_DATABASE = "workshop-own.db"
WORKTREES = 100
"""Linked worktrees of a repository that are looked at."""
_REF = b"ref: refs/heads/"
_FORBIDDEN = bytes(range(33)) + b"\x7f~^:?*[\\"


def find(cwd: str, environ: Mapping[str, str]) -> paths.Project | None:
    """Return the project of a folder, or None: HOME and / are never one."""
    cwd, home = os.path.realpath(cwd), paths.home_dir(environ)
    top = work_tree(cwd, home)
    if top is None:
        root = _without_git(cwd, home, paths.MEMORY)
        return paths.Project(root, store=_spare(root, environ) if paths.is_linked(root) else "") if root else None
    common = _pointed(os.path.join(top[1], "commondir")) or top[1]
    return paths.Project(*top, common, _store(*top, common, environ))


def _store(root: str, git_dir: str, common: str, environ: Mapping[str, str]) -> str:
    """Return the folder of what Belay keeps: in the checkout, in git's folder where that is linked, else the user's."""
    home = root
    if common != git_dir:
        home = "" if _is_bare(common) else os.path.dirname(common)
    if home and not paths.is_linked(home):
        return os.path.join(home, paths.MEMORY)
    own = os.path.join(common, "belay")
    return _spare(root, environ) if _holds_links(own) else own


def _spare(root: str, environ: Mapping[str, str]) -> str:
    return os.path.join(paths.data_home(environ), f"store-{zlib.crc32(os.fsencode(root)):08x}")


def _holds_links(store: str) -> bool:
    """Whether a folder of Belay's records, or one in it, is a link."""
    return any(os.path.islink(os.path.join(store, name).rstrip(os.sep)) for name in ("", *paths.INNER))


def branch_and_commit(project: paths.Project) -> tuple[str, str]:
    """Return the branch that is checked out and its commit; "" for what there is not."""
    return head(project.git_dir, project.common_dir) if project.git_dir else ("", "")


def find_root(project: paths.Project, label: str) -> str:
    """Return the work tree of a project that a label stands for, "" for none; any other path is itself."""
    from belay.safety import labels

    if not labels.is_label(label):
        return label
    return labels.find_name(label, (project.root, project.home, *worktrees(project.common_dir)))


def find_folder(project: paths.Project, label: str) -> str:
    """Return the folder, a path from the root, that a label stands for, "" for none; any other path is itself."""
    from belay.safety import labels

    return labels.find_name(label, (name for name, is_folder in _list_below(project.root, label) if is_folder))


def find_file(project: paths.Project, label: str) -> str:
    """Return the path from the root that a label stands for, "" for none; a file in a known folder may be gone."""
    from belay.safety import labels

    folder, slash, name = label.rpartition("/")
    found = labels.find_name(label, (path for path, _ in _list_below(project.root, label)))
    inner = "" if found or labels.is_label(name) else find_folder(project, folder)
    return found or (f"{inner}{slash}{name}" if inner else "")


def _list_below(root: str, label: str) -> Iterator[tuple[str, bool]]:
    """Yield (path, whether it is a folder) of what a label may stand for."""
    for inner, folders, names in os.walk(root):
        base = "" if inner == root else os.path.relpath(inner, root).replace(os.sep, "/") + "/"
        yield from ((base + name, False) for name in names)
        yield from ((base + name, True) for name in folders)
        folders[:] = [name for name in folders if _may_begin(make_label(base + name), label)]


def _may_begin(folder: str, label: str) -> bool:
    """Whether something in a folder may have a label; a secret may reach over the end of the folder's name."""
    return label.startswith(f"{folder}/") or (folder.endswith("]") and label.startswith(folder.rpartition("[")[0]))


def is_repository(folder: str) -> bool:
    """Whether a folder is the top of a work tree, a submodule's included."""
    return os.path.lexists(os.path.join(folder, GIT))


def is_linked_tree(folder: str) -> bool:
    """Whether a folder is a submodule or a linked work tree: its git folder is elsewhere."""
    return os.path.isfile(os.path.join(folder, GIT))


def own_folder(project: paths.Project) -> str:
    """Return the folder in the repository that is Belay's own, "" without a repository or where a link is there."""
    folder = os.path.join(project.common_dir, "belay") if project.common_dir else ""
    return "" if folder and _holds_links(folder) else folder


def spare_database(project: paths.Project, environ: Mapping[str, str]) -> str:
    """Return where the base is kept while a file of somebody else is in its place: where no checkout reaches."""
    return os.path.join(own_folder(project) or _spare(project.root, environ), SPARE_DATABASE)


def owner_and_name(remote: str) -> tuple[str, str]:
    """Return the owner and the repository that a remote's address names, "" for what it does not name."""
    parts = ["", "", *remote.rstrip("/").removesuffix(GIT).replace(":", "/").split("/")]
    return parts[-2], parts[-1]


def read_index(project: paths.Project) -> bytes:
    """Return the bytes of git's index, which names the tracked files; b"" without one."""
    return files.read(os.path.join(project.git_dir, "index")) if project.git_dir else b""


def work_tree(cwd: str, home: str) -> tuple[str, str] | None:
    """Return (work tree, git folder) of the nearest repository around a folder and below home, None without one."""
    for folder in _parents(cwd, home):
        dot = os.path.join(folder, GIT)
        git_dir = _pointed(dot, "gitdir:") if os.path.isfile(dot) else dot
        if git_dir and os.path.exists(os.path.join(git_dir, "HEAD")):
            return folder, git_dir
    return None


def _without_git(cwd: str, home: str, memory: str) -> str:
    """Return the nearest folder around `cwd` that holds `memory`, else `cwd`; "" where that is home or above."""
    folders = _parents(cwd, home)
    if not folders or (home + os.sep).startswith(cwd + os.sep):
        return ""
    # Outside HOME a parent's folder may be anybody's, such as /tmp/.claude.
    for folder in folders if cwd.startswith(home + os.sep) else ():
        if os.path.isdir(os.path.join(folder, memory)):
            return folder
    return cwd


def _parents(folder: str, home: str) -> list[str]:
    found = []
    while folder != home and os.path.dirname(folder) != folder:
        found.append(folder)
        folder = os.path.dirname(folder)
    return found


def _pointed(path: str, key: str = "") -> str:
    """Return the folder that a pointer file of git names behind `key`, "" when there is none."""
    line = _start(path, 4096).split("\n", 1)[0].strip()
    if not line.startswith(key):
        return ""
    target = os.path.normpath(os.path.join(os.path.dirname(path), line[len(key) :].strip()))
    return target if os.path.isdir(target) else ""


def _is_bare(common: str) -> bool:
    """Whether a common git folder has no main checkout beside it."""
    config = _start(os.path.join(common, "config"), 64 * 1024).replace(" ", "").lower()
    return os.path.basename(common) != GIT or "bare=true" in config


def _start(path: str, size: int) -> str:
    try:
        with open(os.open(path, _READ), encoding="utf-8", errors="surrogateescape") as file:
            return file.read(size)
    except OSError:
        return ""


def head(git_dir: str, common_dir: str) -> tuple[str, str]:
    """Return (branch, commit); branch is "" when HEAD is detached or forged, commit "" before the first one.

    Of a branch whose name holds a secret it is the label, here and in every answer that names branches.
    """
    line = _line(os.path.join(git_dir, "HEAD"))
    if not line.startswith(_REF):
        return "", commit(line)
    name = line[len(_REF) :]
    if not _is_branch(name):
        return "", ""
    return make_label(name.decode("utf-8", "replace")), _resolve(common_dir, b"refs/heads/" + name)


def make_label(name: str, known: str = "") -> str:
    """Return the label of a name (`safety/labels`); no prompt with ordinary names, or a known label, pays for it."""
    if name == known or is_plain_name(name):
        return name
    from belay.safety import labels

    return labels.make_label(name)


def _is_branch(name: bytes) -> bool:
    """Whether git allows the name (git-check-ref-format): a forged one is no text to repeat and no path to follow.

    A repository of the reftable format has "refs/heads/.invalid" here, whatever its branch.
    """
    parts = name.split(b"/")
    if b".." in name or any(not part or part.startswith(b".") or part.endswith(b".lock") for part in parts):
        return False
    # Blanks outside ASCII are allowed by git, and would make a name of a clone a sentence.
    return name.translate(None, _FORBIDDEN) == name and name.decode("utf-8", "replace").isprintable()


def tip(common_dir: str, name: str, folder: str = "refs/heads/") -> str:
    """Return the commit of a branch by its name, "" where there is none (or the repository has reftables)."""
    raw = find_name(common_dir, name, folder).encode("utf-8", "surrogateescape")
    return _resolve(common_dir, folder.encode("utf-8", "surrogateescape") + raw) if _is_branch(raw) else ""


def find_name(common_dir: str, name: str, folder: str = "refs/heads/") -> str:
    """Return the name that git has for a branch of this name or label, "" for a label that no branch has."""
    from belay.safety import labels

    return labels.find_name(name, _list_names(common_dir, folder))


def _list_names(common_dir: str, folder: str) -> Iterator[str]:
    """Yield the branches below a folder of refs, from git's files."""
    top = os.path.join(common_dir, *folder.split("/"))
    for inner, _, names in os.walk(top):
        for name in names:
            yield os.path.relpath(os.path.join(inner, name), top).replace(os.sep, "/")
    for row in files.read(os.path.join(common_dir, "packed-refs")).decode("utf-8", "surrogateescape").split("\n"):
        ref = row.partition(" ")[2]
        if ref.startswith(folder):
            yield ref[len(folder) :]


def symbolic(common_dir: str, ref: str) -> str:
    """Return the branch ref a symbolic ref like "refs/remotes/origin/HEAD" leads to, "" where it is none."""
    mark, _, target = _line(os.path.join(common_dir, *ref.split("/"))).partition(b" ")
    known = mark == b"ref:" and _is_branch(target) and target.startswith(os.fsencode(ref.rpartition("/")[0]))
    return target.decode("utf-8", "replace") if known else ""


def worktrees(common_dir: str) -> list[str]:
    """Return the roots of a repository's linked worktrees that point back to it, at most 100: a forged one does not."""
    folder = os.path.join(common_dir, "worktrees")
    names = files.list_names(folder)[:WORKTREES]
    links = {os.fsdecode(_line(os.path.join(folder, name, "gitdir"))): name for name in names}
    return [
        os.path.realpath(os.path.dirname(link))
        for link, name in links.items()
        if os.path.isabs(link) and _points(link, os.path.join(folder, name))
    ]


def _points(link: str, folder: str) -> bool:
    mark, _, target = _line(link).partition(b"gitdir: ")
    return not mark and os.path.realpath(os.fsdecode(target)) == os.path.realpath(folder)


def _resolve(common_dir: str, ref: bytes) -> str:
    return commit(_line(os.path.join(common_dir, os.fsdecode(ref)))) or _packed(common_dir, ref)


def _packed(common_dir: str, ref: bytes) -> str:
    data = files.read(os.path.join(common_dir, "packed-refs"))
    at = data.find(b" " + ref + b"\n")
    return commit(data[data.rfind(b"\n", 0, at) + 1 : at]) if at >= 0 else ""


def _line(path: str) -> bytes:
    return files.read(path, LINE_BYTES).split(b"\n", 1)[0].rstrip()


def commit(text: bytes) -> str:
    """Return a full commit id as text, "" for anything else."""
    known = len(text) in (40, 64) and not text.translate(None, b"0123456789abcdef")
    return text.decode("ascii") if known else ""


def folder_in(root: str, *folders: str) -> str:
    """Return the first of some folders that is in a work tree, from its root: a cd does not move a session."""
    for folder in filter(None, folders):
        path = os.path.realpath(folder)
        if path == root or path.startswith(root + os.sep):
            return path[len(root) + 1 :]
    return ""
