"""The base written again in place: the same entries and counters, seen by whoever has it open, whole after a kill."""

import os
import signal
import sqlite3

import pytest
from legacy import FILLED, values, vibe, workshop

from belay.knowledge.entries import entries
from belay.knowledge.exchange import adoption
from belay.knowledge.store import database, ledger, rebuild, sql_scripts
from belay.knowledge.store.store import Store


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "memory" / "workshop.db")


def held(store):
    return sorted(entry._replace(num=0) for entry in entries.list_entries(store.connection, status=_ALL, limit=-1))


_ALL = (entries.ACTIVE, entries.DONE, entries.SUPERSEDED, entries.FORGOTTEN)


def fill(store):
    first = store.add("decision", "SQLite for storage", files=["lib/db.py"], tags=["db"])
    second = store.add("decision", "PostgreSQL for storage")
    store.supersede(first.id, second.id)
    store.append({"kind": "entry-count", "of": "s-1", "counts": {second.id: {"recalled": 1, "used": 1, "tokens": 20}}})


def test_it_is_the_same_again_and_others_see_it(path, tmp_path):
    workshop(tmp_path / "old.db", {"1": "use tabs"}, FILLED)
    vibe(tmp_path / "vibe.db", {"a.md": "the red harbour"})
    with Store(path, os.environ, create=True) as store, Store(path, os.environ) as other:
        fill(store)
        for name in ("old.db", "vibe.db"):
            adoption.take_over(str(tmp_path / name), store, name)
        store.connection.execute("PRAGMA wal_checkpoint(FULL)")
        before, carried = held(store), values(path, "upstream_")
        assert len(carried) > 10
        store.connection.execute("UPDATE entries SET content = 'changed by hand'")
        about = database.load_value(store.connection, "store")

        assert rebuild.rewrite_base(store) == len(ledger.journal.read(store.ledger)[0])

        assert held(store) == held(other) == before
        assert database.load_value(other.connection, "store") == about
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        other.add("note", "Written through the one that was open")
        assert other.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert values(path, "upstream_") == carried
    with Store(path, os.environ) as store:
        assert len(held(store)) == len(before) + 1


def test_killed_before_the_end_the_old_one_stands(path):
    with Store(path, os.environ, create=True) as store:
        fill(store)
        before = held(store)
    child = os.fork()
    if child == 0:
        with Store(path, os.environ) as store:
            fold, ledger.fold = ledger.fold, lambda *args: (fold(*args), os.kill(os.getpid(), signal.SIGKILL))
            rebuild.rewrite_base(store)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    with Store(path, os.environ) as store:
        assert held(store) == before


def test_what_fails_leaves_the_old_one(path, tmp_path, monkeypatch):
    (tmp_path / "broken.sql").write_text("CREATE TABLE meta (key, value);\nCREATE TABLE meta (a);")
    with Store(path, os.environ, create=True) as store:
        fill(store)
        before = held(store)
        monkeypatch.setattr(sql_scripts, "SCHEMA", str(tmp_path / "broken.sql"))
        with pytest.raises(sqlite3.OperationalError):
            rebuild.rewrite_base(store)
        assert held(store) == before
