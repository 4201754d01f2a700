"""Trees and databases as earlier tools left them, and pictures of a tree to compare."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from belay.cleanup.tables import SCHEMA

LOG = "-wal", "-shm"


def tree(root, skip=(".git",)):
    """Return {path: (kind, content, permissions)} of all below the root; links are not followed."""
    found = {}
    for folder, inner, files in os.walk(root):
        inner[:] = [name for name in inner if name not in skip]
        for name in inner + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            found[os.path.relpath(path, root)] = (stat.S_IFMT(mode), _content(path, mode), stat.S_IMODE(mode))
    return found


def _content(path, mode):
    if stat.S_ISLNK(mode):
        return os.readlink(path)
    return Path(path).read_bytes() if stat.S_ISREG(mode) else b""


def write(root, files):
    """Write {relative path: text}."""
    for path, text in files.items():
        full = Path(root, path)
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)


def workshop(path, entries, more=(), wal=False):
    """Make a Workshop database of {id: content}; `more` are further statements."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        if wal:
            connection.execute("PRAGMA journal_mode = WAL")
        with open(SCHEMA, encoding="utf-8") as file:
            connection.executescript(file.read())
        for number, (key, text) in enumerate(entries.items()):
            connection.execute(
                "INSERT INTO entries (id, type, content, timestamp) VALUES (?, 'note', ?, ?)",
                (key, text, f"2025-01-0{number + 1}T10:00:00"),
            )
        for statement in more:
            connection.execute(statement)
        connection.commit()


def pending(path, entries, checkpointed=()):
    """Make a database whose rows stand in a -wal file that nobody checkpointed: its writer was killed."""
    workshop(path, {key: key for key in checkpointed}, wal=True)
    code = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA synchronous = OFF'); c.execute('PRAGMA wal_autocheckpoint = 0')\n"
        "for key in sys.argv[2:]: c.execute('INSERT INTO entries (id, content) VALUES (?, ?)', (key, key))\n"
        "c.commit(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(path), *entries], check=True)
    assert os.path.getsize(f"{path}-wal") > 0


def rows(path, query="SELECT id, content FROM entries ORDER BY id"):
    """Return what a query gives, the database opened without leaving a trace."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute(query).fetchall()


def found(path, word):
    """Return the ids that the text index gives for a word."""
    return [
        row[0]
        for row in rows(path, f"SELECT id FROM entries_fts WHERE entries_fts MATCH '{word}' ORDER BY id")
    ]


CALLS = ("rename", "replace", "unlink", "mkdir", "rmdir", "link", "fsync")


def killed(doing, number):
    """Do it in a child that is killed right before its n-th change to the disk; tell whether it was."""
    child = os.fork()
    if child == 0:
        left = [number]
        for name in CALLS:
            setattr(os, name, _counted(getattr(os, name), left))
        try:
            doing()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _counted(call, left):
    def counted(*args, **options):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **options)

    return counted
