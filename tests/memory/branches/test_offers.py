"""What the start of a session offers to fold, and what it costs."""

import os

import pytest
from branchworld import commit, project, remember, squash, world
from environment import until
from repos import git

from belay.memory.branches.offers import find_offers
from belay.repository.git import process


@pytest.fixture
def asked(monkeypatch):
    """The git processes that were started."""
    calls = []
    real = process.call
    monkeypatch.setattr(process, "call", lambda root, args, *rest: calls.append(args) or real(root, args, *rest))
    process._guards.clear()
    return calls


def offered(root):
    return find_offers(project(root), os.environ)


def test_a_merged_branch_is_offered_once_it_is_merged(repo):
    world(repo)
    assert offered(repo) == []
    squash(repo)

    assert offered(repo) == [{"branch": "feature/tax", "how": "squash", "command": "belay branch fold feature/tax"}]


def test_an_answer_is_kept_until_something_changes(repo, asked):
    world(repo)
    squash(repo)
    os.makedirs(project(repo).states)
    asked.clear()
    first = offered(repo)
    assert [args[0] if args[0] != "-c" else "" for args in asked] == ["log", "diff-tree"]
    asked.clear()

    assert offered(repo) == first
    assert asked == []

    commit(repo, "next.py", "x = 1\n")
    offered(repo)
    assert asked


def test_without_overlays_and_off_the_trunk_nothing_is_asked(repo, asked):
    assert offered(repo) == []
    world(repo)
    git(repo, "switch", "-q", "feature/tax")
    asked.clear()
    assert offered(repo) == []
    git(repo, "switch", "-q", "--detach", "main")
    assert offered(repo) == []
    assert asked == []


def test_a_forged_answer_is_not_believed(repo):
    world(repo)
    os.makedirs(project(repo).states)
    with open(os.path.join(project(repo).states, "folds.json"), "w") as file:
        file.write('{"mark": "x", "offers": [{"branch": "rm -rf", "how": "x", "command": "rm -rf /"}]}')

    assert offered(repo) == []


def test_a_hostile_name_is_quoted(repo):
    name = "a;touch$IFS-x|`id`"
    world(repo, name)
    squash(repo, name)

    (found,) = offered(repo)
    assert found["command"] == "belay branch fold 'a;touch$IFS-x|`id`'"


def test_where_git_does_not_answer_nothing_is_offered_or_kept(repo, monkeypatch):
    world(repo)
    squash(repo)
    os.makedirs(project(repo).states)
    with monkeypatch.context() as broken:
        broken.setenv("PATH", "/nowhere")
        process._guards.clear()
        assert offered(repo) == []

    assert len(offered(repo)) == 1


def test_at_most_three_are_offered(repo):
    for number in range(5):
        git(repo, "switch", "-qc", f"b{number}", "main")
        commit(repo, f"{number}.py", f"x = {number}\n")
        remember(repo, f"b{number}")
        git(repo, "switch", "-q", "main")
        with open(repo / ".git" / "info" / "exclude", "a") as file:
            file.write(".memory/\n.claude/\n")
        git(repo, "merge", "-q", "--no-ff", "-m", "m", f"b{number}")

    assert len(offered(repo)) == 3


def test_a_start_waits_a_moment_only_and_the_next_one_knows(repo, tmp_path, monkeypatch):
    from belay.memory.branches import offers as room

    world(repo)
    squash(repo)
    os.makedirs(project(repo).states)
    real, answered = room._look_up, tmp_path / "answered"
    monkeypatch.setattr(room, "_look_up", lambda *args: (until(answered.exists), real(*args))[1])

    assert room.OfferLookup(project(repo), os.environ).answer(0.02) == []

    answered.touch()
    until(lambda: room.OfferLookup(project(repo), os.environ).answer(0))
    assert offered(repo)[0]["how"] == "squash"
