"""Branches as git itself knows them, also those that were renamed or deleted."""

import os

import pytest
from repos import git

from belay.repository import projects
from belay.repository.git import branches


def place(folder):
    project = projects.find(str(folder), os.environ)
    return project.git_dir, project.common_dir


def commit(folder, message="next"):
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def trunk(folder):
    return branches.find_trunk(str(folder), *place(folder))


def test_listing(repo, tmp_path):
    git(repo, "switch", "-qc", "feature/x")
    tip = commit(repo)
    git(tmp_path, "clone", "-q", str(repo), "clone")
    clone = tmp_path / "clone"
    git(clone, "branch", "-q", "gone")
    git(clone, "config", "branch.gone.remote", "origin")
    git(clone, "config", "branch.gone.merge", "refs/heads/gone")

    assert next((one.name, one.tip) for one in branches.list_branches(str(repo))) == ("feature/x", tip)
    found = {one.name: one for one in branches.list_branches(str(clone))}
    assert (found["feature/x"].gone, found["gone"].gone) == (False, True)
    assert abs(found["gone"].time - int(git(clone, "log", "-1", "--format=%ct"))) == 0


def test_the_trunk_is_origins_default(repo, tmp_path):
    git(repo, "switch", "-qc", "stable")
    git(tmp_path, "clone", "-q", str(repo), "clone")

    assert trunk(repo) == "main"
    assert trunk(tmp_path / "clone") == "stable"


@pytest.mark.parametrize("name", ["main", "master", "trunk", "develop"])
def test_the_trunk_without_a_remote_has_a_usual_name(repo, name):
    git(repo, "branch", "-m", "main", name)
    git(repo, "switch", "-qc", "feature")

    assert trunk(repo) == name


def test_the_trunk_of_an_unusual_name_is_the_configured_one(repo):
    git(repo, "branch", "-m", "main", "Haupt")
    git(repo, "switch", "-qc", "feature")
    assert trunk(repo) == ""

    git(repo, "config", "init.defaultBranch", "Haupt")
    assert trunk(repo) == "Haupt"


def test_before_the_first_commit_the_branch_is_the_trunk(tmp_path):
    git(tmp_path, "init", "-q", "-b", "odd")

    assert trunk(tmp_path) == "odd"


@pytest.mark.parametrize("checked_out", [True, False])
def test_renames_are_followed_through_the_reflog(repo, checked_out):
    git(repo, "switch", "-qc", "a/one")
    commit(repo)
    if not checked_out:
        git(repo, "switch", "-q", "main")
    git(repo, "branch", "-m", "a/one", "two")
    git(repo, "branch", "-m", "two", "three")

    common = place(repo)[1]
    assert branches.read_earlier_names(common, "three") == ["two", "a/one"]
    assert branches.map_renames(common, ["three", "main"]) == {"two": "three", "a/one": "three"}
    assert branches.read_earlier_names(common, "main") == []


@pytest.mark.parametrize("name", ["../../HEAD", "a\0b", "", "a//b", "nowhere"])
def test_a_forged_name_leads_nowhere(repo, name):
    git_dir, common = place(repo)

    assert branches.read_earlier_names(common, name) == []
    assert branches.find_commit(common, name) == ""
    assert branches.find_first_commit(git_dir, common, name) == ""


def test_a_deleted_branch_stood_where_it_was_left(repo):
    start = git(repo, "rev-parse", "HEAD")
    git(repo, "switch", "-qc", "feature")
    tip = commit(repo)
    git(repo, "switch", "-q", "main")
    git(repo, "branch", "-qD", "feature")

    git_dir, common = place(repo)
    assert branches.find_commit(common, "feature") == ""
    assert branches.find_left_commit(git_dir, "feature") == tip
    assert branches.find_left_commit(git_dir, "feat") == ""
    assert branches.find_first_commit(git_dir, common, "feature") == start


def test_where_a_branch_began(repo):
    git_dir, common = place(repo)
    start = git(repo, "rev-parse", "HEAD")
    git(repo, "branch", "side")
    commit(repo)
    git(repo, "switch", "-q", "side")
    commit(repo)

    assert branches.find_first_commit(git_dir, common, "side") == start


def test_a_branch_that_began_as_a_remotes_does_not_say_where(repo, tmp_path):
    git(repo, "branch", "feature/x")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    git(tmp_path / "clone", "switch", "-q", "feature/x")

    git_dir, common = place(tmp_path / "clone")
    assert branches.find_first_commit(git_dir, common, "feature/x") == ""


def test_a_branch_that_stands_only_on_the_remote_has_a_tip(repo, tmp_path):
    git(repo, "branch", "side")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    common = place(tmp_path / "clone")[1]

    assert branches.find_commit(common, "side") == git(repo, "rev-parse", "side")
    git(tmp_path / "clone", "pack-refs", "--all")
    assert branches.find_commit(common, "side") == git(repo, "rev-parse", "side")


def test_a_linked_worktree_shares_branches(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    tip = commit(tmp_path / "side")
    git_dir, common = place(tmp_path / "side")

    assert branches.find_commit(common, "side") == tip
    assert branches.find_trunk(str(tmp_path / "side"), git_dir, common) == "main"
    git(tmp_path / "side", "branch", "-m", "side", "other")
    assert branches.read_earlier_names(common, "other") == ["side"]
