"""Folders whose names hold a secret: the journal has their labels, and the work tree is found again."""

import os
from pathlib import Path

import pytest
from repos import git
from secretsamples import made

from belay.repository import projects
from belay.safety.labels import make_label
from belay.session import continuation_files
from belay.session.session import Session, at_its_work_tree

NAME, SECRET = "11111111-aaaa", made(36)
FOLDER = "gh" + "p_" + SECRET


@pytest.fixture
def linked(repo):
    """A linked worktree with a secret in its name, and a package of such a name in it."""
    git(repo, "worktree", "add", "-q", str(repo.parent / FOLDER), "-b", "side")
    (repo.parent / FOLDER / "packages" / FOLDER / "web").mkdir(parents=True)
    return repo.parent / FOLDER


def begin(root, folder=""):
    session = Session(projects.find(str(root), os.environ), NAME, os.environ, os.path.join(root, folder))
    session.log("start", **session.place())
    session.log("prompt", task="mend the parser", text="mend the parser", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    return session


def test_the_journal_has_labels_only(linked):
    session = begin(linked, f"packages/{FOLDER}/web")
    session.save()

    assert session.state["root"] == make_label(str(linked)) != str(linked)
    assert session.state["folder"] == f"packages/{make_label(FOLDER)}/web"
    kept = [path for path in Path(session.project.store).rglob("*") if path.is_file()]
    assert [path for path in kept if SECRET.encode() in path.read_bytes()] == []


def test_another_process_finds_the_work_tree_and_the_folder(repo, linked):
    begin(linked, f"packages/{FOLDER}/web")
    other = at_its_work_tree(Session(projects.find(str(repo), os.environ), NAME, os.environ))

    assert other.project.root == str(linked)
    assert other.folder == f"packages/{FOLDER}/web"


def test_its_continuation_waits_in_its_work_tree(repo, linked):
    begin(linked)
    other = at_its_work_tree(Session(projects.find(str(repo), os.environ), NAME, os.environ))
    (linked / "file.txt").write_text("changed\n")

    assert continuation_files.refresh(other) == ""
    assert "mend the parser" in (linked / "CONTINUATION.md").read_text()
    assert "Uncommitted: `file.txt`" in (linked / "CONTINUATION.md").read_text()


def test_a_work_tree_that_is_gone_is_not_taken_for_another(repo, linked):
    begin(linked)
    git(repo, "worktree", "remove", "--force", str(linked))
    session = Session(projects.find(str(repo), os.environ), NAME, os.environ)

    assert at_its_work_tree(session).project.root == str(repo)
    assert continuation_files.gather_facts(session.project, session.state, "side").uncommitted == []
