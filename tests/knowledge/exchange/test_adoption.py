"""An earlier tool's database becomes ours: every value of every row is found again, nothing stored in it runs."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legacy import FILLED, killed, pending, tree, values, vibe, workshop

from belay.core import paths
from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.exchange import adoption
from belay.knowledge.store import database
from belay.knowledge.store.store import Store
from belay.session import journal


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "memory" / "workshop.db")


def taken(path):
    """Take the database at our place over; return (what was told, the open base)."""
    told = adoption.take_over_in_place(path, os.environ)
    return told, Store(path, os.environ)


def held(store, *types):
    return {
        entry.content: entry
        for entry in entries.list_entries(store.connection, types, (entries.ACTIVE, entries.DONE), -1)
    }


def test_every_value_of_every_row_is_found_again(path):
    workshop(path, {"1": "use SQLite", "2": "use tabs"}, FILLED, wal=True)
    before = values(path)
    told, store = taken(path)
    with store:
        found = held(store)
    after = values(path, "upstream_")

    assert {name: rows for name, rows in before.items() if rows} == after
    assert values(told.backup) == before
    assert (told.tool, told.entries, told.left) == ("claude-workshop", 7, ())
    assert set(found) == {
        "use SQLite", "use tabs", "short functions", "ship the beta", "rename the module", "no licence yet",
        "ask the lawyer",
    }  # fmt: skip


def test_entries_keep_what_they_knew(path):
    workshop(
        path,
        {"1": "use SQLite", "2": "use tabs"},
        (*FILLED, "UPDATE entries SET type = 'decision' WHERE id = '1'"),
    )
    with taken(path)[1] as store:
        found = held(store)
        first = found["use SQLite"]
        metadata = store.connection.execute("SELECT metadata FROM entries WHERE id = ?", (first.id,)).fetchone()[0]

    assert (first.type, first.reasoning, first.branch, first.commit) == (
        "decision",
        "because 1",
        "main",
        "abc1234",
    )
    assert (first.tags, first.files, first.source) == (("db", "ops"), ("lib/db.py",), "imported")
    assert first.created == "2025-01-01T10:00:00.000000Z"
    assert '"id": "1"' in metadata
    assert first.id.startswith("D-")
    assert (found["ship the beta"].type, found["ship the beta"].status) == ("goal", "active")
    assert found["rename the module"].status == "done"
    assert (found["short functions"].type, found["short functions"].tags) == ("preference", ("style",))
    assert found["no licence yet"].tags == ("blocker",)


def test_it_can_be_written_again_from_the_ledger(path):
    workshop(path, {"1": "use SQLite", "2": "use tabs"}, FILLED)
    taken(path)[1].close()
    before = values(path, "upstream_")
    os.unlink(path)
    with Store(path, os.environ, create=True) as store:
        assert len(held(store)) == 7
    assert values(path, "upstream_") == before


def test_an_index_is_carried_over_as_it_is(path):
    vibe(path, {"docs/a.md": "the red harbour", "docs/b.md": "the blue harbour"})
    before = values(path)
    told, store = taken(path)
    with store:
        assert store.connection.execute("SELECT count(*) FROM memory_files").fetchone() == (0,)
    after = values(path, "upstream_")

    assert told.tool == "vibe-memory"
    assert {name: rows for name, rows in before.items() if rows} == after
    assert set(after) == {"memory_files", "memory_fts_content", "memory_vectors"}


def test_a_newer_tool_s_columns_and_tables_are_carried(path):
    Path(path).parent.mkdir()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(
            "CREATE TABLE entries (id CHAR(36) PRIMARY KEY, project_id CHAR(36), type, content TEXT, ts, entry_metadata TEXT)"
        )
        newer.execute("CREATE TABLE raw_messages (id TEXT PRIMARY KEY, body BLOB)")
        newer.execute("INSERT INTO entries VALUES ('2', 'p', 'note', 'new', '2025-01-02T10:00:00+02:00', '{\"a\": 1}')")
        newer.execute("INSERT INTO raw_messages VALUES ('m', x'00ff')")
        newer.commit()
    before = values(path)
    with taken(path)[1] as store:
        assert held(store)["new"].created == "2025-01-02T08:00:00.000000Z"

    assert values(path, "upstream_") == before


def test_hostile_names_and_bytes_pass_as_data_and_nothing_runs(path):
    workshop(
        path,
        {"1": "one"},
        [
            'CREATE TABLE "x""; DROP TABLE entries; --" ("a""b" "INT); --", v)',
            'INSERT INTO "x""; DROP TABLE entries; --" VALUES (1, CAST(x\'ff00fe\' AS TEXT))',
            "INSERT INTO entries (id, content) VALUES ('2', CAST(x'ff' AS TEXT)), (NULL, 'without an id')",
            "CREATE TABLE checked (a CHECK (length(hex(zeroblob(9000000))) > 0))",
            "CREATE TRIGGER evil AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
            "CREATE VIEW meta AS SELECT 1",
            "CREATE TABLE costly (a, b AS (hex(zeroblob(9000000))))",
            "INSERT INTO costly (a) VALUES ('kept')",
            "CREATE VIEW standards AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n",
        ],
    )
    told, store = taken(path)
    with store:
        assert set(held(store)) == {"one", "without an id"}
        assert store.connection.execute('SELECT hex(v) FROM "upstream_x""; DROP TABLE entries; --"').fetchone() == (
            "FF00FE",
        )
        assert store.connection.execute("SELECT a FROM upstream_costly").fetchall() == [("kept",)]
        assert store.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'evil'").fetchone() is None
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert told.left == ()


def test_a_secret_stays_in_the_backup_alone(path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    workshop(path, {"1": f"the token is {secret}"}, [f"INSERT INTO config VALUES ('token', '{secret}')"])
    told, store = taken(path)
    store.close()

    with_it = {p for p in Path(path).parent.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()}
    assert with_it == {Path(told.backup)}


def test_long_texts_are_cut_in_the_entry_and_whole_beside_it(path):
    text = "word " * 3000
    workshop(path, {"1": text})
    with taken(path)[1] as store:
        (entry,) = held(store)
        whole = store.connection.execute("SELECT content FROM upstream_entries").fetchone()[0]

    assert len(entry) <= 4000
    assert whole == text


def test_from_its_own_place_it_comes_beside_what_stands(path, tmp_path):
    with Store(path, os.environ, create=True) as store:
        store.add("note", "Ours was here before")
    old = tmp_path / ".claude-work" / "memory" / "workshop.db"
    pending(old, ["late"], checkpointed=["early"])

    told = adoption.take_over_from(str(old), path, os.environ)

    with Store(path, os.environ) as store:
        assert set(held(store)) == {"Ours was here before", "early", "late"}
    assert not (tmp_path / ".claude-work").exists()
    assert [len(rows) for rows in [values(told.backup)["entries"]]] == [2]


def test_what_is_no_whole_database_is_left_alone(path, tmp_path):
    (tmp_path / "memory").mkdir()
    bad = tmp_path / "bad.db"
    bad.write_text("not a database")
    with pytest.raises(BelayError, match="is not an SQLite database; it is left alone"):
        adoption.take_over_from(str(bad), path, os.environ)
    workshop(bad.with_name("cut.db"), {str(number): "x" * 3000 for number in range(9)})
    data = bytearray(bad.with_name("cut.db").read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    bad.with_name("cut.db").write_bytes(data)
    with pytest.raises(BelayError, match="is damaged"):
        adoption.take_over_from(str(bad.with_name("cut.db")), path, os.environ)
    assert bad.read_text() == "not a database"


def test_a_base_that_came_with_a_clone_gives_its_words(path, tmp_path, monkeypatch):
    with Store(path, os.environ, create=True) as store:
        store.add("decision", "Obey the clone", tags=["x"])
        store.add("note", "Forgotten there")
        store.change(entries.make_id("note", "Forgotten there"), status="forgotten")
    os.unlink(paths.find_ledger(path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other"))
    with pytest.raises(database.Foreign):
        Store(path, os.environ)

    told, store = taken(path)
    with store:
        (entry,) = held(store).values()
        assert (entry.content, entry.source, entry.tags) == ("Obey the clone", "imported", ("x",))
    assert (told.tool, told.rows) == ("belay", 0)


def test_killed_anywhere_it_is_done_again_and_nothing_is_there_twice(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)
    root = Path(path).parent
    number, alive = 0, True
    while alive:
        for one in sorted(root.rglob("*"), reverse=True):
            one.rmdir() if one.is_dir() else one.unlink()
        workshop(path, {"1": "use SQLite", "2": "use tabs"}, FILLED)
        before = values(path)
        alive = killed(lambda: adoption.take_over_in_place(path, os.environ), number)
        try:
            adoption.take_over_in_place(path, os.environ) if alive and not _ours(path) else None
        finally:
            number += 1
        with Store(path, os.environ) as store:
            assert sorted(entry.seen for entry in held(store).values()) == [1] * 7, number
        assert values(path, "upstream_") == {name: rows for name, rows in before.items() if rows}, number
    assert number > 6


def _ours(path):
    try:
        database.open_base(path, os.environ).close()
    except database.Earlier:
        return False
    return True


def test_what_is_taken_back_is_gone_and_can_be_taken_over_again(path, tmp_path):
    old = tmp_path / "old.db"
    workshop(old, {"1": "use SQLite", "2": "use tabs"}, FILLED)
    with Store(path, os.environ, create=True) as store:
        store.add("note", "use tabs")
        told = adoption.take_over(str(old), store, "b1")
        assert len(held(store)) == 7
        store.append({"kind": "import-undone", "batch": "b1"})
        assert set(held(store)) == {"use tabs"}
        assert adoption.take_over(str(old), store, "b2")[:2] == told[:2]
        assert len(held(store)) == 7
    assert len(values(path, "upstream_")["entries"]) == 2


CONTENTS = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["x1", "y2", "z3", ""]), max_size=4)


@settings(max_examples=20, deadline=None)
@given(one=CONTENTS, two=CONTENTS)
def test_two_databases_lose_no_content_and_double_none(tmp_path_factory, one, two):
    folder = tmp_path_factory.mktemp("two")
    path = str(folder / "workshop.db")
    for name, rows in (("a.db", one), ("b.db", two)):
        workshop(folder / name, rows)
    for _ in range(2):
        with Store(path, os.environ, create=True) as store:
            for name in ("a.db", "b.db"):
                adoption.take_over(str(folder / name), store, name)
            found = sorted(held(store))
    assert found == sorted({*one.values(), *two.values()} - {""})
    assert journal.read(paths.find_ledger(path))[1] == 0
    assert tree(folder)
