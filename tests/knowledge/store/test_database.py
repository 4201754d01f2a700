"""Opening a base in hard places: damaged, cut, newer, half moved, read-only, on a network, without full text search."""

import multiprocessing
import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from belay.cli.knowledge import search_results as found
from belay.core import paths
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.store import database, database_file, filesystem, repair, sql_scripts
from belay.knowledge.store.store import NewEntry, Store

WORDS = [f"Fact number {at} tells how part {at} of the machine works" for at in range(24)]


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "memory" / "workshop.db")


@pytest.fixture
def filled(path):
    """A base of some entries, closed."""
    with Store(path, os.environ, create=True) as store:
        store.add_many([NewEntry("note", text, {}) for text in WORDS])
    return path


def said(store):
    return {entry.content for entry in entries.list_entries(store.connection, limit=-1)}


def spoil(path, how):
    """Damage a file in one of the ways that disks and people do."""
    data = bytearray(Path(path).read_bytes())
    if how == "garbage":
        data[:] = b"\x55" * len(data)
    elif how == "cut":
        del data[len(data) // 2 :]
    elif how == "first page":
        data[100:4096] = b"\xff" * 3996
    else:
        data[4096:] = b"\x55" * (len(data) - 4096)
    Path(path).write_bytes(data)


@pytest.mark.parametrize("how", ["garbage", "cut", "first page", "all but the first page"])
def test_a_damaged_base_is_set_aside_and_written_again(filled, how):
    spoil(filled, how)
    with pytest.raises(database.Damaged, match="belay rebuild db"), Store(filled, os.environ) as store:
        said(store)
    told = []
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert said(store) == set(WORDS)
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert said(store) == set(WORDS)

    assert len(told) == 1
    assert "written again from the ledger" in told[0]
    kept = min(name for name in os.listdir(os.path.dirname(filled)) if ".damaged-" in name)
    assert kept in told[0]


@pytest.mark.parametrize("how", ["deleted", "emptied", "no tables", "damaged"])
def test_one_line_says_that_documents_follow(filled, how):
    os.unlink(filled)
    if how == "damaged":
        Path(filled).write_bytes(b"\x55" * 9000)
    elif how == "emptied":
        Path(filled).write_bytes(b"")
    elif how == "no tables":
        with closing(sqlite3.connect(filled)) as connection:
            connection.execute("VACUUM")
    told = []
    for _ in range(2):
        with Store(filled, os.environ, on_repair=told.append) as store:
            assert said(store) == set(WORDS)
    assert [line.endswith(repair.FOLLOW) for line in told] == [True]


def test_a_new_base_is_not_told_as_one_that_was_gone(path):
    told = []
    with Store(path, os.environ, create=True, on_repair=told.append) as store:
        store.add("note", "The first")
    with Store(path, os.environ, create=True, on_repair=told.append):
        pass
    assert told == []


def test_damage_met_in_use_is_mended_by_the_next_who_may(filled):
    with closing(sqlite3.connect(filled)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(Path(filled).read_bytes())
    data[(root - 1) * size : root * size] = b"\x55" * size
    Path(filled).write_bytes(data)

    with pytest.raises(database.Damaged), Store(filled, os.environ) as store:
        said(store)
    assert os.path.exists(database_file.suspect_path(filled))
    with pytest.raises(database.Damaged):
        Store(filled, os.environ)
    told = []
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert said(store) == set(WORDS)
    assert len(told) == 1
    assert not os.path.exists(database_file.suspect_path(filled))


def recorded(path):
    with Store(path, os.environ) as store:
        return store.add("note", "One more fact"), entries.list_entries(store.connection)


@pytest.mark.parametrize(
    "sql", ["DROP TABLE memory_fts", "DROP TABLE tags", "UPDATE memory_fts_data SET block = x'00ff'"]
)
def test_a_base_that_lacks_a_table_is_written_again(filled, sql):
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute(sql)
        connection.commit()

    with pytest.raises(database.Damaged):
        recorded(filled)
    told = []
    with Store(filled, os.environ, on_repair=told.append) as store:
        store.add("note", "One more fact")
        assert said(store) == {*WORDS, "One more fact"}
    assert len(told) == 1


def test_a_word_is_kept_and_answered_where_recording_it_meets_the_damage(filled):
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute("UPDATE memory_fts_data SET block = x'00ff'")
        connection.commit()
    told = []
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert store.add("note", "One more fact").content == "One more fact"
        assert said(store) == {*WORDS, "One more fact"}
    assert len(told) == 1


WRECKS = ["UPDATE memory_fts_data SET block = zeroblob(length(block))", "DELETE FROM memory_fts_content"]


@pytest.mark.parametrize("sql", WRECKS)
def test_a_text_index_that_finds_nothing_any_more_is_noticed_and_mended(filled, sql):
    asked = found.Asked(("machine",))
    with Store(filled, os.environ) as store:
        assert found.answer(store, found.Asked(("zzyzx",)), "zzyzx").results == []
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute(sql)
        connection.commit()
    with pytest.raises(database.Damaged), Store(filled, os.environ) as store:
        found.answer(store, asked, asked.text)
    told = []
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert found.answer(store, asked, asked.text).results
    assert len(told) == 1


@pytest.mark.parametrize("why", ["attempt to write a readonly database", "unable to open database file"])
def test_what_cannot_be_written_is_to_be_made_writable(why):
    told = database.explain_error("workshop.db", sqlite3.OperationalError(why))
    assert (type(told), told.mend) == (BelayError, "make it and its folder writable")


def test_what_passes_is_to_be_tried_again(filled):
    """Another program keeps the base for itself: whoever opens it is told so, and what to do."""
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BelayError, match=r"cannot be used now \(database is locked\)") as refused:
            Store(filled, os.environ, wait=0.01)
    assert refused.value.mend == "try again"


def test_a_suspicion_that_is_wrong_costs_nothing(filled):
    repair.mark_suspect(filled)
    before, told = os.stat(filled).st_ino, []
    with Store(filled, os.environ, on_repair=told.append) as store:
        assert said(store) == set(WORDS)

    assert (told, os.stat(filled).st_ino) == ([], before)


def test_a_file_that_never_was_a_base_is_left_alone(tmp_path, home):
    readme = tmp_path / "README.md"
    readme.write_text("# Mine\n" * 99)

    with pytest.raises(database.Damaged, match="no SQLite database"):
        Store(str(readme), os.environ, on_repair=print)
    assert readme.read_text() == "# Mine\n" * 99


def test_a_newer_base_is_not_touched(filled):
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("CREATE TABLE of_a_later_version (what TEXT)")
        connection.execute("PRAGMA user_version = 99")
    before = Path(filled).read_bytes()

    with pytest.raises(database.Newer, match=r"version 99.*update Belay"):
        Store(filled, os.environ, on_repair=print)
    assert Path(filled).read_bytes() == before
    assert sorted(os.listdir(os.path.dirname(filled))) == ["journal", "workshop.db"]


def test_a_log_whose_base_was_moved_away_does_not_reach_the_new_one(filled):
    store = Store(filled, os.environ)
    store.add("note", "The last word before the move")
    assert os.path.getsize(filled + "-wal") > 0
    kept = {end: Path(filled + end).read_bytes() for end in ("-wal", "-shm")}
    store.close()
    os.unlink(filled)
    for end, data in kept.items():
        Path(filled + end).write_bytes(data)

    with Store(filled, os.environ, create=True) as fresh:
        assert said(fresh) == {*WORDS, "The last word before the move"}
        assert fresh.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    left = [name for name in os.listdir(os.path.dirname(filled)) if ".left-" in name]
    assert sorted(name[-4:] for name in left) == ["-shm", "-wal"]


def test_a_base_that_is_replaced_meanwhile_is_opened_anew(filled):
    with Store(filled, os.environ) as old:
        os.rename(filled, filled + ".away")
        for end in ("-wal", "-shm"):
            os.rename(filled + end, filled + ".away" + end)
        with Store(filled, os.environ, create=True) as new:
            new.add("note", "Written into the new one")
        old.fold()
        assert "Written into the new one" in said(old)


def test_an_empty_file_and_an_empty_database_are_filled(path):
    for made in (b"", None):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).unlink(missing_ok=True)
        if made is None:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE t (a)")
                connection.execute("DROP TABLE t")
        else:
            Path(path).write_bytes(made)
        with Store(path, os.environ, create=True) as store:
            store.add("note", "It works")
            assert "It works" in said(store)


