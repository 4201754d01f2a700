"""The projects that a user works in: listed once each, however many work trees and processes."""

import os
import subprocess
import sys

import pytest
import repos

from belay.core import paths
from belay.core.errors import BadInput, BelayError
from belay.repository import projects
from belay.workspace import registry

DAY = "2026-05-0%dT10:00:00.000Z"


def find(folder):
    return projects.find(str(folder), os.environ)


def record(folder, day=1):
    registry.record_project(find(folder), os.environ, DAY % day)


def listed():
    return registry.list_projects(os.environ)


def one(name):
    return registry.find_project(listed(), name, os.environ)


@pytest.fixture
def pair(tmp_path):
    folders = [tmp_path / "api", tmp_path / "web"]
    for day, folder in enumerate(folders, 1):
        repos.repository(folder)
        record(folder, day)
    return folders


def test_nothing_is_made_by_looking():
    assert listed() == []
    assert not os.path.exists(os.path.join(paths.data_home(os.environ), "workspace.db"))


def test_a_project_is_one_row_with_first_and_last_activity(pair):
    record(pair[0], 4)
    record(pair[0], 3)
    api, web = listed()
    assert (api["name"], api["first"], api["last"]) == ("api", DAY % 1, DAY % 4)
    assert (web["name"], web["home"]) == ("web", str(pair[1]))


def test_a_work_tree_belongs_to_its_project(pair, tmp_path):
    repos.git(pair[0], "worktree", "add", "-q", str(tmp_path / "fix"))
    record(tmp_path / "fix", 5)
    assert [row["roots"] for row in listed() if row["name"] == "api"] == [[str(tmp_path / "fix"), str(pair[0])]]
    assert len(listed()) == 2


def test_a_remote_is_kept_without_its_password(pair):
    repos.git(pair[0], "remote", "add", "origin", "https://me:s3cretPassw0rd@example.com/team/api.git?token=abc")
    record(pair[0], 5)
    assert listed()[0]["remote"] == "https://example.com/team/api.git"
    with open(os.path.join(paths.data_home(os.environ), "workspace.db"), "rb") as file:
        assert b"s3cret" not in file.read()


def test_a_secret_in_a_folder_name_is_not_kept(tmp_path):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    folder = tmp_path / token[:40]
    repos.repository(folder)
    record(folder)
    assert token[4:40] not in str(listed())
    with open(os.path.join(paths.data_home(os.environ), "workspace.db"), "rb") as file:
        assert token[4:40].encode() not in file.read()


def test_a_name_of_two_projects_is_refused(pair, tmp_path):
    repos.repository(tmp_path / "other" / "api")
    record(tmp_path / "other" / "api", 3)
    with pytest.raises(BadInput, match="is the name of 2 projects") as error:
        one("api")
    assert str(pair[0]) in error.value.mend
    assert one(str(pair[0]))["home"] == str(pair[0])


def test_a_folder_inside_means_its_project_and_a_stranger_none(pair, tmp_path):
    (pair[0] / "src").mkdir()
    assert one(str(pair[0] / "src"))["name"] == "api"
    for given in ("nobody", "", str(tmp_path)):
        with pytest.raises(BadInput, match="is not a known project"):
            one(given)


def test_links_are_seen_from_both_ends_and_taken_back_from_either(pair):
    registry.link(os.environ, one("api"), one("web"), "is called by")
    registry.link(os.environ, one("web"), one("api"), "calls")
    link = {"home": str(pair[1]), "other": str(pair[0]), "how": "calls"}
    assert [row["links"] for row in listed()] == [[link], [link]]
    registry.unlink(os.environ, one("api"), one("web"))
    assert [row["links"] for row in listed()] == [[], []]
    with pytest.raises(BadInput, match="are not linked"):
        registry.unlink(os.environ, one("api"), one("web"))


def test_a_link_takes_no_secret_and_no_single_project(pair):
    with pytest.raises(BadInput, match="holds a secret"):
        registry.link(os.environ, one("api"), one("web"), "password=hunter2x9")
    with pytest.raises(BadInput, match="with itself"):
        registry.link(os.environ, one("api"), one("api"), "")
    assert [row["links"] for row in listed()] == [[], []]


def test_forgetting_takes_links_too_and_leaves_the_folder(pair):
    registry.link(os.environ, one("api"), one("web"), "")
    registry.forget(os.environ, [one("api")])
    assert [(row["name"], row["links"]) for row in listed()] == [("web", [])]
    assert (pair[0] / "file.txt").exists()
    with open(os.path.join(paths.data_home(os.environ), "workspace.db"), "rb") as file:
        assert os.fsencode(pair[0]) not in file.read()
    assert os.stat(os.path.join(paths.data_home(os.environ), "workspace.db")).st_mode & 0o077 == 0


def test_a_damaged_file_is_moved_aside_and_the_next_session_goes_on(pair):
    path = os.path.join(paths.data_home(os.environ), "workspace.db")
    with open(path, "wb") as file:
        file.write(b"no database at all" * 300)
    record(pair[0], 5)
    assert [row["name"] for row in listed()] == ["api"]
    assert [name for name in os.listdir(paths.data_home(os.environ)) if name.startswith("workspace.db.damaged-")]


def test_a_folder_in_its_place_is_one_clear_error():
    path = os.path.join(paths.data_home(os.environ), "workspace.db")
    os.makedirs(path)
    with pytest.raises(BelayError) as error:
        listed()
    assert error.value.where == path
    assert error.value.mend


def test_many_processes_lose_no_project(tmp_path):
    folders = [tmp_path / f"p{number}" for number in range(8)]
    for folder in folders:
        repos.repository(folder)
    code = (
        "import os, sys; from belay.repository import projects; from belay.workspace import registry;"
        f"registry.record_project(projects.find(sys.argv[1], os.environ), os.environ, {DAY % 1!r})"
    )
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    running = [subprocess.Popen([sys.executable, "-c", code, str(folder)], env=env) for folder in folders]
    assert [process.wait(60) for process in running] == [0] * 8
    assert {row["name"] for row in listed()} == {folder.name for folder in folders}
