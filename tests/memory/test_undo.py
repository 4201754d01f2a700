"""A record of what can be taken back says what Belay wrote, or it says nothing."""

import json
import os
import shutil

import pytest

from belay.core.errors import BelayError
from belay.memory import undo


@pytest.fixture
def changed(project):
    """A memory file that a command changed, and the folder of its record."""
    with open(project.memory_md, "w") as file:
        file.write("old\n")
    folder = undo.begin_record(project, os.environ, "diff", [project.memory_md])
    with open(project.memory_md, "w") as file:
        file.write("new\n")
    undo.finish_record(project, os.environ, folder)
    return folder


def record(folder, change):
    path = os.path.join(folder, undo.RECORD_FILE)
    with open(path) as file:
        found = json.load(file)
    change(found)
    with open(path, "w") as file:
        json.dump(found, file)


def text(path):
    with open(path) as file:
        return file.read()


def test_a_change_is_taken_back(project, changed):
    assert undo.undo_last_change(project, os.environ, "diff") == ["MEMORY.md"]
    assert text(project.memory_md) == "old\n"
    assert not os.path.exists(changed)


def test_a_record_that_was_rewritten_under_its_own_mark_is_none(project, changed, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("new\n")
    record(changed, lambda found: found["files"][0].update(path=os.path.relpath(victim, project.root)))

    with pytest.raises(undo.NothingToUndo):
        undo.undo_last_change(project, os.environ, "diff")
    assert victim.read_text() == "new\n"


def test_a_copy_that_was_changed_is_not_put_back(project, changed):
    (copy,) = [name for name in os.listdir(changed) if name != undo.RECORD_FILE]
    with open(os.path.join(changed, copy), "w") as file:
        file.write("theirs\n")

    with pytest.raises(BelayError, match="copy was changed"):
        undo.undo_last_change(project, os.environ, "diff")
    assert text(project.memory_md) == "new\n"


def test_what_somebody_else_put_there_pushes_no_record_out(project, changed):
    for number in range(undo.MOST_RECORDS + 5):
        forged = os.path.join(project.undo, f"diff-2999-01-{number:02d}")
        shutil.copytree(changed, forged)
        os.mkdir(os.path.join(forged, "folder"))
    with open(os.path.join(project.undo, "diff-2999-file"), "w") as file:
        file.write("[" * 100_000)
    with open(os.path.join(forged, undo.RECORD_FILE), "w") as file:
        file.write("[" * 100_000)

    undo.begin_record(project, os.environ, "diff", [project.memory_md])

    assert os.path.isdir(changed)
    assert os.path.isdir(os.path.join(forged, "folder"))


def test_a_folder_that_became_a_link_out_is_not_written_through(project, tmp_path):
    inside, outside = os.path.join(project.root, "notes"), tmp_path / "outside"
    os.mkdir(inside)
    with open(os.path.join(inside, "a.md"), "w") as file:
        file.write("old\n")
    undo.begin_record(project, os.environ, "diff", [os.path.join(inside, "a.md")])
    shutil.move(inside, outside)
    os.symlink(outside, inside)

    with pytest.raises(BelayError, match="was changed since"):
        undo.undo_last_change(project, os.environ, "diff")
    assert (outside / "a.md").read_text() == "old\n"
