"""Snapshots of sessions: what they say, when they are taken, and that there are none without consent."""

import json
import os

import sessions
from commandline import belay
from repos import git

from belay.consolidate import session as consolidate_session
from belay.repository.notes import consent, store
from belay.session.snapshots import breadcrumbs


def read(project):
    return store.read_breadcrumbs(project, os.environ)[0]


def test_the_end_of_a_session_leaves_one_breadcrumb_with_consent(project):
    consent.switch_on(project, os.environ)
    session = sessions.start(project)
    session.log("end", reason="other")

    consolidate_session.run(project, os.environ)
    consolidate_session.run(project, os.environ)

    [row] = read(project)
    assert (row["kind"], row["task"], row["own"]) == ("end", "rotate the refresh tokens", True)
    assert row["decisions"] == ["let's go with SQLite storage"]
    assert row["counts"]["edits"] == 1
    assert (row["branch"], row["head"]) == ("main", git(project.root, "rev-parse", "HEAD"))


def test_without_consent_and_for_what_was_before_nothing_is_written(project):
    session = sessions.start(project)
    session.log("end", reason="other")
    consolidate_session.run(project, os.environ)
    before = store.find_tip(project)
    consent.switch_on(project, os.environ)
    consolidate_session.run(project, os.environ)

    assert (before, store.find_tip(project)) == ("", "")


def test_a_compaction_and_the_end_leave_two(project):
    consent.switch_on(project, os.environ)
    session = sessions.start(project)
    session.log("compact", trigger="auto")
    breadcrumbs.take_due(project, os.environ, [session])
    session.log("end", reason="other")
    breadcrumbs.take_due(project, os.environ, [sessions.again(session)])

    assert [row["kind"] for row in read(project)] == ["end", "compaction"]


def test_a_wrap_up_offers_notes_once_and_then_keeps_its_decisions(project, repo):
    sessions.start(project)
    first = belay(repo, "wrap-up", "--apply", stdin=sessions.DOCUMENT).stdout
    again = belay(repo, "wrap-up", "--apply", stdin=sessions.DOCUMENT.replace("Rotated", "Moved")).stdout
    belay(repo, "notes", "on")
    last = belay(repo, "wrap-up", "--apply", stdin=sessions.DOCUMENT.replace("Rotated", "Turned"))
    rows = json.loads(belay(repo, "notes", "log", "--json").stdout)["breadcrumbs"]

    assert breadcrumbs.OFFER in first
    assert "belay notes on" not in again
    assert last.returncode == 0, last.stderr
    assert [row["kind"] for row in rows] == ["wrap-up"]
    assert rows[0]["next"] == "add the TTL in file.txt:1"
    assert rows[0]["decisions"][0] == "SQLite for storage"
