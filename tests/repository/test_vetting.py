"""What may be injected: every way text can come into a project, with real git."""

import os
import time

import pytest
from repos import git, repository

from belay.repository import projects, vetting
from belay.safety import trust

NAME = "MEMORY.md"


def look(root, *names):
    """Vet the files as a session's start does; return (known paths, unknown paths)."""
    project = projects.find(str(root), os.environ)
    known, unknown = vetting.read_trusted(project, os.environ, list(names or (NAME,)))
    return sorted(known), unknown


def accept(root):
    trust.accept(os.environ, str(root), NAME, (root / NAME).read_bytes())


def commit(root, text, name=NAME):
    (root / name).write_text(text)
    git(root, "add", name)
    git(root, "commit", "-qm", "change memory")


@pytest.fixture
def origin(tmp_path):
    """A stranger's repository with a MEMORY.md."""
    root = repository(tmp_path / "origin")
    commit(root, "theirs\n")
    return root


@pytest.fixture
def clone(tmp_path, origin):
    git(tmp_path, "clone", "-q", str(origin), "clone")
    git(tmp_path / "clone", "config", "user.name", "Ada")
    return tmp_path / "clone"


def test_cloned_text_is_unknown_until_it_is_accepted(clone):
    assert look(clone) == ([], [NAME])
    assert look(clone) == ([], [NAME])
    accept(clone)
    assert look(clone) == ([NAME], [])


def test_an_edit_of_a_strangers_text_stays_unknown(clone):
    look(clone)
    (clone / NAME).write_text("theirs\nand mine\n")
    assert look(clone) == ([], [NAME])
    git(clone, "commit", "-qam", "mine")
    assert look(clone) == ([], [NAME])


def test_an_edit_of_accepted_text_is_changed_here(clone):
    look(clone)
    accept(clone)
    (clone / NAME).write_text("theirs\nand mine\n")
    assert look(clone) == ([NAME], [])
    (clone / NAME).write_text("theirs\nand mine, staged\n")
    git(clone, "add", NAME)
    assert look(clone) == ([NAME], [])


def test_edits_committed_here_between_two_looks_are_known(clone):
    look(clone)
    accept(clone)
    look(clone)
    commit(clone, "theirs\nmine\n")
    commit(clone, "theirs\nmine\nagain\n")
    git(clone, "commit", "-q", "--amend", "-m", "amended")
    assert look(clone) == ([NAME], [])


def test_pulled_text_is_unknown_again(origin, clone):
    look(clone)
    accept(clone)
    commit(origin, "theirs, new\n")
    git(clone, "pull", "-q")
    assert look(clone) == ([], [NAME])


def fetch_another_branch(origin, clone):
    """Accept the clone's memory, then fetch a branch on which another one is written."""
    look(clone)
    accept(clone)
    git(origin, "checkout", "-qb", "other")
    commit(origin, "theirs\nfrom other\n")
    git(clone, "fetch", "-q")


def test_merged_rebased_and_picked_text_is_unknown(origin, clone):
    fetch_another_branch(origin, clone)
    git(clone, "merge", "-q", "--no-ff", "--no-commit", "origin/other")
    assert look(clone) == ([], [NAME]), "a merge that is not committed yet"
    git(clone, "commit", "-qm", "merged")
    assert look(clone) == ([], [NAME])
    git(clone, "reset", "-q", "--hard", "HEAD~1")
    assert look(clone) == ([NAME], [])
    git(clone, "cherry-pick", "origin/other")
    assert look(clone) == ([], [NAME])


def test_a_foreign_branch_is_unknown_and_ones_own_is_known(origin, clone):
    look(clone)
    accept(clone)
    git(clone, "checkout", "-qb", "mine")
    commit(clone, "theirs\nmy branch\n")
    git(clone, "checkout", "-q", "main")
    git(clone, "checkout", "-q", "mine")
    assert look(clone) == ([NAME], [])
    git(origin, "checkout", "-qb", "evil")
    commit(origin, "evil\n")
    git(clone, "fetch", "-q")
    git(clone, "checkout", "-q", "evil")
    assert look(clone) == ([], [NAME])


def test_what_was_created_here_is_known_and_what_was_there_before_is_not(repo):
    (repo / "old.md").write_text("was here\n")
    (repo / ".gitignore").write_text("ignored.md\n")
    time.sleep(1.1)
    assert look(repo, "old.md", "new.md") == ([], ["old.md"])
    (repo / "new.md").write_text("mine\n")
    (repo / "ignored.md").write_text("mine\n")
    assert look(repo, "old.md", "new.md", "ignored.md") == (["ignored.md", "new.md"], ["old.md"])
    (repo / "old.md").write_text("was here, edited\n")
    (repo / "new.md").write_text("mine, edited\n")
    assert look(repo, "old.md", "new.md") == (["new.md"], ["old.md"])


def test_created_and_committed_here_before_the_next_look(repo):
    look(repo)
    commit(repo, "mine\n")
    assert look(repo) == ([NAME], [])


def test_a_file_never_looked_at_is_judged_by_its_age(repo):
    (repo / "old.md").write_text("was here\n")
    time.sleep(1.1)
    look(repo)
    assert look(repo, "old.md") == ([], ["old.md"])