MOUNTS = """/dev/sda1 / ext4 rw 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local\\040disk ext4 rw 0 0
me@host: /mnt/far fuse.sshfs rw 0 0
/dev/sdc1 /mnt/stick fuseblk rw 0 0
//nas/x /mnt/nas cifs rw 0 0
C:\\134 /mnt/c 9p rw 0 0
"""


@pytest.mark.parametrize(
    ("where", "network"),
    [("/srv/p", False), ("/home/me/p", True), ("/home/local disk/p", False), ("/mnt/far/p", True),
     ("/mnt/stick/p", False), ("/mnt/nas", True), ("/mnt/c/p", True), ("/homestead", False)],
)  # fmt: skip
def test_network_file_systems_are_told_by_their_mount(tmp_path, where, network):
    table = tmp_path / "mounts"
    table.write_text(MOUNTS)

    assert filesystem.is_network(where, str(table)) == network


def mode(path):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA journal_mode").fetchone()[0]


def test_no_log_is_kept_on_a_network_file_system_also_for_a_base_that_moved_there(filled, path, monkeypatch):
    assert mode(filled) == "wal"
    monkeypatch.setattr(filesystem, "is_network", lambda _: True)
    with Store(filled, os.environ) as store:
        store.add("note", "Said on the network")
    assert mode(filled) == "delete"
    other = path.replace("workshop.db", "other.db")
    with Store(other, os.environ, create=True) as store:
        store.add("note", "Said on the network")
    assert mode(other) == "delete"


