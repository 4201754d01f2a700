"""One byte of a base that changes: it is noticed, written again from the ledger, and shown by `belay doctor`."""

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from commandline import answer, belay

from belay.core.errors import BelayError
from belay.knowledge.entries import entries
from belay.knowledge.store import database, repair, schema_check
from belay.knowledge.store.store import NewEntry, Store

WORDS = {f"Fact number {at} tells how part {at} of the machine works" for at in range(24)}
PAGE = 4096
WHOSE = range(68, 72)
"""Bytes of the header that say whose Belay made the base: with others it is a stranger's."""
USES, HEALED_AFTER = 4, 2


@pytest.fixture
def filled(project):
    """The base of a project with some entries, closed."""
    with Store(project.workshop, os.environ, create=True) as store:
        store.add_many([NewEntry("note", text, {"tags": ["part"]}) for text in sorted(WORDS)])
    return project.workshop


def change(path, old, new):
    """Change bytes of the schema as a disk would: nobody is told."""
    data = Path(path).read_bytes()
    assert len(old) == len(new)
    assert old in data
    Path(path).write_bytes(data.replace(old, new, 1))


def use(path, told):
    with Store(path, os.environ, on_repair=told.append) as store:
        store.add("note", "short answers, please")
        return {entry.content for entry in entries.list_entries(store.connection, limit=-1)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"content       TEXT NOT NULL,", b"contant       TEXT NOT NULL,"),
        (b"CREATE INDEX entries_by_type ON entries (type", b"CREATE INDEX entries_by_type ON entries (tipe"),
        (b"USING fts5", b"USING fts7"),
        (b"DEFAULT 'active'", b"DEF\xff\xfeLT 'active'"),
        (b"status        TEXT", b"status        TEX-"),
    ],
)
def test_a_schema_that_changed_is_noticed_and_written_again(filled, repo, old, new):
    change(filled, old, new)
    (check,) = [row for row in answer(repo, "doctor", code=1)["checks"] if row["name"] == "knowledge"]
    assert check["level"] == "broken"
    assert "belay rebuild db" in check["mend"]

    told = []
    assert use(filled, told) >= WORDS
    assert "kept as workshop.db.damaged-" in told[0]
    assert repair.find_damage(filled) == ""
    assert [row["level"] for row in answer(repo, "doctor", code=1)["checks"] if row["name"] == "knowledge"] == ["ok"]


def test_no_command_says_try_again_for_ever(filled, repo):
    change(filled, b"content       TEXT NOT NULL,", b"contant       TEXT NOT NULL,")
    first, second = belay(repo, "search", "machine"), belay(repo, "search", "machine")
    assert "Traceback" not in first.stderr + second.stderr
    assert second.returncode == 0
    assert "Fact number" in second.stdout


def test_a_message_of_sqlite_that_is_no_text_is_damage(filled):
    change(filled, b"CREATE TRIGGER memory_texts_in", b"CREATE TRIGGER memory\xabtexts_in")
    told = []
    assert use(filled, told) >= WORDS
    assert "kept as workshop.db.damaged-" in told[0]


@pytest.mark.parametrize("version", [-1, 0, 1, database.VERSION + 1, 1 << 20])
def test_a_version_that_the_schema_denies_is_damage(filled, version):
    data = bytearray(Path(filled).read_bytes())
    data[60:64] = version.to_bytes(4, "big", signed=True)
    Path(filled).write_bytes(bytes(data))
    told = []
    assert use(filled, told) >= WORDS
    assert f"had version {version} and the schema of version {database.VERSION}" in told[0]


def test_a_base_of_a_version_before_is_no_damage(tmp_path):
    connection = sqlite3.connect(tmp_path / "old.db", isolation_level=None)
    database.migrate(connection, version=1)
    assert schema_check.find_difference(connection) == ""
    connection.close()


def test_a_base_without_full_text_search_is_sound(filled, monkeypatch):
    connection = sqlite3.connect(filled, isolation_level=None)
    for name in ("memory_fts", "memory_trigrams"):
        connection.execute(f"DROP TABLE {name}")
        connection.execute(f"CREATE TABLE {name} (title, text)")
    assert schema_check.find_difference(connection) == ""
    connection.close()


def flip(path, kept, rng):
    """Put the base back with one byte changed, most often of its schema; return which."""
    shutil.rmtree(os.path.dirname(path))
    shutil.copytree(kept, os.path.dirname(path))
    data = bytearray(Path(path).read_bytes())
    pages = sorted({at // PAGE for at in range(len(data)) if data.startswith(b"CREATE ", at)} | {0})
    page = rng.choice(pages) if rng.random() < 0.75 else rng.randrange(len(data) // PAGE)
    at = rng.choice([at for at in range(page * PAGE, page * PAGE + PAGE) if at not in WHOSE])
    data[at] ^= rng.randrange(1, 256)
    Path(path).write_bytes(bytes(data))
    return at


def check_flips(path, number, seed):
    """Flip so many bytes, one at a time: no use ends in anything but an answer or one line, and the last ones answer."""
    kept, rng = f"{os.path.dirname(path)}.kept", random.Random(seed)
    shutil.copytree(os.path.dirname(path), kept)
    for _ in range(number):
        at, told, failed = flip(path, kept, rng), [], []
        for turn in range(USES):
            try:
                found = use(path, told)
            except BelayError as error:
                failed.append(f"{turn}: {error}")
        assert len(failed) <= HEALED_AFTER, (at, failed)
        assert not failed or told, (at, failed)
        if len(found) <= len(WORDS):  # a byte of a row: only a check of everything sees it, as `belay doctor` makes one
            assert repair.find_damage(path), at
            told.append(repair.repair_base(path, os.environ))
            found = use(path, told)
        assert len(found) > len(WORDS), at
        assert not told or found >= WORDS, (at, told)


def test_any_byte_may_change(filled):
    check_flips(filled, 20, seed=12)


@pytest.mark.campaign
def test_five_hundred_bytes_may_change(filled, capsys):
    check_flips(filled, 500, seed=500)
    with capsys.disabled():
        print("\n500 bytes changed, one at a time: every entry of the ledger is there again")
