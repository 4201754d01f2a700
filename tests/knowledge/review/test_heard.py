"""What was said once is known at once, ranked below what is confirmed, and confirmed or retired by what is said later."""

import json
import os
import shutil
from pathlib import Path

import doors
import pytest
from commandline import answer, belay
from mcpserver import Server
from repos import git
from sayings import session, sessions, settle

from belay.core import clock
from belay.knowledge.entries import entries, states
from belay.knowledge.review import fresh_captures, promotion
from belay.knowledge.store import rebuild
from belay.knowledge.store.store import Store
from belay.repository import projects

CHOICE = "Let's go with SQLite because it is one file and needs no server"


def listed(project, *status):
    with Store(project.workshop, os.environ) as store:
        return entries.list_entries(store.connection, status=status or entries.CURRENT, limit=-1)[::-1]


def take_in(project):
    return promotion.take_in(project, os.environ)


def said_once(seen=1):
    return states.describe(states.HEARD, clock.now(), seen)


def test_typed_and_killed_it_is_found_at_once_and_twelve_sessions_later(repo, project):
    doors.said(doors.run("session_start", repo, source="startup"))
    doors.said(doors.run("user_prompt_submit", repo, prompt=CHOICE, prompt_id="p-1"))  # no end: killed

    assert not os.path.exists(project.workshop)
    shown = belay(repo, "why", "sqlite").stdout.splitlines()
    assert shown[0].endswith(f"Let's go with SQLite [{said_once()}]")
    assert shown[1] == "  reason  it is one file and needs no server"

    for number in range(12):
        session(project, f"s-{number}", ("decision", f"the page of topic {number} gets a table of its own"))
        settle(project)
    for asked in ("postgres", "Why not Postgres?"):
        (decision, *_) = answer(repo, "why", asked)["decisions"]
        assert (decision["content"], decision["status"]) == ("Let's go with SQLite", "heard")


def test_every_reader_finds_what_was_just_said(repo, project):
    doors.said(doors.run("session_start", repo, source="startup"))
    doors.said(doors.run("user_prompt_submit", repo, prompt=CHOICE, prompt_id="p-1"))
    (hit,) = answer(repo, "search", "sqlite")["results"]
    assert hit["snippet"].startswith(f"[{said_once()}] ")
    (row,) = answer(repo, "recent")["entries"]
    assert (row["status"], row["reasoning"]) == ("heard", "it is one file and needs no server")
    assert said_once() in belay(repo, "recent").stdout

    told = "Always run the linter before you push to main."
    doors.said(doors.run("user_prompt_submit", repo, prompt=told, prompt_id="p-2"))
    with Server(repo) as server:
        (found,) = json.loads(server.text("memory_search", query="linter before push"))["results"]
        assert said_once() in found["snippet"]
        assert f"Status: {said_once()}" in server.text("memory_read", id=found["id"])
    assert said_once() in belay(repo, "export", "--markdown", "-").stdout


def test_reading_again_takes_in_nothing_and_makes_nothing(repo, project):
    assert take_in(project) == 0
    assert not os.path.exists(project.store)
    session(project, "s-1", ("decision", "SQLite for storage"), end=False)
    assert fresh_captures.has_news(project)
    assert take_in(project) == 1
    assert (fresh_captures.has_news(project), take_in(project)) == (False, 0)
    session(project, "s-1", end=False)  # prompts alone are no news
    assert not fresh_captures.has_news(project)
    session(project, "s-1", ("decision", "pnpm for packages"), end=False)
    assert take_in(project) == 1
    assert promotion.run_step(project, os.environ, sessions(project)) == 0
    assert len(listed(project)) == 2


def test_a_lock_that_is_held_keeps_no_reader_waiting_for_long(project):
    session(project, "s-1", ("decision", "SQLite for storage"))
    with promotion.promotion_lock(project):
        assert promotion.take_in(project, os.environ, wait=0.05) == 0
    assert take_in(project) == 1


