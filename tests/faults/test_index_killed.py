"""An index run killed with -9, again and again, is taken up where it was; two at once write what one would."""

import os
import signal
import subprocess
import sys
import time

import pytest
from commandline import RUN

from belay.core import paths
from belay.knowledge.documents import documents
from belay.knowledge.store.store import Store

FILES = 1500


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
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", RUN, "--db", "x.db", "index", "notes", "--json", *args]
    return subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


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
    before, kills = 0, 0
    for wait in range(12):
        run = started(tmp_path)
        time.sleep(0.12 + 0.05 * wait)
        run.send_signal(signal.SIGKILL)
        kills += run.wait() == -signal.SIGKILL
        run.communicate()
        now = count(tmp_path)
        assert now >= before
        before = now
    done = started(tmp_path)
    done.communicate()

    assert kills >= 2
    assert (done.returncode, count(tmp_path)) == (0, FILES)


def test_two_runs_at_once_do_no_harm(tmp_path, notes):
    runs = [started(tmp_path), started(tmp_path), started(tmp_path, "--all")]
    said = [run.communicate()[1] for run in runs]

    assert [(run.returncode, text) for run, text in zip(runs, said, strict=True)] == [(0, b"")] * 3
    assert count(tmp_path) == FILES


def test_a_writer_beside_a_run_is_not_kept_waiting(tmp_path, notes):
    Store(str(tmp_path / "x.db"), os.environ, create=True).close()
    run = started(tmp_path)
    longest = 0.0
    with Store(str(tmp_path / "x.db"), os.environ) as store:
        for at in range(20):
            begun = time.monotonic()
            store.add("note", f"The rate limit of partner {at} is {at * 7 + 3} requests")
            longest = max(longest, time.monotonic() - begun)
            time.sleep(0.02)
        run.communicate()
        assert run.returncode == 0
        assert store.connection.execute("SELECT count(*) FROM entries").fetchone()[0] == 20
        assert len(documents.stamps(store.connection)) == FILES

    assert longest < 5.0
