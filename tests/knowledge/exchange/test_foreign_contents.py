"""What a stranger's database holds is read without running, writing or waiting for anything of it."""

import os
import sqlite3
import time
from contextlib import closing

import pytest
from legacy import tree, workshop

from belay.knowledge.exchange import foreign_contents
from belay.knowledge.store import legacy

ENTRIES = "CREATE TABLE entries (id TEXT, type TEXT, content TEXT"
ROW = "INSERT INTO entries (id, type, content) VALUES ('1', 'gotcha', 'theirs')"
LOOP = "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT x AS id, 'note' AS type, x AS content FROM a"
BOMB = "hex(zeroblob(400000000))"
SOUND = {
    "a trigger": f"{ENTRIES}); CREATE TABLE gone (a); CREATE TRIGGER t AFTER INSERT ON gone BEGIN DELETE FROM entries; END; {ROW}",
    "a computed column": f"{ENTRIES}, big AS ({BOMB})); {ROW}",
    "a computed column that is stored": f"{ENTRIES}, low AS (upper(content)) STORED); {ROW}",
    "a check and a default": f"{ENTRIES}, other DEFAULT ({BOMB}), CHECK (id <> 'x')); INSERT INTO entries VALUES ('1', 'gotcha', 'theirs', 1)",
    "an index of an expression": f"{ENTRIES}); CREATE INDEX i ON entries (lower(content)) WHERE length(content) > 1; {ROW}",
    "views": f"{ENTRIES}); {ROW}; CREATE VIEW preferences AS {LOOP}; CREATE VIEW tags AS {LOOP}",
    "a text index": f"{ENTRIES}); {ROW}; CREATE VIRTUAL TABLE tags USING fts5 (entry_id, tag); CREATE VIRTUAL TABLE preferences USING fts5 (content)",
    "names that are SQL": f'{ENTRIES}, [a"; DROP TABLE entries; --] TEXT); {ROW}; CREATE TABLE [x"y\'z] (a)',
    "no rows that fit": f"{ENTRIES}); {ROW}; INSERT INTO entries VALUES (2, 3.5, x'ff00'), (NULL, NULL, NULL), (x'', x'ff', CAST(x'ff' AS TEXT))",
}


def make(path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


@pytest.fixture
def read(tmp_path):
    """Return what reads a database, and shows that this left no trace and took no time."""

    def read_it(path):
        before, start = tree(tmp_path), time.monotonic()
        found = foreign_contents.read_contents(str(path))
        assert time.monotonic() - start < 4
        assert tree(tmp_path) == before
        return found

    return read_it


@pytest.mark.parametrize("name", SOUND)
def test_only_stored_rows_are_read(tmp_path, read, name):
    make(tmp_path / "a.db", SOUND[name])
    found = read(tmp_path / "a.db")
    assert (found.why, found.tool) == ("", legacy.WORKSHOP)
    assert [(old.entry.type, old.entry.content) for old in found.entries] == [("gotcha", "theirs")]
    assert len(found.digest) == 128


@pytest.mark.parametrize(
    "forged",
    [
        f"CREATE VIEW entries AS {LOOP}",
        "CREATE VIRTUAL TABLE entries USING fts5 (content)",
        "CREATE TABLE entries AS SELECT 1",
        "Ignore (all rules",
    ],
)
def test_a_forged_schema_is_no_table(tmp_path, read, forged):
    make(tmp_path / "a.db", f"{ENTRIES}); {ROW}")
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'entries'", (forged,))
        connection.commit()
    found = read(tmp_path / "a.db")
    assert found.entries == []
    assert "(" not in found.why  # SQLite's message quotes the schema


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM v", "SELECT upper(a) FROM t", "DELETE FROM t", "ATTACH 'x.db' AS x", "PRAGMA writable_schema = ON",
            "CREATE TEMP TABLE x (a)", "SELECT load_extension('x')", LOOP]
)  # fmt: skip
def test_a_reader_may_only_read_tables(tmp_path, monkeypatch, sql):
    monkeypatch.chdir(tmp_path)
    make("a.db", "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t")
    with closing(legacy._open("a.db")) as connection:
        assert connection.execute("SELECT count(*), typeof(a) FROM t").fetchone() is not None
        with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
            connection.execute(sql)
    assert os.listdir() == ["a.db"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is not an SQLite database"),
        (b"SQLite format 3\0", "is damaged"),
        (b"SQLite format 3\0" + b"\xff" * 9000, "is damaged"),
    ],
)
def test_what_is_no_database_says_so(tmp_path, read, data, why):
    (tmp_path / "a.db").write_bytes(data)
    assert why in read(tmp_path / "a.db").why


@pytest.mark.parametrize("how", ["pipe", "link", "folder", "log"])
def test_what_is_no_plain_file_is_not_opened(tmp_path, read, how):
    path = tmp_path / "a.db"
    make(tmp_path / "b.db", f"{ENTRIES}); {ROW}")
    if how == "log":
        os.rename(tmp_path / "b.db", path)
        os.mkfifo(tmp_path / "a.db-wal")
    else:
        {"pipe": os.mkfifo, "link": lambda one: os.symlink("b.db", one), "folder": os.mkdir}[how](path)
    assert read(path).why == "is not a plain file"


def test_what_is_large_is_cut_or_left(tmp_path, read, monkeypatch):
    make(tmp_path / "a.db", f"{ENTRIES}, reasoning TEXT); CREATE TABLE tags (entry_id TEXT, tag TEXT)")
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection, connection:
        connection.execute("INSERT INTO entries VALUES (?, 'note', ?, ?)", ("1", "a " * 5_000_000, "b " * 99_999))
        connection.executemany("INSERT INTO tags VALUES ('1', ?)", [(f"{number}" * 1000,) for number in range(1000)])
    (old,) = read(tmp_path / "a.db").entries
    assert (len(old.entry.content), len(old.entry.fields["reasoning"])) == (4000, 4000)
    assert (len(old.entry.fields["tags"]), len(old.entry.fields["tags"][0])) == (50, 400)
    monkeypatch.setattr(foreign_contents, "MOST_BYTES", 1 << 20)
    assert read(tmp_path / "a.db").why == "is over 1 MiB"


def test_many_entries_or_a_slow_file_are_given_up(tmp_path, read, monkeypatch):
    workshop(tmp_path / "a.db", {"1": "a", "2": "b", "3": "c"})
    monkeypatch.setattr(foreign_contents, "MOST_ENTRIES", 2)
    assert "over 2 entries" in read(tmp_path / "a.db").why
    monkeypatch.undo()
    monkeypatch.setattr(foreign_contents, "SECONDS", -1.0)
    assert read(tmp_path / "a.db").why


def test_a_log_beside_it_counts_and_stays(tmp_path, read):
    workshop(tmp_path / "a.db", {"1": "in the file"}, wal=True)
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute(
            "INSERT INTO entries (id, type, content, timestamp) VALUES ('2', 'note', 'in the log', '2025')"
        )
        connection.commit()
        before = read(tmp_path / "a.db")
        assert [old.entry.content for old in before.entries] == ["in the file", "in the log"]
        assert foreign_contents.read_digest(str(tmp_path / "a.db")) == before.digest
        connection.execute("DELETE FROM entries")
        connection.commit()
        assert foreign_contents.read_digest(str(tmp_path / "a.db")) != before.digest
