"""`belay status`: from any folder, in any kind of project."""

import json
import os

import pytest
from click.testing import CliRunner
from sayings import session, settle
from schemas import check

from belay.cli.main import belay
from belay.memory.health import cached_score
from belay.session import journal

KEYS = ["project", "branch", "head", "git", "memory",
        "elsewhere", "health", "session", "captures", "waiting", "continuation", "checks", "budget",
        "environment", "trust", "off"]  # fmt: skip


def status():
    done = CliRunner().invoke(belay, ["status", "--json"])
    assert done.exit_code == 0, done.output
    return check("status", json.loads(done.output))


def test_a_new_project_has_nothing_yet(repo, monkeypatch):
    monkeypatch.chdir(repo)
    data = status()

    assert list(data) == KEYS
    assert (data["project"], data["branch"], data["session"], data["captures"]) == (
        str(repo),
        "main",
        None,
        [],
    )
    assert data["continuation"] == {"waiting": False, "title": None, "path": None}
    assert data["environment"] == {"state": "absent", "why": None, "mend": "belay setup"}
    assert not (repo / ".claude").exists(), "asking creates nothing"


def test_a_project_at_work_from_a_subfolder(repo, project, monkeypatch):
    from belay.session.session import Session

    own = Session(project, "abc", os.environ)
    own.log("start", **own.place())
    own.log("prompt", text="fix the cart", task="fix the cart")
    assert not own.trouble
    (repo / "sub").mkdir()
    monkeypatch.chdir(repo / "sub")

    data = status()
    assert data["session"]["id"] == "abc"
    assert data["session"]["task"] == "fix the cart"
    assert data["session"]["status"] == "in progress"
    assert data["session"]["next"] == "Finish the last request: “fix the cart”"
    assert journal.list_sessions(project.journals) == ["abc"]
    said = CliRunner().invoke(belay, ["status"]).output
    assert "Task          fix the cart" in said
    assert "(main)" in said
    assert "abc, 1 prompt\n" in said


def test_the_memorys_last_score(repo, project, monkeypatch):
    monkeypatch.chdir(repo)
    assert status()["health"] is None

    os.makedirs(project.states)
    cached_score.save_score(project, 7, "0" * 64)

    assert status()["health"] == 7
    assert "Health        7/10" in CliRunner().invoke(belay, ["status"]).output
    assert "captures, health" in CliRunner().invoke(belay, ["statusline", "--help"]).output


def test_captures_that_wait_are_counted_and_those_that_are_entries_are_not_open(repo, project, monkeypatch):
    monkeypatch.chdir(repo)
    session(project, "s-1", ("note", "Remember this: the gateway rounds half up", "asked"))
    settle(project)
    data = status()
    assert (data["captures"], data["waiting"]) == ([], 0)
    assert "Captures      0 open\n" in CliRunner().invoke(belay, ["status"]).output

    (name,) = session(project, "s-2", ("decision", "drop the cache"))
    data = status()
    assert ([row["id"] for row in data["captures"]], data["waiting"]) == ([name], 1)
    assert "Captures      1 open\n" in CliRunner().invoke(belay, ["status"]).output


@pytest.mark.parametrize("place", ["plain", "home"])
def test_without_git_and_in_home(tmp_path, home, monkeypatch, place):
    folder = home if place == "home" else tmp_path / "plain"
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(belay, ["status", "--json"])

    if place == "home":
        assert (done.exit_code, json.loads(done.output)["error"]["mend"]) == (1, "cd into a project")
    else:
        assert json.loads(done.output)["git"] is False
