"""An index run killed with -9, again and again, is taken up where it was; two at once write what one would."""

import json
import os

import pytest
from faults import killing

from belay.knowledge.documents import documents
from belay.knowledge.store.store import Store

FILES, KILLS = 1500, 12


@pytest.fixture
def notes(tmp_path):
    """A folder of many small documents, old enough to be sure of."""
    folder = tmp_path / "notes"
    for at in range(FILES):
        path = folder / f"{at % 30:02d}" / f"{at}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# Note {at}\n\nThe number of this note is n{at}x.\n")
        os.utime(path, (1_700_000_000 + at,) * 2)
    return folder


def started(tmp_path, *args):
    return killing.start(tmp_path, "--db", "x.db", "index", "notes", "--json", *args)


def count(tmp_path):
    """Return how many files the base holds; the base must be whole, and files, sections and texts agree."""
    if not (tmp_path / "x.db").exists():
        return 0
    with Store(str(tmp_path / "x.db"), os.environ) as store:
        one = store.connection.execute
        assert one("PRAGMA integrity_check").fetchall() == [("ok",)]
        files, sections, texts, several = (
            one(sql).fetchone()[0]
            for sql in (
                "SELECT count(*) FROM memory_files",
                "SELECT count(*) FROM sections",
                "SELECT count(*) FROM memory_fts",
                "SELECT count(*) FROM (SELECT path FROM sections GROUP BY path HAVING count(*) > 1)",
            )
        )
        assert (sections, texts, several) == (files, files, 0)
        return files


def test_a_killed_run_is_taken_up(tmp_path, notes):
    command = ("index", "notes", "--json")
    step = killing.statements(tmp_path, "--db", "other.db", *command) // (KILLS + 1)
    before = 0
    for number in range(KILLS):
        killing.kill(tmp_path, "--db", "x.db", *command, fatal=step + number)
        now = count(tmp_path)
        assert now >= before
        before = now
    done = started(tmp_path)
    out, _ = done.communicate()

    assert 0 < before < FILES
    assert (done.returncode, count(tmp_path)) == (0, FILES)
    assert json.loads(out)["indexed"] == FILES - before


@pytest.mark.parametrize("fatal", [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
def test_a_run_killed_at_its_very_beginning_is_taken_up(tmp_path, notes, fatal):
    killing.kill(tmp_path, "--db", "x.db", "index", "notes", fatal=fatal)
    done = started(tmp_path)
    done.communicate()

    assert (done.returncode, count(tmp_path)) == (0, FILES)


def test_two_runs_at_once_do_no_harm(tmp_path, notes):
    runs = [started(tmp_path), started(tmp_path), started(tmp_path, "--all")]
    said = [run.communicate()[1] for run in runs]

    assert [(run.returncode, text) for run, text in zip(runs, said, strict=True)] == [(0, b"")] * 3
    assert count(tmp_path) == FILES


def test_a_writer_beside_a_run_writes_between_its_transactions(tmp_path, notes):
    Store(str(tmp_path / "x.db"), os.environ, create=True).close()
    run = started(tmp_path)
    seen, at = set(), 0
    with Store(str(tmp_path / "x.db"), os.environ) as store:
        while run.poll() is None or at < 20:
            store.add("note", f"The rate limit of partner {at} is {at * 7 + 3} requests")
            seen.add(len(documents.load_stamps(store.connection)))
            at += 1
        run.communicate()
        assert run.returncode == 0
        assert store.connection.execute("SELECT count(*) FROM entries").fetchone()[0] == at
        assert len(documents.load_stamps(store.connection)) == FILES

    assert seen - {0, FILES}, "every entry had to wait until the run was over"
