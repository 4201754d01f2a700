"""What goes by its age, and what a wrong clock or a writer that is alive keeps."""

import os
import time
from pathlib import Path

import pytest
from repos import git

from belay.consolidate import retention
from belay.consolidate import session as consolidate_session
from belay.core import clock, paths
from belay.knowledge.conversations import step
from belay.session import journal
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000001"
GONE = 4_999_999
"""No process has this number: the kernel's limit is 4,194,304 (proc(5))."""
YEAR = 365 * clock.DAY


def leave(path, pid=GONE, seconds=3600):
    """Leave a half-written file behind."""
    path = Path(f"{path}.{pid}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("half")
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def begin(project):
    session = Session(project, NAME, os.environ)
    session.log("start", **session.place())
    return session


def sweep(project):
    return retention.remove_old_files(project, os.environ)


def test_what_killed_writers_left_is_swept_wherever_belay_writes(project, repo):
    data = Path(paths.data_home(os.environ))
    left = [
        leave(repo / "CONTINUATION.md"),
        leave(Path(project.buffer)),
        leave(Path(project.states) / "lock"),
        leave(Path(project.stored("workshop.db"))),
        leave(Path(project.stored("undo", "memory", "a.json"))),
        leave(Path(project.overlays) / "side-12.md"),
        leave(data / "key"),
        leave(data / "mirror" / "a.json"),
        leave(Path(project.exclude)),
        leave(Path(project.state("b")), seconds=-YEAR),
    ]
    theirs = [
        repo / "notes.tmp",
        repo / "a.md.tmp",
        repo / "data.77.tmp",
        repo / f"a.md.{10**30}.tmp",
        repo / "x.md.²²².tmp",
    ]
    for path in theirs:
        path.write_text("x")
        os.utime(path, (time.time() - 7200,) * 2)
    git(repo, "add", "-A")

    assert sweep(project) == len(left)
    assert [path for path in (*left, *theirs) if path.exists()] == theirs


def test_a_writer_that_is_alive_or_was_lately_keeps_its_file(project, repo):
    kept = [leave(repo / "MEMORY.md", pid=os.getpid()), leave(repo / "CONTINUATION.md", seconds=30)]

    assert sweep(project) == 0
    assert all(path.exists() for path in kept)


def test_nothing_behind_a_link_is_swept(project, tmp_path):
    begin(project)
    outside = leave(tmp_path / "outside" / "a.json")
    os.symlink(tmp_path / "outside", project.stored("undo"))

    assert sweep(project) == 0
    assert outside.exists()


@pytest.fixture
def wait(monkeypatch):
    """Set the system's clock so many seconds off."""
    real = time.time

    def set_off(seconds):
        monkeypatch.setattr(time, "time", lambda: real() + seconds)

    return set_off


def end(project):
    """End a session of today as it always ends."""
    session = begin(project)
    session.log(
        "capture", id="C-AAAAAA", classes={"decision": 1.0}, text="tabs, not spaces", origin="typed", branch="main"
    )
    session.log("end", reason="other")
    consolidate_session.run(project, os.environ)
    return Path(project.journal(NAME)).read_bytes()


@pytest.mark.parametrize("off", [73 * YEAR, 5 * YEAR, -20 * YEAR, -56 * YEAR])
def test_a_clock_that_jumps_by_years_and_back_costs_nothing(project, wait, off):
    before = end(project)
    for seconds in (off, off + 3600, 0, 3600, 2 * clock.DAY):
        wait(seconds)
        consolidate_session.run(project, os.environ)
        assert Path(project.journal(NAME)).read_bytes() == before
        assert list(Session(project, NAME, os.environ).state["captures"]) == ["C-AAAAAA"]


def test_what_was_recorded_in_the_wrong_year_is_kept(project, wait):
    wait(73 * YEAR)
    before = end(project)
    for day in range(0, 80, 10):
        wait(day * clock.DAY)
        consolidate_session.run(project, os.environ)
        assert Path(project.journal(NAME)).read_bytes().startswith(before)


def test_a_clock_that_goes_on_lets_old_journals_go(project, wait):
    end(project)
    for day in range(0, 120, 5):
        wait(day * clock.DAY)
        consolidate_session.run(project, os.environ)

    assert journal.list_segments(project.journal(NAME)) == []


def test_after_a_long_leave_it_takes_a_week(project, wait):
    end(project)
    left = []
    for day in (400, 402, 408):
        wait(day * clock.DAY)
        consolidate_session.run(project, os.environ)
        left.append(len(journal.list_segments(project.journal(NAME))))

    assert left == [1, 1, 0]


def test_a_clock_file_that_cannot_be_written_or_read_keeps_everything(project):
    begin(project)
    path = Path(project.states, "clock")
    path.mkdir(parents=True)
    assert not clock.is_settled(project.states)
    path.rmdir()
    path.write_text("nonsense")
    assert clock.is_settled(project.states)


def test_conversations_do_not_go_by_a_wrong_clock(project, wait, monkeypatch):
    asked = []
    monkeypatch.setattr(step, "keep_limits", lambda kept, by_age: asked.append(by_age) or 0)
    end(project)
    wait(73 * YEAR)
    consolidate_session.run(project, os.environ)

    assert asked[-1] is False
    assert asked[0] is True
