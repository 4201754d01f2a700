"""Opening the knowledge base: made, migrated, and believed only where this user's Belay made it.

Everything in it can be written again, so it is synced lazily (WAL, synchronous NORMAL); the ledger is what lasts.
"""

from __future__ import annotations

import os
import sqlite3
import zlib

from belay.core import files, paths, signatures
from belay.core.errors import BelayError
from belay.core.lock import hold
from belay.knowledge.store import database_file, filesystem
from belay.knowledge.store import provenance as beside
from belay.repository.foreign_database import is_stamped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SqlError = sqlite3.Error
"""What else a database may raise; other packages know SQLite by this name only."""
VERSION = beside.VERSION
MODEL = "vectors"
"""What the base keeps about itself: the model of its vectors, "" for none."""
WAIT = 10.0
"""Seconds a command waits for another writer."""
_PASSING = (
    "locked", "busy", "readonly", "read-only", "unable to open", "disk is full", "disk I/O", "interrupted", "protocol",
    "out of memory", "too many SQL variables", "fts5: ", "no such module: fts5", "no such tokenizer",
)  # fmt: skip
"""Texts of errors that are not the file's: SQLITE_BUSY, LOCKED, READONLY, CANTOPEN, FULL, IOERR, INTERRUPT and the
like (sqlite.org/rescode.html)."""
_UNWRITABLE = ("readonly", "read-only", "unable to open")
"""Texts of SQLITE_READONLY and SQLITE_CANTOPEN; before Python 3.11 an error has no code."""


class Missing(BelayError):
    """There is no knowledge base yet."""


class Newer(BelayError):
    """The file was written by a newer Belay."""


class Damaged(BelayError):
    """The file is no sound SQLite database; it can be written again from the ledger and the files."""


class Earlier(BelayError):
    """The file is another tool's, to be taken over by `workshop init`."""


class Unsearchable(BelayError):
    """The base has a text index, which this Python's SQLite cannot read."""


class Foreign(BelayError):
    """The file was not made by this user's Belay: it came with a clone."""


def open_base(path: str, environ: Mapping[str, str], *, create: bool = False, wait: float = WAIT) -> sqlite3.Connection:
    """Return a connection in autocommit mode to the knowledge base at a path, brought up to this version.

    Missing unless it exists or may be created; Damaged, Newer, Earlier, Foreign where it cannot be used as it is.
    """
    if not database_file.has_data(path):
        if not create:
            raise Missing(path, "there is no knowledge base yet", "`workshop init` makes one")
        make_base(path, environ)
    try:
        return _connect_checked(path, environ, wait)
    except BelayError:
        if database_file.has_data(path):
            raise
        return open_base(path, environ, create=create, wait=wait)  # another process has just set it aside


def _connect_checked(path: str, environ: Mapping[str, str], wait: float) -> sqlite3.Connection:
    try:
        _check_file(path, environ)
        connection = database_file.connect(path, wait)
        try:
            _check_content(connection, path, environ)
        except BaseException:
            connection.close()
            raise
    except sqlite3.DatabaseError as error:
        raise explain_error(path, error) from None
    return connection


def explain_error(path: str, error: sqlite3.Error) -> BelayError:
    """Return what an error of SQLite means to a person."""
    if is_damage(error):
        return Damaged(path, f"is damaged ({error})", "`belay rebuild db` writes it again")
    if any(text in str(error) for text in _UNWRITABLE):
        return BelayError(path, f"cannot be written ({error})", "make it and its folder writable")
    return BelayError(path, f"cannot be used now ({error})", "try again")


def is_damage(error: BaseException) -> bool:
    """Whether an error says that the file is damaged: Python has no class of its own for SQLITE_CORRUPT and NOTADB.

    A table or column that is gone, or a text index that answers with a failed constraint, is no better: the schema is
    in the file too. Whoever repairs looks for the damage first, so that a wrong suspicion costs nothing.
    """
    if isinstance(error, (sqlite3.ProgrammingError, sqlite3.NotSupportedError)):
        return False
    return isinstance(error, sqlite3.DatabaseError) and not may_pass(error)


def may_pass(error: BaseException) -> bool:
    """Whether an error of SQLite comes from its surroundings: another writer, the disk, a permission, a time limit."""
    return isinstance(error, sqlite3.OperationalError) and any(text in str(error) for text in _PASSING)


def _check_file(path: str, environ: Mapping[str, str]) -> None:
    """Raise what can be seen before SQLite opens a file: opening may change it, or run what it holds."""
    head = database_file.read_header(path)
    stamped = is_stamped(head, environ)
    if (stamped and os.path.isfile(database_file.suspect_path(path))) or database_file.is_cut(path):
        raise Damaged(path, "is damaged", "`belay rebuild db` writes it again")
    if not stamped:
        _refuse_foreign(path, int.from_bytes(head[60:64], "big"))
    elif planted := beside.find_planted(path, head, environ):
        from belay.safety import log

        database_file.set_aside(path, planted)
        log.log_note(f"{path}: set aside, for it came with a clone: {', '.join(planted)}", environ)