def test_without_git_and_with_git_missing(tmp_path, monkeypatch, repo):
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / NAME).write_text("was here\n")
    time.sleep(1.1)
    assert look(plain) == ([], [NAME])
    (plain / "tasks.md").write_text("mine\n")
    assert look(plain, "tasks.md") == (["tasks.md"], [])

    look(repo)
    (repo / NAME).write_text("mine\n")
    monkeypatch.setenv("PATH", str(plain))
    assert look(repo) == ([], [NAME]), "unknown while nobody can be asked"
    monkeypatch.undo()


def test_a_linked_worktree_shares_what_the_main_checkout_trusts(repo, tmp_path):
    look(repo)
    commit(repo, "mine\n")
    look(repo)
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert look(tmp_path / "tree") == ([NAME], [])


def test_what_is_no_memory_file_is_named_and_left_alone(repo, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("secret\n")
    os.symlink(outside, repo / "link.md")
    os.mkfifo(repo / "fifo.md")
    (repo / "folder.md").mkdir()
    (repo / "large.md").write_bytes(b"x" * (1024 * 1024 + 1))
    (repo / "latin.md").write_bytes(b"\xe4\n")
    (repo / "conflict.md").write_text("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
    names = ["link.md", "fifo.md", "folder.md", "large.md", "latin.md", "conflict.md", "missing.md"]

    assert look(repo, *names) == ([], [])
    project = projects.find(str(repo), os.environ)
    why = "\n".join(vetting.explain_refusals(project, names))
    for word in (
        "link.md is a symbolic link",
        "large.md is over 1 MB",
        "conflict markers",
        "latin.md is not UTF-8",
    ):
        assert word in why
    assert "missing.md" not in why


def test_a_folder_that_is_a_link_out_of_the_project_is_not_followed(repo, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "todo.md").write_text("secret\n")
    os.symlink(tmp_path / "out", repo / "tasks")

    assert look(repo, "tasks/todo.md") == ([], [])


def test_known_text_asks_git_nothing(repo, monkeypatch, tmp_path):
    look(repo)
    (repo / NAME).write_text("mine\n")
    look(repo)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert look(repo) == ([NAME], [])


@pytest.mark.parametrize("way", ["link", "submodule", "other case"])
def test_text_that_git_keeps_under_another_name_is_unknown(tmp_path, origin, clone, way):
    assert look(clone, "tasks/todo.md") == ([], [])
    time.sleep(1.1)
    folder = origin / "elsewhere"
    repository(folder) if way == "submodule" else folder.mkdir()
    commit(folder, "- [ ] theirs\n", "todo.md")
    if way == "submodule":
        git(tmp_path, "clone", "-q", str(folder), str(clone / "tasks"))
    else:
        git(clone, "pull", "-q")
        (clone / "tasks").symlink_to("elsewhere")

    name = "tasks/todo.md" if way != "other case" else "elsewhere/TODO.md"
    if way == "other case":  # as a file system shows it that does not tell case apart
        os.link(clone / "elsewhere" / "todo.md", clone / name)

    assert look(clone, name) == ([], [name])


def test_a_squash_merge_asks_once_and_edits_on_accepted_text_never_again(origin, clone):
    fetch_another_branch(origin, clone)
    git(clone, "merge", "-q", "--squash", "origin/other")
    assert look(clone) == ([], [NAME])
    accept(clone)
    (clone / NAME).write_text("theirs\nfrom other\nand mine\n")
    assert look(clone) == ([NAME], [])
    git(clone, "commit", "-qam", "mine")
    assert look(clone) == ([NAME], [])


def test_rows_that_git_brought_are_unknown_among_own_ones(origin, clone):
    fetch_another_branch(origin, clone)
    (clone / NAME).write_text("mine\ntheirs\nfrom other\nmine again\n")
    assert look(clone) == ([], [NAME])
    (clone / NAME).write_text("mine\ntheirs\nmine again\n")
    assert look(clone) == ([NAME], [])


def test_the_text_of_another_file_is_unknown(origin, clone):
    look(clone)
    accept(clone)
    commit(origin, "obey\n", "notes.md")
    git(clone, "pull", "-q")
    (clone / NAME).write_text("obey\n")
    assert look(clone) == ([], [NAME])


def test_text_of_a_commit_without_a_name_is_unknown(tmp_path, origin, clone):
    look(clone)
    accept(clone)
    git(origin, "checkout", "-qb", "other")
    (origin / NAME).write_text("theirs\nfrom other\n")
    git(origin, "-c", "user.email=eve@example.org", "commit", "-qam", "other")
    other = git(origin, "rev-parse", "HEAD")
    git(clone, "fetch", "-q", str(origin), "other")
    git(clone, "fetch", "-q", str(origin), "main")
    git(clone, "checkout", "-q", other, "--", NAME)
    git(clone, "commit", "-qm", "mine")
    assert look(clone) == ([], [NAME])


def test_a_repository_with_many_branches_goes_by_the_log_of_head(repo, monkeypatch):
    monkeypatch.setattr(vetting, "TIPS", 2)
    for name in ("a", "b", "c"):
        git(repo, "branch", "-q", name)
    look(repo)
    commit(repo, "mine\n")
    assert look(repo) == ([NAME], [])
    git(repo, "checkout", "-qb", "d")
    commit(repo, "mine\nmore\n")
    git(repo, "checkout", "-q", "main")
    git(repo, "merge", "-q", "d")
    assert look(repo) == ([NAME], [])
