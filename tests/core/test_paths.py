"""Where a project is, and where its files go."""

import os

import pytest
from repos import git, repository

from belay.core import paths
from belay.repository import projects


def found(folder):
    return projects.find(str(folder), os.environ)


def test_the_root_is_the_top_of_the_work_tree(project, repo):
    (repo / "a" / "b").mkdir(parents=True)
    inside = found(repo / "a" / "b")
    assert (inside.root, inside.git_dir) == (str(repo), str(repo / ".git"))
    assert inside.store == str(repo / ".claude" / "memory")
    assert found(repo / ".git" / "objects").root == str(repo)


def test_home_its_parents_and_the_root_are_no_project(home, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "people" / "ada"))
    os.makedirs(tmp_path / "people" / "ada" / "work")
    for folder in ("/", tmp_path / "people" / "ada", tmp_path / "people"):
        assert found(folder) is None
    assert found(tmp_path / "people" / "ada" / "work").root == str(tmp_path / "people" / "ada" / "work")


def test_a_home_that_is_a_repository_is_no_project(home):
    repository(home)
    (home / "notes").mkdir()
    assert found(home) is None
    assert found(home / "notes").root == str(home / "notes")
    assert found(home / "notes").git_dir == ""


def test_without_git_the_nearest_parent_with_memory_is_the_project(home):
    deep = home / "work" / "a" / "b"
    deep.mkdir(parents=True)
    assert found(deep).root == str(deep)
    (home / "work" / ".claude" / "memory").mkdir(parents=True)
    assert found(deep).root == str(home / "work")


def test_outside_home_nobody_elses_parent_folder_is_taken(tmp_path):
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    (tmp_path / "mine").mkdir()
    assert found(tmp_path / "mine").root == str(tmp_path / "mine")


def test_a_submodule_is_its_own_project(repo, tmp_path):
    other = repository(tmp_path / "lib")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendor/lib")
    inside = found(repo / "vendor" / "lib")
    assert inside.root == str(repo / "vendor" / "lib")
    assert inside.store == str(repo / "vendor" / "lib" / ".claude" / "memory")
    assert os.path.isdir(inside.git_dir)


