"""Marked blocks in ignore files, judged by git itself."""

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repos import git

from belay.core import settings
from belay.repository import excludes, projects


def ignored(root, *names):
    """Return those names that git ignores."""
    return [name for name in names if subprocess.run(["git", "check-ignore", "-q", name], cwd=root).returncode == 0]


def test_git_ignores_what_is_private_and_sees_the_rest(project, repo):
    (repo / ".claude" / "orchestration").mkdir(parents=True)
    assert excludes.write_excludes(project, os.environ)
    private = [
        "CONTINUATION.md",
        ".claude/memory/workshop.db",
        ".claude/memory/workshop.db-wal",
        ".claude/memory/journal/s.jsonl",
        ".claude/memory/state/s.json",
        ".claude/memory/continuations/a.md",
        ".claude/orchestration/evidence/a.txt",
        "memory/working-buffer.md",
        "memory/2026-11-22.md",
        "memory/2026-11-22.md.4711.tmp",
        "tasks/lessons.md",
        ".claude/memory/log/2026-11-22.md",
    ]
    shared = [
        "sub/CONTINUATION.md",
        ".claude/memory/templates/a.md",
        ".claude/memory/playbooks/a.md",
        "MEMORY.md",
        "memory/__init__.py",
        "memory/notes.md",
        "sub/memory/2026-11-22.md",
        "tasks/todo.md",
    ]

    assert ignored(repo, *private, *shared) == private


def share(project, text):
    os.makedirs(os.path.dirname(project.settings), exist_ok=True)
    with open(project.settings, "w") as file:
        file.write(text)
    settings.compile_settings(project, os.environ)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("share: [memory]", ["CONTINUATION.md", "tasks/lessons.md"]),
        ("share: [lessons]", ["CONTINUATION.md", "memory/2026-11-22.md"]),
        ("share: [memory, lessons]", ["CONTINUATION.md"]),
        ("share: [everything]", ["CONTINUATION.md", "memory/2026-11-22.md", "tasks/lessons.md"]),
    ],
)
def test_what_is_shared_is_taken_out_of_the_block(project, repo, text, hidden):
    excludes.write_excludes(project, os.environ)
    share(project, text)
    excludes.write_excludes(project, os.environ)

    assert ignored(repo, "CONTINUATION.md", "memory/2026-11-22.md", "tasks/lessons.md") == hidden


def test_lessons_that_a_person_began_stay_visible_and_ours_stay_hidden(project, repo):
    lessons = repo / "tasks" / "lessons.md"
    lessons.parent.mkdir()
    lessons.write_text("- mine\n")
    excludes.write_excludes(project, os.environ)
    assert ignored(repo, "tasks/lessons.md") == []

    lessons.unlink()
    excludes.write_excludes(project, os.environ)
    lessons.write_text("# Lessons\n")
    excludes.write_excludes(project, os.environ)
    assert ignored(repo, "tasks/lessons.md") == ["tasks/lessons.md"]


def test_laid_twice_is_laid_once_and_taken_away_leaves_what_was(project, repo):
    own = repo / ".claude" / "memory" / ".gitignore"
    own.parent.mkdir(parents=True)
    own.write_bytes(b"mine.txt")
    before = (repo / ".git" / "info" / "exclude").read_bytes()
    excludes.write_excludes(project, os.environ)
    once = own.read_bytes()
    excludes.write_excludes(project, os.environ)

    assert own.read_bytes() == once
    assert excludes.remove_excludes(project)
    assert own.read_bytes() == b"mine.txt\n"
    assert (repo / ".git" / "info" / "exclude").read_bytes() == before


def test_a_file_of_our_own_goes_when_the_block_goes(project, repo):
    excludes.write_excludes(project, os.environ)
    own = repo / ".claude" / "memory" / ".gitignore"
    assert own.exists()
    excludes.remove_excludes(project)
    assert not own.exists()


def test_a_worktree_and_a_bare_repository(repo, tmp_path):
    git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    assert excludes.write_excludes(projects.find(str(tree), os.environ), os.environ)
    assert ignored(tree, "CONTINUATION.md") == ["CONTINUATION.md"]
    assert (repo / ".claude" / "memory" / ".gitignore").exists()

    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "second"))
    assert excludes.write_excludes(projects.find(str(tmp_path / "second"), os.environ), os.environ)
    assert ignored(tmp_path / "second", "CONTINUATION.md") == ["CONTINUATION.md"]


def test_a_memory_folder_that_leads_out_of_the_project_gets_nothing(project, repo, tmp_path):
    (tmp_path / "out").mkdir()
    (repo / ".claude").mkdir()
    os.symlink(tmp_path / "out", repo / ".claude" / "memory")
    excludes.write_excludes(project, os.environ)

    assert os.listdir(tmp_path / "out") == []


def test_what_cannot_be_written_is_said_not_raised(project, repo):
    (repo / ".claude").write_text("a file")

    assert not excludes.write_excludes(project, os.environ)


@given(st.binary(max_size=60), st.sampled_from([b"", excludes.OPEN, excludes.CLOSE]))
def test_blocks_are_idempotent_and_keep_other_bytes(text, mark):
    names = (b"/a", b"/b")
    laid = excludes.block(text + mark, names)

    assert excludes.block(laid, names) == laid
    assert b"\n".join((excludes.OPEN, *names, excludes.CLOSE)) in laid
    if excludes.OPEN not in text + mark:
        assert excludes.without(laid).startswith(text + mark)
