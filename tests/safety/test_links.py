"""Nothing is written through a link that leads out of the project."""

import os

import pytest
from doors import CORRECTION, run, said

from belay.core import files
from belay.memory.branches import merge_driver
from belay.repository import projects
from belay.session import journal

FOLDERS = [
    ".claude",
    ".claude/memory",
    ".claude/memory/journal",
    ".claude/memory/state",
    ".git/belay",
    ".git/info",
    "memory",
]


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "theirs.txt").write_text("theirs\n")
    return folder


def contents(folder):
    return {str(path.relative_to(folder)): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def put(repo, name, target):
    place = repo / name
    if place.is_dir():
        place.rename(repo.parent / "aside")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


@pytest.mark.parametrize("names", [*([name] for name in FOLDERS), [".claude", ".git/belay"]], ids="+".join)
def test_a_capture_goes_into_no_linked_folder(repo, outside, names):
    for name in names:
        put(repo, name, outside)
    before = contents(outside)

    said(run("session_start", repo, source="startup"))
    told, _ = said(run("user_prompt_submit", repo, prompt=CORRECTION))
    assert "Recorded C-" in told
    project = projects.find(str(repo), os.environ)
    assert journal.list_sessions(project.journals)
    assert contents(outside) == before


def test_every_write_below_a_project_stays_there(repo, outside):
    project = projects.find(str(repo), os.environ)
    put(repo, ".memory", outside)
    place = os.path.join(project.overlays, "feature.md")
    with pytest.raises(OSError, match="a link leads out of the project; remove the link"):
        files.write(place, b"x")
    assert contents(outside) == {"theirs.txt": b"theirs\n"}

    (repo / "real").mkdir()
    os.symlink("real", repo / "inner")
    files.write(str(repo / "inner" / "a.md"), b"x")
    assert (repo / "real" / "a.md").read_bytes() == b"x"


def test_a_project_that_is_reached_through_a_link_works(repo, tmp_path):
    (tmp_path / "by-link").symlink_to(repo)

    told, _ = said(run("user_prompt_submit", tmp_path / "by-link", prompt=CORRECTION))
    assert "Recorded C-" in told
    assert (repo / ".claude" / "memory" / "journal").is_dir()


def test_the_merge_driver_names_a_linked_folder_of_git(repo, outside):
    put(repo, ".git/info", outside)

    with pytest.raises(merge_driver.BelayError, match="is a link out of this repository; remove the link"):
        merge_driver.install_driver(projects.find(str(repo), os.environ))
    assert contents(outside) == {"theirs.txt": b"theirs\n"}
