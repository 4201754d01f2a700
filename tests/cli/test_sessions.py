"""`belay sessions` and sessions in `belay search`: found by what was said, behind what was written down."""

import json
import os
import re
from pathlib import Path

import dialogues as talk
import pytest
from commandline import answer, belay
from schemas import check

from belay.core import paths, settings
from belay.knowledge.conversations import finding
from belay.knowledge.search.search import Hit
from belay.knowledge.store.store import Store

ONE, TWO = talk.NAMES
CAUSE = "The pool test fails now and then because two workers share one port."


@pytest.fixture
def told(project):
    """Two sessions, indexed with the project's documents."""
    Path(project.at("docs")).mkdir()
    Path(project.at("docs", "pool.md")).write_text("# Pool\n\nThe pool keeps eight workers.\n")
    rows = [talk.prompt("find out why the pool test is flaky"), *talk.edited(project.at("src/pool.py"))]
    talk.write(project, ONE, *rows, talk.answer(CAUSE), branch="fix/pool")
    later = {"time": "2026-03-02T10:00:00.500Z"}
    talk.write(project, TWO, talk.prompt("paint the door green", **later), talk.answer("It is green.", **later))
    index = answer(project.root, "index")
    assert (index["sessions"], index["dropped"]) == (2, 0)
    return project


def test_the_latest_sessions_with_what_takes_them_up_again(told):
    rows = answer(told.root, "sessions")["sessions"]

    assert [row["title"] for row in rows] == ["paint the door green", "find out why the pool test is flaky"]
    assert [row["resume"] for row in rows] == [f"claude --resume {TWO}", f"claude --resume {ONE}"]
    assert (rows[1]["branches"], rows[1]["files"], rows[1]["prompts"]) == (["fix/pool"], ["src/pool.py"], 1)
    text = belay(told.root, "sessions").stdout
    assert f"    claude --resume {ONE}\n" in text
    assert "2026-03-01" in text


def test_sessions_by_what_was_said(told):
    (row,) = answer(told.root, "sessions", "intermittent", "pool", "failure")["sessions"]

    assert row["id"] == ONE
    assert "two workers" in row["snippet"].replace(">>", "").replace("<<", "")
    assert belay(told.root, "sessions", "nonexistentword").stdout.startswith("No session fits.")


def test_sessions_by_branch_file_and_date(told):
    def ids(*options):
        return [row["id"] for row in answer(told.root, "sessions", *options)["sessions"]]

    assert ids("--branch", "fix/pool") == [ONE]
    assert ids("--file", "src/") == [ONE]
    assert ids("--file", "src/*.py", "pool") == [ONE]
    assert ids("--since", "2026-03-02") == [TWO]
    assert ids("--branch", "main", "pool") == []
    assert ids("-k", "1") == [TWO]


def test_one_conversation_as_it_was(told):
    said = answer(told.root, "sessions", "--show", ONE[:6])

    assert (said["id"], said["title"]) == (ONE, "find out why the pool test is flaky")
    assert said["lines"][1] == "User: find out why the pool test is flaky"
    assert f"Claude: {CAUSE}" in belay(told.root, "sessions", "--show", ONE).stdout
    assert answer(told.root, "sessions", "--show", "nothing", code=1)["error"]
    assert (
        belay(told.root, "session", ONE[:6], "--json").stdout
        == belay(told.root, "sessions", "--show", ONE, "--json").stdout
    )
    latest = answer(told.root, "sessions", "-n", "1")["sessions"][0]["id"]
    assert check("sessions", json.loads(belay(told.root, "session", "--json").stdout))["id"] == latest
    assert belay(told.root, "sessions", "--show", ONE, "words").returncode == 2


def test_a_session_that_the_client_deleted_is_shown_and_not_resumed(told):
    Path(paths.client_project(os.environ, told.home), f"{ONE}.jsonl").unlink()
    (row,) = answer(told.root, "sessions", "pool")["sessions"]

    assert row["resume"] == ""
    assert f"belay sessions --show {ONE[:8]}" in belay(told.root, "sessions", "pool").stdout


def test_a_session_of_another_folder_is_resumed_there(told, tmp_path):
    folder = Path(told.at("src"))
    folder.mkdir()
    (row,) = answer(folder, "sessions", "pool")["sessions"]

    assert row["resume"] == f"cd {told.root} && claude --resume {ONE}"


def test_search_names_sessions_behind_entries_and_better_documents(told):
    with Store(told.workshop, os.environ) as store:
        store.add("gotcha", "The pool test needs a free port")
    results = answer(told.root, "search", "pool test workers")["results"]

    assert [hit.get("type", "document") for hit in results] == ["gotcha", "session", "document"]
    assert results[1]["score"] > results[2]["score"]
    hit = results[1]
    assert (hit["id"], hit["path"], hit["branch"], hit["files"]) == (
        ONE,
        f"session:{ONE[:8]}",
        "fix/pool",
        ["src/pool.py"],
    )
    said = belay(told.root, "search", "pool test workers").stdout
    assert re.search(r"session:3f2a9c1e:2-\d+  2026-03-01 \d\d:\d\d · fix/pool · src/pool.py", said)