def _refuse_foreign(path: str, version: int) -> None:
    """Raise whose a file is that no Belay of this user made; one that is empty may be filled."""
    try:
        names = database_file.list_tables(path)
    except sqlite3.OperationalError as error:
        if is_damage(error):
            raise
        names = {"meta"}  # it cannot be read in time: no tool makes such a one
    if not names and not any(database_file.has_data(path + end) for end in database_file.SIDECARS):
        return
    if "meta" not in names:
        raise Earlier(path, "is an earlier tool's database", "`workshop init` takes it over, with a backup")
    if version > VERSION:
        raise Newer(
            path,
            f"has version {version}, this Belay knows up to {VERSION}",
            "update Belay: nothing was changed",
        )
    raise Foreign(path, "was not made by your Belay", "`workshop init` takes it over, with a backup")


def make_base(path: str, environ: Mapping[str, str]) -> None:
    """Make an empty base beside the path and put it in place, unless another process was first."""
    try:
        files.make_folder(os.path.dirname(os.path.abspath(path)))
        with base_lock(path, environ):
            if not database_file.has_data(path):
                build_base(path, environ)
    except (OSError, sqlite3.OperationalError) as error:
        raise BelayError(path, f"cannot be made ({error})", "make its folder writable") from None


def build_base(path: str, environ: Mapping[str, str], **about: str) -> None:
    """Make an empty base in place of none, within its lock; `about` is what it keeps about itself."""
    database_file.set_aside_logs(path)
    beside = f"{path}.{os.getpid()}.tmp"
    database_file.discard(beside)
    connection = sqlite3.connect(beside, isolation_level=None)
    try:
        write_schema(connection, environ, **about)
        if not filesystem.is_network(path):
            connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()
    files.replace(beside, path, sync=False)


def base_lock(path: str, environ: Mapping[str, str]) -> hold:
    """Return the lock under which a base is made, set aside or replaced."""
    folder = os.path.join(paths.data_home(environ), "locks")
    try:
        files.make_folder(folder, 0o700)
    except OSError as error:
        raise BelayError(folder, f"cannot be made ({error.strerror})", "make it writable") from None
    return hold(os.path.join(folder, f"{zlib.crc32(os.fsencode(os.path.realpath(path))):08x}.base"), WAIT)


def write_schema(connection: sqlite3.Connection, environ: Mapping[str, str], **about: str) -> None:
    """Write the schema into an empty base, and whose it is, in one transaction."""
    store = os.urandom(8).hex()
    rows = {"store": store, "mark": signatures.sign_name(environ, f"store {store}"), "place": "[]", **about}
    with Transaction(connection):
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            return  # another process was first
        from belay.knowledge.store import sql_scripts  # an existing base needs none

        sql_scripts.run_script(connection, sql_scripts.SCHEMA)
        connection.execute(f"PRAGMA application_id = {signatures.make_user_number(environ)}")
        connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", rows.items())


class Transaction:
    """Write all of it or nothing; another writer is waited for."""

    __slots__ = ("connection",)

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __enter__(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.connection.execute("COMMIT")
        elif self.connection.in_transaction:
            self.connection.execute("ROLLBACK")


def _check_content(connection: sqlite3.Connection, path: str, environ: Mapping[str, str]) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        write_schema(connection, environ)
        return
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").fetchone():
        raise Earlier(path, "is an earlier tool's database", "`workshop init` takes it over, with a backup")
    if version > VERSION:
        _check_version(connection, path)
        raise Newer(path, f"has version {version}, this Belay knows up to {VERSION}", "update Belay")
    if not beside.is_own(connection, environ):
        raise Foreign(path, "was not made by your Belay", "`workshop init` takes it over, with a backup")
    _check_text_search(connection, path)
    migrate(connection)


def _check_version(connection: sqlite3.Connection, path: str) -> None:
    """Raise Damaged where a base says that a newer Belay made it, and its schema says that this one did."""
    from belay.knowledge.store import schema_check  # seldom

    if why := schema_check.find_wrong_version(connection):
        raise Damaged(path, why, "`belay rebuild db` writes it again")


def _check_text_search(connection: sqlite3.Connection, path: str) -> None:
    try:
        connection.execute("SELECT 1 FROM memory_fts LIMIT 0")
    except sqlite3.OperationalError as error:
        if "no such module" not in str(error) or has_text_search(connection):
            raise
        mend = "use the Python that made it, or `belay rebuild db`: it then searches without the index"
        raise Unsearchable(path, "needs FTS5, which this Python's SQLite lacks", mend) from None


def has_text_search(connection: sqlite3.Connection) -> bool:
    """Whether this Python's SQLite has FTS5."""
    return bool(connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone())


def is_plain(connection: sqlite3.Connection) -> bool:
    """Whether the base was made without full text search: its text index is an ordinary table."""
    row = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'memory_fts'").fetchone()
    return bool(row) and not str(row[0]).upper().startswith("CREATE VIRTUAL")


def migrate(connection: sqlite3.Connection, folder: str = "", version: int = VERSION) -> None:
    """Bring a base up by the numbered scripts above its version, all of them or none."""

    def standing() -> int:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])

    if standing() >= version:
        return
    from belay.knowledge.store import sql_scripts

    with Transaction(connection):  # another process may have been first: only now is the version sure
        for number, script in sql_scripts.list_migrations(folder or sql_scripts.MIGRATIONS):
            if standing() < number <= version:
                sql_scripts.run_script(connection, script)
                connection.execute(f"PRAGMA user_version = {number}")


def load_value(connection: sqlite3.Connection, key: str, default: str = "") -> str:
    """Return a value that the base keeps about itself."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else default


def save_value(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a value."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
