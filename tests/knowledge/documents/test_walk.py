"""Which files are found, by git and without it."""

import os

from repos import git, repository

from belay.knowledge.documents import walk
from belay.repository.git import process


def write(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")


def found(folder, **more):
    return walk.list_files(str(folder), **more)[0]


def test_where_git_does_not_answer_its_ignore_files_still_count(repo, monkeypatch):
    write(repo, "a.md", "private/b.md", "docs/c.md")
    (repo / ".gitignore").write_text("private/\n")
    by_git = found(repo)

    def missing(*_, **__):
        raise process.GitMissing("git", "is not on PATH")

    monkeypatch.setattr(process, "run", missing)
    assert found(repo) == by_git == ["a.md", "docs/c.md", "file.txt"]


def test_a_repository_within_is_another_project(repo):
    write(repo, "a.md")
    inner = repository(repo / "inner")
    write(inner, "b.md")

    assert found(repo) == ["a.md", "file.txt"]


def test_what_git_tracks_and_is_gone_is_named_once_and_left_to_the_reader(repo):
    write(repo, "a.md")
    git(repo, "add", "a.md")
    (repo / "a.md").unlink()

    assert found(repo) == ["a.md", "file.txt"]


def test_names_of_any_letters_come_whole(tmp_path):
    names = ["ä ö.md", "new\nline.md", '"quoted".md', "日本.md"]
    write(tmp_path, *names)
    assert found(tmp_path) == sorted(names)
    git(tmp_path, "init", "-q")

    assert found(tmp_path) == sorted(names)


def test_source_files_only_when_asked_for(tmp_path):
    write(tmp_path, "a.md", "b.py", "c.go", "d.bin")

    assert found(tmp_path) == ["a.md"]
    assert found(tmp_path, code=True) == ["a.md", "b.py", "c.go"]


def test_links_lead_nowhere(tmp_path):
    write(tmp_path, "in/a.md", "out/b.md")
    os.symlink(tmp_path / "out", tmp_path / "in" / "out")
    os.symlink(tmp_path / "in", tmp_path / "in" / "round")

    assert found(tmp_path / "in") == ["a.md"]
