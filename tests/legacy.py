"""Trees and databases as earlier tools left them, and pictures of a tree to compare."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "workshop-2.sql")

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


FILLED = (
    "UPDATE entries SET reasoning = 'because ' || id, branch = 'main', commit_hash = 'abc1234', metadata = '{\"a\": 1}'",
    "INSERT INTO tags VALUES ('1', 'db'), ('1', 'ops')",
    "INSERT INTO files VALUES ('1', 'lib/db.py')",
    "INSERT INTO preferences (category, content, timestamp) VALUES ('style', 'short functions', '2025-02-01 10:00:00')",
    "INSERT INTO current_state (type, content, timestamp, completed) VALUES ('goal', 'ship the beta', '2025-03-01', 0),"
    " ('goal', 'rename the module', '2025-03-02', 1), ('blocker', 'no licence yet', '2025-03-03', 0),"
    " ('next_step', 'ask the lawyer', '2025-03-04', 0)",
    "INSERT INTO sessions VALUES ('s', '2025-01-01T08:00:00', '2025-01-01T09:00:00', 60, 'did it', 'main', 'exit', '{}')",
    "INSERT INTO session_files VALUES ('s', 'x.py')",
    "INSERT INTO session_commands (session_id, command) VALUES ('s', 'make'), ('s', 'make')",
    "INSERT INTO session_workshop_entries VALUES ('s', 'note', 3)",
    "INSERT INTO session_user_requests (session_id, request) VALUES ('s', 'please')",
    "INSERT INTO import_history (jsonl_path, jsonl_hash, messages_imported) VALUES ('p.jsonl', 'h', 7)",
    "INSERT INTO config VALUES ('editor', 'vi')",
)
"""Something in every table of a Workshop database with the entries 1 and more."""


def vibe(path, files):
    """Make a vibe-memory database of {path: text}, with a vector each."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE memory_files (path TEXT PRIMARY KEY, mtime REAL, size INTEGER)")
        connection.execute(
            "CREATE VIRTUAL TABLE memory_fts USING fts5 (path UNINDEXED, start_line UNINDEXED, end_line UNINDEXED, text,"
            " tokenize='porter')"
        )
        connection.execute("CREATE TABLE memory_vectors (rowid INTEGER PRIMARY KEY, dim INTEGER, vec BLOB)")
        for number, (name, text) in enumerate(files.items(), 1):
            connection.execute("INSERT INTO memory_files VALUES (?, ?, ?)", (name, 1700000000.25, len(text)))
            connection.execute("INSERT INTO memory_fts VALUES (?, 1, 9, ?)", (name, text))
            connection.execute("INSERT INTO memory_vectors VALUES (?, 4, ?)", (number, bytes(range(16))))
        connection.commit()


def values(path, prefix=""):
    """Return {table: rows as sorted texts} of a database's ordinary tables, or of those with a prefix, without it."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        names = [row[0].decode() for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        derived = ("entries_fts", "sqlite_", "memory_fts_", "memory_fts")
        kept = [
            n for n in names if n.startswith(prefix or "") and (prefix or not n.startswith(derived) or "content" in n)
        ]
        return {name[len(prefix) :]: _texts(connection, name) for name in kept}


def _texts(connection, name):
    quoted = '"' + name.replace('"', '""') + '"'
    columns = [row[1].decode() for row in connection.execute(f"PRAGMA table_info({quoted})")]
    named = [(column, at) for at, column in enumerate(columns) if column != "belay_batch"]
    rows = connection.execute(f"SELECT * FROM {quoted}").fetchall()
    return sorted(repr(sorted((column, row[at]) for column, at in named)) for row in rows)


def rows(path, query="SELECT id, content FROM entries ORDER BY id"):
    """Return what a query gives, the database opened without leaving a trace."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        return connection.execute(query).fetchall()


def contents(path):
    """Return what the entries of a database say, sorted; the file is opened without leaving a trace."""
    return sorted(row[0] for row in rows(path, "SELECT content FROM entries"))


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
