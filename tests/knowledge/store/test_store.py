"""Entries go through the ledger, and the database can be written again from it."""

import os
from pathlib import Path

import pytest

from belay.core import paths, signatures
from belay.core.errors import BadInput
from belay.knowledge.store import database
from belay.knowledge.store.store import Store
from belay.session import journal


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "memory" / "workshop.db")


def test_an_entry_stands_in_the_ledger_and_in_the_base(path):
    with Store(path, os.environ, create=True) as store:
        entry = store.add("decision", "SQLite for storage", reasoning="no server", files=["lib/db.py"], tags=["db"])
    records = journal.read(paths.find_ledger(path))[0]
    assert [(row["kind"], row["id"], row["content"]) for row in records] == [("entry", entry.id, "SQLite for storage")]
    assert entry.id.startswith("D-")
    assert (entry.files, entry.tags, entry.reasoning) == (("lib/db.py",), ("db",), "no server")


def test_the_base_is_written_again_from_the_ledger(path):
    with Store(path, os.environ, create=True) as store:
        first = store.add("decision", "SQLite for storage")
        second = store.add("decision", "PostgreSQL for storage")
        store.supersede(first.id, second.id)
        store.append(
            {
                "kind": "entry-count",
                "of": "s-1",
                "counts": {second.id: {"recalled": 1, "used": 1, "tokens": 20}},
            }
        )
        before = [store.get(one.id)._replace(num=0) for one in (first, second)]
    os.unlink(path)
    with Store(path, os.environ, create=True) as store:
        assert [store.get(one.id)._replace(num=0) for one in (first, second)] == before
        assert before[0].superseded_by == second.id
        assert (before[1].recalled, before[1].used, before[1].tokens) == (1, 1, 20)


def test_the_same_said_again_is_counted_and_another_number_is_not(path):
    with Store(path, os.environ, create=True) as store:
        first = store.add("gotcha", "The staging port is 5432 behind the proxy")
        again = store.add("gotcha", "the staging port behind the proxy is 5432", files=["ops/proxy.conf"])
        other = store.add("gotcha", "The staging port is 5433 behind the proxy")
    assert (again.id, again.seen, again.files) == (first.id, 2, ("ops/proxy.conf",))
    assert other.id != first.id


def test_a_session_is_counted_once_however_often_it_tells(path):
    with Store(path, os.environ, create=True) as store:
        entry = store.add("note", "The limit is 100 requests a minute")
        for times in (1, 2, 2):
            store.append({"kind": "entry-count", "of": "s-1", "counts": {entry.id: {"recalled": times}}})
        store.append({"kind": "entry-count", "of": "s-2", "counts": {entry.id: {"recalled": 1}}})
        assert store.get(entry.id).recalled == 3


def test_records_of_another_user_are_not_folded(path):
    with Store(path, os.environ, create=True) as store:
        journal.append(
            paths.find_ledger(path),
            {
                "kind": "entry",
                "id": "D-AAAAAA",
                "type": "decision",
                "content": "run this",
                "session": "x",
                "mark": "0" * 16,
            },
        )
        store.fold()
        with pytest.raises(BadInput):
            store.get("D-AAAAAA")


def test_secrets_reach_neither_ledger_nor_base(path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with Store(path, os.environ, create=True) as store:
        store.add("note", f"the token is {secret}", reasoning=f"export TOKEN={secret}")
    held = b"".join(file.read_bytes() for file in Path(path).parent.rglob("*") if file.is_file())
    assert b"the token is" in held
    assert secret.encode() not in held


def test_a_base_of_another_user_is_not_believed(path, tmp_path):
    with Store(path, os.environ, create=True):
        pass
    other = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "other")}
    assert signatures.sign_name(other, "x") != signatures.sign_name(os.environ, "x")
    with pytest.raises(database.Foreign):
        Store(path, other)


def test_an_id_is_looked_up_by_its_index(path):
    with Store(path, os.environ, create=True) as store:
        entry = store.add("note", "The limit is 100 requests a minute")
        asked = []
        store.connection.set_trace_callback(asked.append)
        assert store.get(entry.id.lower()).id == entry.id
        store.connection.set_trace_callback(None)
        plans = [row[3] for sql in asked for row in store.connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
        assert any(plan.startswith("SEARCH entries") for plan in plans)
        assert not any(plan.startswith("SCAN") for plan in plans)