def as_nobody(work):
    """Run a function in a child that may write nothing of ours; return what it says."""
    reader, writer = multiprocessing.Pipe(False)
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setresuid(65534, 65534, 65534)
            writer.send(work())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return reader.recv() if reader.poll() else None


@pytest.mark.parametrize("logged", [False, True])
def test_read_only_media_are_read(filled, home, logged, tmp_path):
    held = Store(filled, os.environ) if logged else None
    if held:
        held.add("note", "Still in the log")
    folder = os.path.dirname(filled)
    copy = tmp_path / "media"
    shutil.copytree(folder, copy)
    if held:
        held.close()
    there = str(copy / "workshop.db")
    above = [name for name in tmp_path.parents if str(name).startswith(tempfile.gettempdir() + os.sep)]
    for name in (tmp_path, *above, home, home / ".local", home / ".local/share"):
        os.chmod(name, 0o755)
    for name in (home / ".local/share/belay").rglob("*"):
        os.chmod(name, 0o755 if name.is_dir() else 0o644)
    os.chmod(home / ".local/share/belay", 0o755)
    for name in copy.rglob("*"):
        os.chmod(name, 0o555 if name.is_dir() else 0o444)
    os.chmod(copy, 0o555)

    def read(where=there):
        with Store(where, os.environ) as store:
            try:
                store.add("note", "Not to be written")
            except BelayError as error:
                return len(said(store)), str(error)
        return None

    read(filled)  # what it loads is loaded now: nobody may not be allowed to read the program either
    count, error = as_nobody(read)
    assert count >= len(WORDS)
    assert "cannot be written" in error


def shape(connection):
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    columns = [
        connection.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
        for kind, name, _ in rows
        if kind in ("table", "view")
    ]
    return version, [(kind, name) for kind, name, _ in rows], columns, [row[2] for row in rows]


def test_a_migrated_base_is_a_fresh_one(tmp_path, home):
    """Where this fails, schema.sql was changed alone: a change of a released schema needs a migration of its own."""
    with (
        closing(sqlite3.connect(tmp_path / "fresh.db", isolation_level=None)) as fresh,
        closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old,
    ):
        database.write_schema(fresh, os.environ)
        database.migrate(old)
        assert shape(old) == shape(fresh)
        assert shape(old)[0] == database.VERSION == sql_scripts.list_migrations()[-1][0]


NEXT = database.VERSION + 1


def test_migrations_are_applied_all_or_none(tmp_path, filled):
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / f"{NEXT:04}-more.sql").write_text(
        "ALTER TABLE entries ADD COLUMN mood TEXT; -- ;\nCREATE TRIGGER t AFTER INSERT ON tags BEGIN SELECT 1; SELECT 2; END;"
    )
    (folder / f"{NEXT + 1:04}-broken.sql").write_text("CREATE TABLE more (a);\nCREATE TABLE entries (a);")
    with closing(database_file.connect(filled)) as connection:
        before = shape(connection)
        with pytest.raises(sqlite3.OperationalError, match="already exists"):
            database.migrate(connection, str(folder), NEXT + 1)
        assert shape(connection) == before
        assert not connection.in_transaction
        database.migrate(connection, str(folder), NEXT)
        database.migrate(connection, str(folder), NEXT)
        assert shape(connection)[0] == NEXT
        assert ("trigger", "t") in shape(connection)[1]
        connection.execute("SELECT mood FROM entries")


