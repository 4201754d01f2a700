"""`workshop init`: makes the base, takes earlier ones over, says what it did, and may be called as often as one likes."""

import os
import subprocess
from pathlib import Path

import pytest
from commandline import answer, belay
from legacy import FILLED, rows, tree, vibe, workshop
from repos import git

from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store


def contents(project):
    with Store(project.workshop, os.environ) as store:
        return {entry.content for entry in entries.list_entries(store.connection, limit=-1)}


def test_it_is_made_once_at_the_root_and_git_ignores_it(project):
    deep = Path(project.at("pkg", "deep"))
    deep.mkdir(parents=True)
    first, again = answer(deep, "init"), answer(deep, "init")

    assert (first["path"], first["rule"], first["made"], first["ignored"]) == (
        project.workshop,
        7,
        True,
        True,
    )
    assert (again["path"], again["rule"], again["made"], again["adopted"]) == (project.workshop, 3, False, [])
    assert git(project.root, "status", "--porcelain", "-uall") == ""
    assert not os.path.exists(project.at(".workshop"))


def test_no_git_is_needed(tmp_path):
    folder = tmp_path / "plain"
    folder.mkdir()

    assert answer(folder, "init")["path"] == str(folder / ".claude" / "memory" / "workshop.db")


def test_a_legacy_one_is_taken_over_and_a_second_call_finds_nothing_more(project):
    old = project.at(".workshop", "workshop.db")
    workshop(old, {"1": "use SQLite"}, FILLED)
    told = answer(project.root, "init")
    (one,) = told["adopted"]

    assert (told["rule"], one["from"], one["tool"], one["entries"]) == (5, old, "claude-workshop", 6)
    assert rows(one["backup"]) == [("1", "use SQLite")]
    assert os.path.dirname(one["backup"]) == project.store
    assert "use SQLite" in contents(project)
    assert not os.path.exists(project.at(".workshop"))
    assert git(project.root, "status", "--porcelain", "-uall") == ""
    before = tree(project.store)
    assert answer(project.root, "init")["adopted"] == []
    assert tree(project.store) == before


@pytest.mark.parametrize("deep", [False, True])
def test_one_in_our_place_is_taken_over_there(project, deep):
    workshop(project.workshop, {"1": "use SQLite"}, wal=True)
    vibe(project.at(".claude-work", "memory", "workshop.db"), {"a.md": "the red harbour"})
    refused = belay(project.root, "recent") if deep else None
    told = answer(project.at(".claude") if deep else project.root, "init")

    assert [one["tool"] for one in told["adopted"]] == ["claude-workshop", "vibe-memory"]
    assert contents(project) == {"use SQLite"}
    if refused:
        assert "workshop init" in refused.stderr
    assert "is ready" in belay(project.root, "init").stdout


def test_one_that_is_open_elsewhere_is_waited_for_by_the_user(project):
    workshop(project.workshop, {"1": "use SQLite"})
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE');"
        "print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(["python3", "-c", code, project.workshop], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    done = belay(project.root, "init")
    holder.communicate(b"")

    assert (done.returncode, "is in use by another program" in done.stderr) == (1, True)
    assert answer(project.root, "init")["adopted"][0]["entries"] == 1


def test_a_damaged_legacy_one_is_named_and_left(project):
    old = Path(project.at(".workshop", "workshop.db"))
    old.parent.mkdir()
    old.write_text("no database")
    done = belay(project.root, "init")

    assert (done.returncode, "is not an SQLite database; it is left alone" in done.stderr) == (1, True)
    assert old.read_text() == "no database"


def test_a_named_file_is_made_where_it_is(tmp_path, home):
    done = belay(tmp_path, "--db", "notes.db", "init")

    assert done.stdout == f"{tmp_path / 'notes.db'} is made.\n"
    assert not (tmp_path / ".claude").exists()
