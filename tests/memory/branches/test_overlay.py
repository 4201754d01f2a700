"""Where a branch's memory lies, in every state a repository can be in."""

import os

import pytest
from branchworld import OVERLAY, commit, project, remember, world
from repos import git, repository

from belay.memory import memory_files
from belay.memory.branches import header, overlay, view
from belay.memory.branches.slug import branch_slug


def found(root, branch):
    return (
        project(root).relative(overlay.find_overlay(project(root), branch))
        if overlay.find_overlay(project(root), branch)
        else ""
    )


def test_sections_go_to_the_branch_or_to_the_base(repo):
    here = project(repo)

    assert overlay.find_target(here, "feature/x", "active") == overlay.overlay_path(here, "feature/x")
    assert overlay.find_target(here, "feature/x", "decisions") == here.memory_md
    assert overlay.find_target(here, "feature/x", "") == here.memory_md
    assert overlay.find_target(here, "main", "active") == here.memory_md
    assert overlay.find_target(here, "", "left") == here.memory_md


def test_detached_there_is_only_the_base(repo):
    git(repo, "switch", "-q", "--detach")

    assert overlay.current_branch(project(repo)) == ""
    assert found(repo, "") == ""


def test_without_git_there_is_only_the_base(tmp_path):
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    here = project(tmp_path)

    assert (overlay.current_branch(here), overlay.find_trunk(here)) == ("", "")
    assert overlay.find_target(here, "", "active") == here.memory_md


def test_a_detached_head_finds_nothing_beside_overlays_of_branches(repo):
    git(repo, "switch", "-qc", "feature/x", "main")
    path = remember(repo, "feature/x")
    os.rename(path, overlay.overlay_path(project(repo), ""))

    assert found(repo, "") == ""


def test_names_that_would_collide_have_files_of_their_own(repo):
    for branch in ("a/b", "a-b"):
        git(repo, "switch", "-qc", branch, "main")
        remember(repo, branch)

    assert found(repo, "a/b") == f".memory/branches/{branch_slug('a/b')}.md"
    assert found(repo, "a-b") == f".memory/branches/{branch_slug('a-b')}.md"
    assert found(repo, "a.b") == ""


def test_a_file_under_the_seeds_name_is_the_branch_it_names_and_is_renamed_when_written(repo):
    git(repo, "switch", "-qc", "feature/tax")
    legacy = remember(repo, "feature/tax", path=str(repo / ".memory" / "branches" / "feature-tax.md"))

    assert overlay.find_overlay(project(repo), "feature/tax") == legacy
    assert found(repo, "feature-tax") == ""
    text = memory_files.read_text(legacy)

    path = overlay.settle_name(project(repo), os.environ, "feature/tax")

    assert path == overlay.overlay_path(project(repo), "feature/tax")
    assert (memory_files.read_text(path), os.path.exists(legacy)) == (text, False)
    assert overlay.read_overlay(project(repo), os.environ, "feature/tax") == (path, text, "")
    assert overlay.settle_name(project(repo), os.environ, "feature/tax") == path


def test_a_renamed_branch_keeps_its_memory(repo):
    git(repo, "switch", "-qc", "feature/tax")
    old = remember(repo, "feature/tax")
    git(repo, "branch", "-m", "feature/tax", "feature/taxes")

    assert overlay.find_overlay(project(repo), "feature/taxes") == old
    new = overlay.settle_name(project(repo), os.environ, "feature/taxes")
    assert (new, os.path.exists(old)) == (overlay.overlay_path(project(repo), "feature/taxes"), False)


def test_a_new_branch_of_the_old_name_keeps_its_own(repo):
    git(repo, "switch", "-qc", "a")
    git(repo, "branch", "-m", "a", "b")
    git(repo, "switch", "-qc", "a", "main")
    remember(repo, "a")

    assert found(repo, "b") == ""


def test_a_linked_worktree_has_overlays_of_its_own(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    path = remember(tmp_path / "side", "side")

    assert path.startswith(str(tmp_path / "side"))
    assert found(repo, "side") == ""
    assert overlay.find_trunk(project(tmp_path / "side")) == "main"
    assert header.read_note(memory_files.read_text(path)).tip == git(repo, "rev-parse", "side")


def test_a_submodule_is_a_project_of_its_own(repo, tmp_path):
    library = repository(tmp_path / "library")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    git(repo / "lib", "switch", "-qc", "inner")
    path = remember(repo / "lib", "inner")

    assert overlay.current_branch(project(repo / "lib")) == "inner"
    assert path.startswith(str(repo / "lib" / ".memory"))
    assert found(repo, "inner") == ""


def test_a_strangers_text_is_named_and_never_returned(repo, tmp_path):
    world(repo, tracked=True)
    git(repo, "switch", "-q", "feature/tax")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    here = project(tmp_path / "clone")

    path, text, why = overlay.read_overlay(here, os.environ, "feature/tax")

    assert (os.path.exists(path), text, why) == (True, "", "came with the repository")
    assert "rates" not in view.describe_branch(here, os.environ, "feature/tax")
    assert "came with the repository" in view.describe_branch(here, os.environ, "tax")


@pytest.mark.parametrize("what", ["folder", "link", "fifo", "conflict"])
def test_what_is_no_overlay_is_not_read(repo, tmp_path, what):
    git(repo, "switch", "-qc", "x")
    path = overlay.overlay_path(project(repo), "x")
    os.makedirs(os.path.dirname(path))
    if what == "folder":
        os.mkdir(path)
    elif what == "link":
        (tmp_path / "secret").write_text("secret")
        os.symlink(tmp_path / "secret", path)
    elif what == "fifo":
        os.mkfifo(path)
    else:
        with open(path, "w") as file:
            file.write("<<<<<<< ours\nBranch: x\n")

    assert overlay.read_overlay(project(repo), os.environ, "x")[1] == ""
    assert overlay.read_overlay(project(repo), os.environ, "x")[2]
    assert overlay.list_overlays(project(repo)) == []


@pytest.mark.parametrize("wanted", ["feature/tax", "tax", "feature tax", "ta"])
def test_a_branch_is_found_by_what_people_call_it(repo, wanted):
    world(repo)

    told = view.describe_branch(project(repo), os.environ, wanted)

    assert told.startswith("Memory of feature/tax, from .memory/branches/feature-tax-")
    assert "- [ ] rates by country" in told
    assert "belay: overlay" not in told


@pytest.mark.parametrize("wanted", ["", "x", "../../etc/passwd", "a\0b", "feature"])
def test_a_name_that_means_none_or_several_shows_none(repo, wanted):
    world(repo)
    git(repo, "switch", "-qc", "feature/ui")
    remember(repo, "feature/ui")

    assert "no overlay" in view.describe_branch(project(repo), os.environ, wanted)


def test_the_note_follows_the_branch(repo):
    world(repo)
    git(repo, "switch", "-q", "feature/tax")
    path = overlay.find_overlay(project(repo), "feature/tax")
    first = header.read_note(memory_files.read_text(path))
    commit(repo, "more.py", "x = 1\n")
    remember(repo)
    second = header.read_note(memory_files.read_text(path))

    assert first.start == second.start == git(repo, "rev-parse", "main")
    assert second.tip == git(repo, "rev-parse", "HEAD")
    assert len(second.patch) == 40
    assert second.patch != first.patch
    assert memory_files.read_text(path).count("belay: overlay") == 1
    assert OVERLAY.format(branch="feature/tax") in memory_files.read_text(path)