def migrated(path, folder, barrier):
    barrier.wait()
    with closing(database_file.connect(path, database.WAIT)) as connection:
        database.migrate(connection, folder, NEXT)


def test_two_processes_migrate_once(tmp_path, filled):
    folder = tmp_path / "migrations"
    folder.mkdir()
    (folder / f"{NEXT:04}-more.sql").write_text("ALTER TABLE entries ADD COLUMN mood TEXT;")
    start = multiprocessing.get_context("fork")
    barrier = start.Barrier(4)
    children = [start.Process(target=migrated, args=(filled, str(folder), barrier)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()

    assert [child.exitcode for child in children] == [0] * 4


def test_without_full_text_search_the_base_is_made_and_written(path, tmp_path, monkeypatch):
    schema = Path(sql_scripts.SCHEMA).read_text()
    assert "USING fts5" in schema
    (tmp_path / "schema.sql").write_text(schema.replace("USING fts5", "USING absent"))
    monkeypatch.setattr(sql_scripts, "SCHEMA", str(tmp_path / "schema.sql"))

    with Store(path, os.environ, create=True) as store:
        first = store.add("gotcha", "The staging port is 5432 behind the proxy")
        again = store.add("gotcha", "the staging port behind the proxy is 5432")
        assert database.is_plain(store.connection)
        assert (again.id, again.seen) == (first.id, 2)
        found = store.connection.execute("SELECT rowid FROM memory_fts WHERE text LIKE '%proxy%'").fetchall()
        assert found == [(first.num,)]


def test_a_base_with_an_index_is_not_used_where_sqlite_cannot_read_it(filled, monkeypatch):
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'fts5', 'absent') WHERE name = 'memory_fts'")
        connection.execute("PRAGMA writable_schema = RESET")

    monkeypatch.setattr(database, "has_text_search", lambda connection: False)
    with pytest.raises(BelayError, match="needs FTS5"):
        Store(filled, os.environ)


def made(path, name, barrier):
    barrier.wait()
    with Store(path, os.environ, create=True) as store:
        store.add("note", f"Said by process {name} alone, of part {name}")


def test_many_processes_make_the_base_at_once(path):
    start = multiprocessing.get_context("fork")
    barrier = start.Barrier(8)
    children = [start.Process(target=made, args=(path, at, barrier)) for at in range(8)]
    for child in children:
        child.start()
    for child in children:
        child.join()

    assert [child.exitcode for child in children] == [0] * 8
    with Store(path, os.environ) as store:
        assert len(said(store)) == 8
    assert len(paths.find_ledger(path)) > 0
    assert [name for name in os.listdir(os.path.dirname(path)) if name.endswith(".tmp")] == []


def mended(path, barrier, told):
    barrier.wait()
    with Store(path, os.environ, on_repair=told.put) as store:
        assert said(store) == set(WORDS)


def test_many_who_meet_a_damaged_base_set_it_aside_once(filled):
    spoil(filled, "cut")
    start = multiprocessing.get_context("fork")
    barrier, told = start.Barrier(6), start.Queue()
    children = [start.Process(target=mended, args=(filled, barrier, told)) for _ in range(6)]
    for child in children:
        child.start()
    for child in children:
        child.join()

    assert [child.exitcode for child in children] == [0] * 6
    assert "written again" in told.get(timeout=5)
    assert told.empty()


def test_the_consolidator_mends_and_the_log_says_so(project, home):
    from belay.consolidate import knowledge as consolidate_knowledge
    from belay.core import paths

    with Store(project.workshop, os.environ, create=True) as store:
        store.add("note", "It works")
    consolidate_knowledge.run(project, os.environ, [])
    assert not os.path.exists(paths.log_file(os.environ))
    Path(project.workshop).write_bytes(b"\x55" * 9000)
    consolidate_knowledge.run(project, os.environ, [])

    with Store(project.workshop, os.environ) as store:
        assert said(store) == {"It works"}
    assert "written again from the ledger" in Path(paths.log_file(os.environ)).read_text()


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path, home):
    (tmp_path / "file").write_text("")
    with pytest.raises(BelayError, match="cannot be made"):
        Store(str(tmp_path / "file" / "workshop.db"), os.environ, create=True)


def test_a_command_writes_the_base_again_where_only_its_ledger_is_left(filled):
    os.unlink(filled)
    with pytest.raises(database.Missing):
        Store(filled, os.environ)
    with Store(filled, os.environ, on_repair=sys.stderr.write) as store:
        assert said(store) == set(WORDS)