def test_a_confirmed_entry_comes_before_one_that_was_heard(repo, project):
    session(project, "s-1", ("note", "the kettle has a red lid"))
    with Store(project.workshop, os.environ, create=True) as store:
        known = store.add("note", "the kettle has a grey lid")
    first, second = answer(repo, "search", "kettle lid")["results"]

    assert (first["id"], first["score"] > second["score"]) == (known.id, True)


@pytest.mark.parametrize("way", ["remember", "memory_record", "decision", "review", "edit", "said again"])
def test_it_is_confirmed(repo, project, way):
    ids = session(project, "s-1", ("decision", "use Fastify for the gateway"))
    take_in(project)
    (heard,) = listed(project, "heard")
    if way == "remember":
        assert belay(repo, "remember", "--as", "decision", "Use Fastify for the gateway").returncode == 0
        take_in(project)
    elif way == "memory_record":
        with Server(repo) as server:
            server.text("memory_record", type="decision", content="Use Fastify for the gateway")
    elif way == "decision":
        belay(repo, "decision", "Use Fastify for the gateway", "-r", "it is fast")
    elif way == "review":
        belay(repo, "review", "--accept", *ids)
    elif way == "edit":
        belay(repo, "edit", heard.id, "-r", "it is fast")
    else:
        session(project, "s-2", ("decision", "As I said, go with Fastify."))
        take_in(project)

    def standing():
        return [(one.id, one.status) for one in listed(project, *states.CURRENT, "superseded")]

    assert standing() == [(heard.id, "active")]
    with Store(project.workshop, os.environ) as store:
        rebuild.rewrite_base(store)
    assert standing() == [(heard.id, "active")]


def test_a_recall_that_was_used_confirms_it(repo, project):
    session(project, "s-1", ("decision", "the gateway rounds refunds half up"))
    settle(project)
    (heard,) = listed(project, "heard")
    with Store(project.workshop, os.environ) as store:
        counts = {"recalled": 1, "used": 0, "helpful": 0, "harmful": 0, "tokens": 9}
        store.append({"kind": "entry-count", "of": "s-2", "counts": {heard.id: counts}})
        assert promotion.confirm_used(project, os.environ) == 0
        used = {**counts, "used": 1, "helpful": 1}
        store.append({"kind": "entry-count", "of": "s-3", "counts": {heard.id: used}})
    assert promotion.confirm_used(project, os.environ) == 1
    assert [one.status for one in listed(project)] == ["active"]


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("use Fastify", "Not Fastify, Express"),
        ("Let's go with SQLite because it is one file", "use MySQL after all"),
        ("Let's go with SQLite", "use MySQL instead of SQLite"),
        ("Let's go with npm", "switch to pnpm"),
        ("the upload limit is 200 MB", "the upload limit is 500 MB"),
        ("use tabs", "no tabs"),
    ],
)
def test_what_is_contradicted_later_is_retired_with_its_successor(repo, project, before, later):
    session(project, "s-1", ("decision", before))
    take_in(project)
    session(project, "s-2", ("decision", later))
    take_in(project)

    (old,), (new,) = listed(project, "superseded"), listed(project)
    assert old.superseded_by == new.id
    assert belay(repo, "show", old.id).stdout.startswith(f"{old.id}  decision  superseded by {new.id}")
    session(project, "s-3", ("decision", before))
    take_in(project)
    assert [one.id for one in listed(project)] == [old.id]  # said again, it holds again


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("use Redis for caching", "don't use Redis for sessions"),
        ("use SQLite for the tests", "use MySQL after all"),
        ("Let's go with SQLite", "use Redis after all"),
        ("use tabs", "don't use tabs in YAML"),
        ("phase 1 needs tests", "phase 2 needs tests"),
        ("use the blue button on the page", "No, use the red button on the page"),
        ("support Python 3.10", "support Python 3.11"),
        ("Let's go with SQLite", "the export is not SQLite but CSV"),
        ("the upload limit is 200 MB", "the download limit is 500 MB"),
    ],
)
def test_two_facts_about_different_things_never_retire_each_other(project, before, later):
    session(project, "s-1", ("decision", before))
    session(project, "s-2", ("decision", later))
    take_in(project)

    assert {one.content for one in listed(project)} == {before, later}


