"""Sixteen writers and some readers at one knowledge base, kill -9 among them (the issue's "Must show" 3)."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from belay.core import paths
from belay.knowledge.entries import entries
from belay.knowledge.store import rebuild
from belay.knowledge.store.store import Store
from belay.session import journal

HERE = Path(__file__).resolve()
FOLDERS = [str(HERE.parents[2] / "lib")]
ALL = (entries.ACTIVE, entries.DONE)


@pytest.fixture
def path(tmp_path, home):
    return str(tmp_path / "memory" / "workshop.db")


def started(path, role, name, count):
    command = [sys.executable, str(HERE.parent / "noter.py"), path, role, name, str(count), *FOLDERS]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def crowd(path, turn, writers, count, readers):
    roles = ["many" if at % 8 == 7 else "write" for at in range(writers)]
    return (
        [started(path, role, f"t{turn}w{at}", count) for at, role in enumerate(roles)],
        [started(path, "read", f"t{turn}r{at}", 0) for at in range(readers)],
    )


def ended(processes, killed=()):
    """Wait; return every line that was acknowledged. Whoever was not killed must have ended well and in silence."""
    rows = []
    for process in processes:
        out, errors = process.communicate(timeout=300)
        assert process in killed or (process.returncode, errors) == (0, ""), errors[-2000:]
        assert "locked" not in errors
        rows += out.split("\n")[:-1]
    return rows


def check(path, rows):
    """Hold the base against what was acknowledged, and against one written anew from the ledger."""
    with Store(path, os.environ) as store:
        found = sorted(entry._replace(num=0) for entry in entries.list_entries(store.connection, status=ALL, limit=-1))
        assert {entry.content for entry in found} >= set(rows)
        assert store.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert store.connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert len({entry.content for entry in found}) == len(found)
        rebuild.rewrite_base(store)
        anew = entries.list_entries(store.connection, status=ALL, limit=-1)
        assert sorted(entry._replace(num=0) for entry in anew) == found


def test_sixteen_writers_and_readers_with_kills_among_them(path):
    writers, readers = crowd(path, 0, 16, 10, 4)
    time.sleep(1.0)
    killed = writers[::4] + readers[:1]
    for process in killed:
        process.kill()
    rows = ended(writers, killed)
    ended(readers, killed)

    assert len(rows) >= 12 * 10
    check(path, rows)
    assert [name for name in os.listdir(os.path.dirname(path)) if ".damaged" in name or ".suspect" in name] == []


def test_a_base_that_stays_busy_costs_no_word(path):
    with Store(path, os.environ, create=True) as store:
        store.add("note", "The first word")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Store(path, os.environ, wait=0.05) as store:
            entry = store.add("gotcha", "Said while another one writes")
            assert (entry.type, entry.content) == ("gotcha", "Said while another one writes")
            assert not store.fold()
        other.execute("ROLLBACK")
    assert [row["content"] for row in journal.read(paths.find_ledger(path))[0]] == [
        "The first word",
        "Said while another one writes",
    ]
    with Store(path, os.environ) as store:
        assert store.get(entry.id).content == entry.content


@pytest.mark.campaign
def test_many_turns_of_writers_that_are_killed(path):
    chance, rows = random.Random(3), []
    for turn in range(15):
        writers, readers = crowd(path, turn, 16, 20, 4)
        time.sleep(chance.uniform(0.4, 6.0))
        killed = chance.sample(writers + readers, 8)
        for process in killed:
            process.kill()
        rows += ended(writers, killed)
        ended(readers, killed)
        check(path, rows)

    assert len(rows) > 15 * 8 * 20
