"""belay workspace: listed, searched, linked, forgotten."""

import os
import shutil
import sqlite3

import pytest
import repos
import sessions
from commandline import answer, belay

from belay.consolidate import session as consolidator
from belay.core import paths
from belay.repository import projects

TOLD = {
    "api": "Uploads are retried three times with jitter because the gateway drops the first one",
    "web": "The upload button is disabled while a retry runs",
    "notes": "Dinner is at eight",
}


def work_in(folder):
    """One session from start to end."""
    project = projects.find(str(folder), os.environ)
    session = sessions.start(project)
    session.log("end", reason="other")
    session.save()
    consolidator.run(project, os.environ, ending=True)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setenv("BELAY_SETUP", "off")
    made = {name: tmp_path / name for name in TOLD}
    for name, folder in made.items():
        repos.repository(folder)
        work_in(folder)
        assert belay(folder, "gotcha", TOLD[name]).returncode == 0
    return made


def test_the_end_of_a_session_lists_its_project(folders):
    rows = answer(folders["api"], "workspace", "list")["projects"]
    assert {row["name"] for row in rows} == set(TOLD)
    assert all(row["home"] == str(folders[row["name"]]) and not row["gone"] for row in rows)
    shown = belay(folders["api"], "workspace", "list").stdout
    assert all(str(folder) in shown for folder in folders.values())


def test_a_setting_keeps_a_project_off_the_list(tmp_path):
    folder = tmp_path / "private"
    repos.repository(folder)
    os.makedirs(folder / ".claude")
    (folder / ".claude" / "belay.yaml").write_text("workspace: false\n")
    assert belay(folder, "trust", ".claude/belay.yaml").returncode == 0
    work_in(folder)
    assert answer(folder, "workspace", "list")["projects"] == []


def test_a_search_says_of_each_hit_which_project_it_is_of(folders):
    found = answer(folders["notes"], "workspace", "search", "upload", "retry", "--type", "gotcha")
    assert [row["project"] for row in found["results"]].count("notes") == 0
    assert {row["project"] for row in found["results"]} == {"api", "web"}
    assert found["searched"] == 3
    lines = belay(folders["notes"], "workspace", "search", "gateway").stdout.splitlines()
    assert lines[0].startswith("[api] ")
    assert "gateway" in lines[1]


def test_the_variable_of_one_project_names_no_other_base(folders, monkeypatch):
    monkeypatch.setenv("WORKSHOP_DB", projects.find(str(folders["notes"]), os.environ).workshop)
    found = answer(folders["notes"], "workspace", "search", "gateway")
    assert [row["project"] for row in found["results"]] == ["api"]


def test_an_ordinary_search_stays_in_its_project(folders):
    assert answer(folders["notes"], "search", "gateway")["results"] == []


def test_only_linked_projects_are_searched_when_asked(folders):
    assert answer(folders["web"], "workspace", "link", ".", "api", "--as", "calls")["linked"]
    found = answer(folders["web"], "workspace", "search", "upload", "--linked")
    assert found["searched"] == 2
    assert belay(folders["web"], "workspace", "list").stdout.count("web calls api") == 2
    assert not answer(folders["web"], "workspace", "link", "api", "web", "--remove")["linked"]
    assert answer(folders["web"], "workspace", "search", "upload", "--linked")["searched"] == 1


def test_a_project_that_is_gone_is_said_and_can_be_forgotten(folders):
    shutil.rmtree(folders["api"])
    found = answer(folders["web"], "workspace", "search", "upload")
    assert [(row["project"], row["why"]) for row in found["left_out"]] == [("api", "its folder is gone")]
    assert "(gone)" in belay(folders["web"], "workspace", "list").stdout
    assert answer(folders["web"], "workspace", "forget", "--gone")["forgotten"] == [str(folders["api"])]
    assert {row["name"] for row in answer(folders["web"], "workspace", "list")["projects"]} == {"web", "notes"}
    assert belay(folders["web"], "workspace", "forget", "--gone").stdout == "There is nothing to forget.\n"


def test_a_damaged_base_is_said_and_the_others_answer(folders):
    with open(projects.find(str(folders["api"]), os.environ).workshop, "r+b") as file:
        file.truncate(5000)
    found = answer(folders["web"], "workspace", "search", "upload")
    assert [row["project"] for row in found["left_out"]] == ["api"]
    assert {row["project"] for row in found["results"]} == {"web"}


def test_a_base_of_somebody_else_is_not_searched(folders):
    own = projects.find(str(folders["api"]), os.environ).workshop
    with sqlite3.connect(own) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA application_id = 7")
    connection.close()
    os.unlink(paths.find_ledger(own))
    assert answer(folders["web"], "workspace", "search", "gateway")["results"] == []


def test_wrong_calls_are_told(folders):
    assert belay(folders["web"], "workspace", "search", " ").returncode == 2
    assert belay(folders["web"], "workspace", "search", "x", "--type", "nonsense").returncode == 2
    assert belay(folders["web"], "workspace", "forget").returncode == 2
    done = belay(folders["web"], "workspace", "link", "web", "nobody")
    assert (done.returncode, done.stderr) == (
        1, "belay: nobody: is not a known project; belay workspace list shows them; a session adds one\n",
    )  # fmt: skip


def test_no_project_is_one_line(repo):
    assert belay(repo, "workspace", "list").stdout == "No project is known yet: the end of a session lists its own.\n"
    assert not os.path.exists(os.path.join(paths.data_home(os.environ), "workspace.db"))
