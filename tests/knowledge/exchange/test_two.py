"""Two earlier databases in one base: nothing twice, nothing lost, the text index true, the originals as they were."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from legacy import FILLED, pending, rows, tree, values, workshop

from belay.knowledge.entries import entries
from belay.knowledge.exchange import adoption
from belay.knowledge.store import legacy
from belay.knowledge.store.store import Store


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "base" / "workshop.db")


def joined(path, tmp_path):
    """Take a.db and b.db over; return {content: entry} of the base."""
    with Store(path, os.environ, create=True) as store:
        for name in ("a.db", "b.db"):
            adoption.take_over(str(tmp_path / name), store, name)
        found = entries.list_entries(store.connection, status=(entries.ACTIVE, entries.DONE), limit=-1)
        store.connection.execute("INSERT INTO memory_fts (memory_fts) VALUES ('integrity-check')")
        return {entry.content: entry for entry in found}


def found(path, word):
    query = f"SELECT e.content FROM memory_fts f JOIN entries e ON e.num = f.rowid WHERE memory_fts MATCH '{word}'"
    return [row[0] for row in rows(path, query)]


def test_rows_of_both_once_and_the_index_finds_them(path, tmp_path):
    workshop(tmp_path / "a.db", {"1": "red apple", "2": "green pear"})
    workshop(tmp_path / "b.db", {"3": "blue plum", "2": "green pear"})

    told = joined(path, tmp_path)

    assert sorted(told) == ["blue plum", "green pear", "red apple"]
    assert told["green pear"].seen == 1
    assert (found(path, "plum"), found(path, "pear")) == (["blue plum"], ["green pear"])


def test_inputs_stay_as_they_are(path, tmp_path):
    workshop(tmp_path / "a.db", {"1": "x1"}, wal=True)
    workshop(tmp_path / "b.db", {"1": "y2"}, wal=True)
    before = {name: tree(tmp_path)[name] for name in ("a.db", "b.db")}

    joined(path, tmp_path)

    assert {name: one for name, one in tree(tmp_path).items() if "base" not in name} == before


def test_same_id_other_content_keeps_both_and_tags_follow(path, tmp_path):
    tag = "INSERT INTO tags VALUES ('1', '{0}')", "INSERT INTO files VALUES ('1', '{0}.py')"
    workshop(tmp_path / "a.db", {"1": "use tabs"}, [text.format("left") for text in tag])
    workshop(tmp_path / "b.db", {"1": "use spaces", "2": "x3"}, [text.format("right") for text in tag])

    told = joined(path, tmp_path)

    assert {text: (entry.tags, entry.files) for text, entry in told.items()} == {
        "use tabs": (("left",), ("left.py",)),
        "use spaces": (("right",), ("right.py",)),
        "x3": ((), ()),
    }


def test_taking_over_again_adds_nothing(path, tmp_path):
    for name, text in (("a.db", "use tabs"), ("b.db", "use spaces")):
        workshop(tmp_path / name, {"1": text}, FILLED)
    first = joined(path, tmp_path)
    before = values(path, "upstream_")

    assert joined(path, tmp_path) == first
    assert values(path, "upstream_") == before


def test_every_table_of_both_is_there(path, tmp_path):
    for name, text in (("a.db", "use tabs"), ("b.db", "use spaces")):
        workshop(tmp_path / name, {"1": text}, (*FILLED, f"INSERT INTO config VALUES ('from', '{name}')"))
    wanted = {}
    for name in ("a.db", "b.db"):
        for table, held in values(tmp_path / name).items():
            wanted.setdefault(table, set()).update(held)

    joined(path, tmp_path)

    assert {table: set(held) for table, held in values(path, "upstream_").items()} == wanted


def test_a_log_beside_is_folded_in_by_the_copy(tmp_path):
    pending(tmp_path / "a.db", ["late"], checkpointed=["early"])
    before = tree(tmp_path)

    assert legacy.copy_database(str(tmp_path / "a.db"), str(tmp_path / "copy.db")) == ""

    assert [row[0] for row in rows(tmp_path / "copy.db")] == ["early", "late"]
    after = tree(tmp_path)
    assert after.pop("copy.db")
    assert after == before


def test_damage_is_told(tmp_path):
    workshop(tmp_path / "a.db", {str(number): "x" * 3000 for number in range(9)})
    data = bytearray((tmp_path / "a.db").read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    (tmp_path / "a.db").write_bytes(data)
    (tmp_path / "b.db").write_text("not a database")
    (tmp_path / "c.db").write_bytes(b"")

    assert "damaged" in legacy.find_trouble(str(tmp_path / "a.db"))
    assert legacy.find_trouble(str(tmp_path / "b.db")) == "is not an SQLite database"
    assert legacy.find_trouble(str(tmp_path / "c.db")) == ""


def test_a_damaged_database_with_a_log_is_no_copy(tmp_path):
    """With a log beside it SQLite's own check waits for the copy, which finds the damage."""
    path = str(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (id TEXT, content TEXT)")
        connection.commit()
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    Path(path + "-wal").write_bytes(b"")

    assert legacy.find_trouble(path) == ""
    assert legacy.copy_database(path, str(tmp_path / "copy.db")).startswith("is damaged (")
