"""Transient files: a session's end takes its own, age and death the others, and nothing goes while its owner lives."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from doors import run, said
from repos import repository

from belay.client.event import Event
from belay.consolidate import session as consolidate_session
from belay.consolidate import sweep
from belay.core import clock, paths
from belay.session import binding
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000001"
DEAD = "4999999.1"
LONG_AGO = time.time() - 8 * clock.DAY


def begin(project, name=NAME, client=""):
    session = Session(project, name, os.environ)
    place = session.place()
    session.log("start", source="startup", model="", **{**place, "client": client or place["client"]})
    return session


def note(name, root, client, at=None):
    path = Event({"session_id": name, "cwd": "/"}, os.environ).binding_file
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(client.encode() + b"\n" + os.fsencode(root))
    if at:
        os.utime(path, (at, at))
    return path


def put(path, at=None):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("{}")
    if at:
        os.utime(path, (at, at))
    return path


def figures(name, at=None):
    return [put(paths.mirror(os.environ, name), at), put(paths.sidecar(os.environ, name), at)]


def listed(project, *sessions, **options):
    return sorted(sweep.list_transient(project, os.environ, [*sessions], **options))


def test_a_session_that_ended_takes_its_own_along(project):
    session = begin(project)
    own = figures(NAME)
    held = note(NAME, project.root, session.state["client"])
    assert listed(project, session) == []

    session.log("end", reason="other")

    assert listed(project, session) == sorted(own)
    assert os.path.exists(held)


def test_a_cleared_session_is_over_though_its_client_lives(project):
    old, new = begin(project), begin(project, "5e551011-after-clear")
    own, others = figures(NAME), figures(new.name)
    old.log("end", reason="clear")

    assert sweep.remove_transient(project, os.environ, [old, new]) == len(own)
    assert all(map(os.path.exists, others))


def test_what_is_old_stays_while_its_owner_lives(project):
    session = begin(project)
    figures(NAME, LONG_AGO)
    put(os.path.join(project.states, f"wrap-up-{NAME}"), LONG_AGO)
    put(project.own_lines(clock.local_date(session.state["started"])), LONG_AGO)
    note(NAME, project.root, session.state["client"], LONG_AGO)

    assert listed(project, session) == []


def test_the_same_goes_when_the_owner_is_dead(project):
    session = begin(project, client=DEAD)
    day = clock.local_date(session.state["started"])
    old = [
        *figures(NAME, LONG_AGO), put(os.path.join(project.states, f"wrap-up-{NAME}"), LONG_AGO),
        put(project.own_lines(day), LONG_AGO), note(NAME, project.root, DEAD, LONG_AGO),
    ]  # fmt: skip

    assert listed(project, session) == sorted(old)


def test_another_projects_session_is_known_by_its_note(project, tmp_path):
    """Only the client's process of that note tells whether it lives."""
    other = repository(tmp_path / "other")
    living = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        with open(f"/proc/{living.pid}/stat", "rb") as file:
            start = file.read().rpartition(b")")[2].split()[19].decode()
        kept = figures("alive-elsewhere", LONG_AGO)
        held = note("alive-elsewhere", other, f"{living.pid}.{start}", LONG_AGO)
        dead = figures("dead-elsewhere")
        recent = note("dead-elsewhere", other, DEAD)

        assert listed(project) == sorted(dead)
        assert all(map(os.path.exists, [*kept, held, recent]))
    finally:
        living.communicate(b"\n")
    assert listed(project) == sorted([*dead, *kept, held])


def test_figures_of_an_unknown_session_go_by_age(project):
    old, new = figures("unknown-old", LONG_AGO), figures("unknown-new")

    assert listed(project) == sorted(old)
    assert listed(project, by_age=False) == []
    assert all(map(os.path.exists, new))


def test_a_state_without_a_journal_goes_and_everything_else_stays(project):
    session = begin(project)
    session.save()
    orphan = project.state("5e551011-gone")
    lost = Session(project, "5e551011-gone", os.environ)
    lost.log("end", reason="other")
    lost.save()
    os.unlink(project.journal(lost.name))
    others = [put(os.path.join(project.states, name)) for name in ("settings.json", "heard.json", "x.json", "health")]
    for path in (orphan, project.state(NAME), *others):
        os.utime(path, (LONG_AGO, LONG_AGO))

    assert listed(project, session) == [orphan]


@pytest.mark.parametrize("goes_on", [False, True])
def test_the_end_of_a_real_session_sweeps_and_a_resume_still_finds_its_project(repo, project, tmp_path, goes_on):
    said(run("session_start", repo, source="startup"))
    said(run("user_prompt_submit", repo, prompt="No, use port 5433 for staging, not 5432."))
    session = Event({"session_id": "11111111-2222-4333-8444-555555555555", "cwd": str(repo)}, os.environ)
    own = figures(session.session)

    run("session_end", repo, reason="other")
    waited = time.monotonic() + 20
    while any(map(os.path.exists, own)) and time.monotonic() < waited:
        time.sleep(0.05)
    if goes_on:
        said(run("session_start", repository(tmp_path / "other"), source="resume"))

    assert not any(map(os.path.exists, own))
    assert binding.read_owner(os.environ, session.session)
    kinds = [row["kind"] for row in Session(project, session.session, os.environ).own_records()]
    assert ("start" in kinds[1:]) == goes_on


def test_one_run_counts_what_it_swept(project):
    session = begin(project)
    figures(NAME)
    session.log("end", reason="other")

    assert consolidate_session.run(project, os.environ)["dropped"] == 2
    assert consolidate_session.run(project, os.environ)["dropped"] == 0
