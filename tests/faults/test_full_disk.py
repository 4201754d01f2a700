"""The disk is full for all that follows a session's end: the consolidator gives up soon, the next start says so."""

import errno
import os
import time
from pathlib import Path

import doors
from faults.test_injected import library, needs_compiler
from repos import repository

from belay.context.start import texts
from belay.core import clock, lock
from belay.repository import projects
from belay.session.session import Session

__all__ = ["library"]


def start(repo, session, environ, seconds=0.0):
    """Start a session so much later; return what the person is told."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(time.time() + seconds))
    later = {**environ, "BELAY_TEST": "1", "BELAY_NOW": stamp}
    return doors.said(doors.run("session_start", repo, session=session, environ=later, source="startup"))[1]


def wait_until_folded(project, environ):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if Session(project, doors.SESSION, environ).state["folded"]:
            return True
        time.sleep(0.2)
    return False


@needs_compiler
def test_what_a_full_disk_stopped_is_said_once_and_taken_up(tmp_path, library):
    place = tmp_path / "place"
    repo = repository(place / "repo")
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(128))
    home = place / "home"
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "share"), "CLAUDE_CONFIG_DIR": str(home / ".claude")}
    environ = {**os.environ, **own}
    injected = {
        **own, "LD_PRELOAD": str(library), "BELAY_FAULTS": str(counts), "BELAY_ROOTS": str(place),
        "BELAY_FAULT": f"0 2 1 {errno.ENOSPC} 1",
    }  # fmt: skip
    doors.run("session_start", repo, environ=own, source="startup")
    context, _ = doors.said(doors.run("user_prompt_submit", repo, environ=own, prompt=doors.CORRECTION))
    assert "Recorded C-" in context
    begun = time.monotonic()
    doors.said(doors.run("session_end", repo, environ=injected, reason="other"))
    project = projects.find(str(repo), environ)
    path = Path(project.states, "consolidate.lock")
    while not path.exists() and time.monotonic() - begun < 3:
        time.sleep(0.05)
    with lock.hold(str(path), deadline=10):
        assert time.monotonic() - begun < 10

    assert not Session(project, doors.SESSION, environ).state["folded"]
    assert texts.TAKEN_UP in start(repo, "later", own, seconds=120)
    assert wait_until_folded(project, environ)
    assert texts.TAKEN_UP not in start(repo, "again", own, seconds=240)


def test_a_session_that_ended_well_is_not_called_broken_off(repo, project):
    doors.run("session_start", repo, source="startup")
    doors.run("user_prompt_submit", repo, prompt=doors.CORRECTION)
    doors.run("session_end", repo, reason="other")

    assert wait_until_folded(project, os.environ)
    assert texts.TAKEN_UP not in start(repo, "later", {}, seconds=2 * clock.DAY)