def test_of_two_that_it_could_mean_none_is_retired(project):
    session(project, "s-1", ("decision", "Let's go with SQLite"), ("decision", "we take MongoDB"))
    session(project, "s-2", ("decision", "use MySQL after all"))
    take_in(project)

    assert len(listed(project)) == 3


def test_what_somebody_recorded_is_not_retired_by_a_sentence(repo, project):
    belay(repo, "decision", "Use Fastify", "-r", "it is fast")
    session(project, "s-1", ("decision", "Not Fastify, Express"))
    take_in(project)

    assert {one.content: one.status for one in listed(project)} == {
        "Use Fastify": "active",
        "Not Fastify, Express": "heard",
    }


def test_a_recorded_decision_retires_what_was_heard_and_says_so(repo, project):
    session(project, "s-1", ("decision", "use Fastify"))
    told = belay(repo, "decision", "Express instead of Fastify").stdout
    (old,) = listed(project, "superseded")

    assert f"It replaces {old.id} “use Fastify”." in told
    session(project, "s-2", ("preference", "the staging port is 5432"))
    with Server(repo) as server:
        recorded = server.text("memory_record", type="note", content="The staging port is 5433")
        assert "It replaces K-" in recorded
        assert "“the staging port is 5432”" in recorded
    assert len(listed(project, "superseded")) == 2


def test_forgotten_or_turned_down_it_stays_so(repo, project):
    _, second = session(project, "s-1", ("decision", "use Fastify for it"), ("decision", "pnpm for packages"))
    take_in(project)
    (fastify,) = (one for one in listed(project) if "Fastify" in one.content)
    belay(repo, "forget", fastify.id)
    belay(repo, "review", "--reject", second)
    shutil.rmtree(project.states)
    session(project, "s-2", ("decision", "use Fastify for it"), ("decision", "Pnpm for packages"))
    take_in(project)
    assert listed(project) == []
    belay(repo, "review", "--undo")
    assert [(one.content, one.status) for one in listed(project)] == [("pnpm for packages", "heard")]


def test_captures_of_earlier_days_are_taken_in_once(project):
    for number in range(3):
        session(project, f"s-{number}", ("decision", f"room {number} has a table of its own"))
    settle(project)
    for name in os.listdir(project.journals):
        if not name.startswith("ledger"):
            os.unlink(os.path.join(project.journals, name))
    records = (project.ledger, project.workshop, os.path.join(project.states, "heard.json"))
    lines = Path(records[0]).read_bytes().splitlines(keepends=True)
    Path(records[0]).write_bytes(b"".join(line for line in lines if b'"kind":"entry"' not in line))
    for path in records[1:]:
        os.unlink(path)  # as an older version left it: captures in the ledger, no entry of them

    assert promotion.run_step(project, os.environ, []) == 3
    assert promotion.run_step(project, os.environ, []) == 0
    assert [one.status for one in listed(project)] == ["heard"] * 3


def test_of_a_long_past_a_reader_takes_in_the_newest_and_the_consolidator_the_rest(project):
    for number in range(promotion.READER_SESSIONS + 3):
        session(project, f"s-{number}", ("decision", f"room {number} has a table of its own"))
    assert take_in(project) == promotion.READER_SESSIONS
    assert take_in(project) == 0
    assert promotion.run_step(project, os.environ, sessions(project)) == 3
    assert not fresh_captures.has_news(project)


def test_captures_of_a_clone_are_not_believed(repo, project, tmp_path, monkeypatch):
    session(project, "s-1", ("decision", "use Fastify for it"))
    settle(project)
    git(repo, "add", "-Af", ".")
    git(repo, "commit", "-qm", "all of it")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another user"))
    clone = projects.find(str(tmp_path / "clone"), os.environ)
    shutil.rmtree(clone.states, ignore_errors=True)
    os.unlink(clone.workshop) if os.path.exists(clone.workshop) else None

    assert take_in(clone) == 0
    assert "Fastify" not in belay(tmp_path / "clone", "why", "fastify").stdout