def test_a_linked_worktree_shares_the_store_and_has_its_own_files(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side tree"))
    side = found(tmp_path / "side tree")
    assert side.store == str(repo / ".claude" / "memory")
    assert side.home == str(repo)
    assert side.buffer == str(tmp_path / "side tree" / "memory" / "working-buffer.md")
    assert side.continuation == str(tmp_path / "side tree" / "CONTINUATION.md")
    assert side.exclude == str(repo / ".git" / "info" / "exclude")


@pytest.mark.parametrize("name", ["bare.git", "proj/.git"])
def test_worktrees_of_a_bare_repository_share_its_common_dir(repo, tmp_path, name):
    bare = tmp_path / name
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    git(bare, "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    tree = found(tmp_path / "tree")
    assert tree.store == str(bare / "belay")
    assert tree.root == tree.home == str(tmp_path / "tree")


def test_a_git_file_that_points_nowhere_is_passed_over(tmp_path):
    (tmp_path / "gone").mkdir()
    for content in (b"gitdir: /nowhere/at/all\n", b"", b"\xff\xfe", b"gitdir: \0\n", b"x" * 100_000):
        (tmp_path / "gone" / ".git").write_bytes(content)
        project = found(tmp_path / "gone")
        assert (project.root, project.git_dir) == (str(tmp_path / "gone"), "")


def test_a_separate_git_dir_keeps_the_memory_with_the_work_tree(tmp_path):
    (tmp_path / "tree").mkdir()
    git(tmp_path / "tree", "init", "-q", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    assert found(tmp_path / "tree").store == str(tmp_path / "tree" / ".claude" / "memory")


@pytest.mark.parametrize("name", ["with spaces", "žluťoučký-🐎", "new\nline", "quo'te\"s", "-dash"])
def test_any_name_of_a_folder_will_do(tmp_path, name):
    folder = repository(tmp_path / name)
    assert found(folder).root == str(folder)
    assert found(folder).relative(str(folder / "a b" / "c.py")) == "a b/c.py"


def test_a_linked_cwd_is_the_same_project_and_its_paths_are_relative(repo, tmp_path):
    (tmp_path / "link").symlink_to(repo)
    project = found(tmp_path / "link")
    assert project.root == str(repo)
    assert project.relative(str(tmp_path / "link" / "src" / "a.py")) == "src/a.py"
    assert project.relative("src/a.py") == "src/a.py"
    assert project.relative("/elsewhere/a.py") == "/elsewhere/a.py"
    assert project.relative("../../x") == "../../x"
    assert project.relative("a\0b") == "a\0b"


@pytest.mark.parametrize(
    ("files", "ours"),
    [
        ((), True),
        (("2026-01-02.md",), True),
        (("__init__.py",), False),
        (("working-buffer.md", "x.py"), True),
        (("notes.txt",), False),
        (("lessons.md.77.tmp",), True),
        (("notes.77.tmp",), False),
    ],
)
def test_a_memory_folder_that_is_something_else_is_left_alone(repo, files, ours):
    (repo / "memory").mkdir()
    (repo / "tasks").mkdir()
    for name in files:
        (repo / "memory" / name).touch()
        (repo / "tasks" / name.replace("working-buffer", "todo")).touch()
    log = str(repo / ".claude" / "memory" / "log")
    assert found(repo).logs == (str(repo / "memory") if ours else log)
    assert found(repo).tasks == (str(repo / "tasks") if ours else log)


def test_a_file_named_memory_is_left_alone(repo):
    (repo / "memory").write_text("a poem")
    assert found(repo).logs == str(repo / ".claude" / "memory" / "log")


@pytest.mark.parametrize("link", [".claude", ".claude/memory", ".claude/memory/journal", ".claude/memory/state"])
def test_links_that_came_with_the_tree_lead_nowhere_else(repo, tmp_path, link):
    (tmp_path / "outside").mkdir()
    (repo / link).parent.mkdir(parents=True, exist_ok=True)
    (repo / link).symlink_to(tmp_path / "outside")
    assert found(repo).store == str(repo / ".git" / "belay")


def test_links_inside_the_tree_are_the_users_own_affair(repo):
    (repo / "real").mkdir()
    (repo / ".claude").symlink_to("real")
    assert found(repo).store == str(repo / ".claude" / "memory")


def test_linked_log_and_task_folders_are_not_used(repo, tmp_path):
    for name in ("memory", "tasks"):
        (tmp_path / "outside" / name).mkdir(parents=True)
        (repo / name).symlink_to(tmp_path / "outside" / name)
    assert found(repo).buffer == str(repo / ".claude" / "memory" / "log" / "working-buffer.md")
    assert found(repo).todo == str(repo / ".claude" / "memory" / "log" / "todo.md")


def test_what_git_lists_is_told_from_what_belay_wrote(project):
    own = [
        ".claude/memory/journal/s.jsonl",
        "memory/working-buffer.md",
        "MEMORY.md.77.tmp",
        "CONTINUATION.md",
        ".claude/",
        "memory/",
    ]
    others = [
        "memory-utils/a.py",
        "notes.77.tmp",
        "CONTINUATION.md.orig",
        "mem",
        "m",
        "src/memory/x",
        ".claude",
    ]
    assert [name for name in own + others if project.is_own(name)] == own


@pytest.mark.parametrize("name", ["journal", "state", "continuations", "undo", "log"])
def test_a_linked_folder_of_ours_is_never_written_through(tmp_path, name):
    root = repository(tmp_path / "r")
    (root / "memory").mkdir()
    (root / "memory" / "module.py").write_text("x = 1\n")
    (root / "src").mkdir()
    (root / ".claude" / "memory").mkdir(parents=True)
    for target in (tmp_path, root / "src"):
        (root / ".claude" / "memory" / name).symlink_to(target)
        project = projects.find(str(root), os.environ)

        assert project.store == os.path.join(str(root), ".git", "belay")
        assert project.logs == (project.stored("log") if name == "log" else project.at(paths.MEMORY, "log"))
        (root / ".claude" / "memory" / name).unlink()


def test_a_pipe_where_git_keeps_a_pointer_keeps_no_hook_waiting(tmp_path):
    root = repository(tmp_path / "r")
    os.mkfifo(root / ".git" / "commondir")

    assert projects.find(str(root), os.environ).root == str(root)