def test_a_session_stands_behind_the_first_result_and_all_better_ones():
    def hit(score, kind=""):
        return Hit(f"{score}{kind}", 1, 1, score, "", kind and "K-ABCDEF", kind)

    def said(score):
        return finding.SessionHit("session:a", 1, 1, score, "", "a", "session", "", "", "", "", ())

    hits = [hit(0.3), hit(0.29, "note"), hit(0.28), hit(0.1, "note"), hit(0.05)]
    merged = finding.merge(hits, [said(0.5), said(0.25), said(0.15)])

    assert [one for one in merged if isinstance(one, Hit)] == hits
    assert [one.score for one in merged] == [0.3, 0.29, 0.5, 0.28, 0.25, 0.1, 0.15, 0.05]
    assert finding.merge([], [said(0.5)]) == [said(0.5)]
    assert finding.merge(hits, []) == hits


def test_a_phrase_that_nobody_said_brings_no_session_beside_what_has_it(told):
    found = answer(told.root, "search", '"pool keeps eight workers"')["results"]
    alone = belay(told.root, "search", '"pool keeps eight workers"', "--type", "session").stdout

    assert [hit["path"] for hit in found] == ["docs/pool.md"]
    assert alone.startswith("Nothing has all that is quoted word for word")


def test_search_of_one_type(told):
    assert [hit["id"] for hit in answer(told.root, "search", "pool", "--type", "session")["results"]] == [ONE]
    assert [hit["path"] for hit in answer(told.root, "search", "pool", "--type", "document")["results"]] == [
        "docs/pool.md"
    ]
    both = answer(told.root, "search", "pool", "--type", "document", "--type", "sessions")["results"]
    assert [hit.get("type", "document") for hit in both] == ["document", "session"]
    assert answer(told.root, "search", "pool", "--type", "session", "--branch", "main")["results"] == []
    assert answer(told.root, "search", "pool", "--type", "session", "--until", "2026-02")["results"] == []


def test_sessions_change_nothing_in_front_of_them(told, tmp_path):
    words = ("pool", "the pool keeps workers", "port", "eight", "door green")
    with_sessions = [answer(told.root, "search", word)["results"] for word in words]
    Path(told.settings).write_text("search_sessions: false\n")
    settings.compile_settings(told, os.environ)
    assert answer(told.root, "index")["sessions"] == 0
    without = [answer(told.root, "search", word)["results"] for word in words]

    assert [[hit for hit in hits if hit.get("type") != "session"] for hits in with_sessions] == without
    assert "search_sessions" in belay(told.root, "sessions").stdout


def test_a_named_database_has_no_sessions(told, tmp_path):
    with Store(str(tmp_path / "notes.db"), os.environ, create=True) as store:
        store.add("note", "The pool is elsewhere")
    results = answer(told.root, "search", "pool", "--db", str(tmp_path / "notes.db"))["results"]

    assert [hit["type"] for hit in results] == ["note"]


def test_a_fork_tells_nothing_twice(project):
    rows = [talk.prompt("find out why the pool test is flaky"), talk.answer(CAUSE)]
    later = {"time": "2026-03-02T10:00:00.500Z"}
    talk.write(project, ONE, *rows)
    talk.write(project, TWO, *rows, talk.prompt("and the door, is it green?", **later), talk.answer("Yes.", **later))
    answer(project.root, "index")

    assert len(answer(project.root, "search", "pool workers", "--type", "session")["results"]) == 1
    assert len(answer(project.root, "sessions", "pool workers")["sessions"]) == 2


def test_hostile_names_stay_on_one_line(project):
    talk.write(
        project, "a b;rm -rf", talk.prompt("the pool\x1b[31m of doom is here"), *talk.edited(project.at("x\n\x1by.py")),
        talk.answer("Yes."), branch="evil\x1b]0;x\nbranch",
    )  # fmt: skip
    assert answer(project.root, "index")["sessions"] == 1
    shown = belay(project.root, "sessions").stdout + belay(project.root, "search", "pool").stdout

    assert "\x1b" not in shown
    assert "rm -rf" not in shown
    assert "claude --resume" not in shown
    (row,) = answer(project.root, "sessions")["sessions"]
    assert row["resume"] == ""


def test_nothing_is_kept_yet(project):
    assert answer(project.root, "sessions")["sessions"] == []
    assert "belay index" in belay(project.root, "sessions").stdout
    assert json.loads(belay(project.root, "sessions", "words", "--json").stdout)["kept"] == 0
