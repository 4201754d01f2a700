"""`belay trust` through the command line's own face."""

import json

import pytest
from click.testing import CliRunner
from repos import git
from schemas import check

from belay.cli.main import belay


def call(*args):
    done = CliRunner().invoke(belay, ["trust", "--json", *args])
    return done.exit_code, check("trust", json.loads(done.output))


@pytest.fixture
def clone(repo, tmp_path, monkeypatch):
    (repo / "MEMORY.md").write_text("theirs\n")
    (repo / "tasks").mkdir()
    (repo / "tasks" / "todo.md").write_text("- [ ] theirs\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def test_accept_one_then_all_then_list_and_revoke(clone, monkeypatch):
    assert call() == (
        0,
        {
            "accepted": [],
            "revoked": [],
            "unknown": ["MEMORY.md", "tasks/todo.md"],
            "refused": [],
            "trusted": [],
        },
    )
    monkeypatch.chdir(clone / "tasks")
    code, data = call("todo.md")
    assert (code, data["accepted"], data["unknown"]) == (0, ["tasks/todo.md"], ["MEMORY.md"])
    assert call("--all")[1]["accepted"] == ["MEMORY.md"]
    assert [(row["path"], row["how"]) for row in call("--list")[1]["trusted"]] == [
        ("MEMORY.md", "accepted"),
        ("tasks/todo.md", "accepted"),
    ]
    assert call("--revoke", "todo.md")[1]["revoked"] == ["tasks/todo.md"]
    code, data = call("--revoke", "todo.md")
    assert (code, data["unknown"]) == (1, ["tasks/todo.md"])


def test_what_cannot_be_accepted_is_said(clone, tmp_path):
    (tmp_path / "outside.md").write_text("x")
    (clone / "conflict.md").write_text("<<<<<<< HEAD\n")

    assert call("missing.md")[1]["error"]["what"] == "is not there"
    assert "conflict markers" in call("conflict.md")[1]["error"]["mend"]
    code, data = call("../outside.md")
    assert (code, data["error"]["what"]) == (1, "lies outside this project")


def test_people_read_sentences(clone):
    said = CliRunner().invoke(belay, ["trust"]).output
    assert (
        "MEMORY.md came from elsewhere and is not shown to Claude; read it, then: belay trust MEMORY.md"
        in said
    )
    said = CliRunner().invoke(belay, ["trust", "--all"]).output
    assert "Accepted MEMORY.md as it is now." in said
    assert CliRunner().invoke(belay, ["trust"]).output == "No memory file waits to be accepted.\n"


def test_where_a_variable_leads_is_accepted_once_and_revoked(project, monkeypatch, tmp_path):
    from commandline import answer, belay

    monkeypatch.setenv("WORKSHOP_DB", str(tmp_path / "shared.db"))
    told = belay(project.root, "init")
    assert (told.returncode, "belay trust WORKSHOP_DB" in told.stderr) == (1, True)
    assert answer(project.root, "trust", "--all")["unknown"] == ["WORKSHOP_DB"]

    assert answer(project.root, "trust", "WORKSHOP_DB")["accepted"] == ["WORKSHOP_DB"]
    assert answer(project.root, "init")["path"] == str(tmp_path / "shared.db")
    assert answer(project.root, "trust", "--revoke", "WORKSHOP_DB")["revoked"] == ["WORKSHOP_DB"]
    assert belay(project.root, "init").returncode == 1
    monkeypatch.delenv("WORKSHOP_DB")
    assert "is not set" in belay(project.root, "trust", "WORKSHOP_DB").stderr
