"""Replacing MEMORY.md: what stood is kept, comes back, and is never half."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from repos import git

from belay.core import files
from belay.core.errors import BadInput
from belay.memory import memory_files, undo
from belay.memory.rebuild import existing_file, writing
from belay.safety import trust

LIB = str(Path(writing.__file__).resolve().parents[3])
OLD = "# Project Memory\n\n## Project Overview\nold\n\n## Where We Left Off\n- **Current task:** t\n"
NEW = OLD.replace("old", "new")


def own(project, text=OLD):
    """Write MEMORY.md as Belay does."""
    memory_files.write_file(project, os.environ, project.memory_md, text)


def saved(project, text=NEW):
    with memory_files.lock_memory(project):
        return writing.save_memory(project, os.environ, text, existing_file.check_existing(project, os.environ))


def undone(project):
    with memory_files.lock_memory(project):
        return undo.undo_last_change(project, os.environ, writing.COMMAND)


def test_what_stood_is_kept_and_comes_back(project):
    own(project)
    kept = saved(project)

    assert files.read(project.memory_md).decode() == NEW
    assert kept.startswith(".claude/memory/undo/rebuild-2")
    assert OLD.encode() in [path.read_bytes() for path in Path(project.at(kept)).iterdir()]
    assert trust.is_known(os.environ, project.root, "MEMORY.md", NEW.encode())
    assert undone(project) == ["MEMORY.md"]
    assert files.read(project.memory_md).decode() == OLD


def test_where_nothing_stood_an_undo_takes_it_away(project):
    assert saved(project) == ""
    assert undone(project) == ["MEMORY.md"]
    assert not os.path.exists(project.memory_md)


@pytest.mark.parametrize(
    "data",
    [b"# Kite\n\nmy own notes\n", b"\xff\xfe\x00", OLD.encode() + b"```\nopen\n", b"", b"x" * 1_100_000],
)
def test_a_file_that_is_not_understood_is_kept_aside_byte_for_byte(project, data):
    Path(project.memory_md).write_bytes(data)
    before = existing_file.check_existing(project, os.environ)
    kept = saved(project)

    assert (before.state, before.text) == (existing_file.ASIDE, "")
    assert data in [path.read_bytes() for path in Path(project.at(kept)).iterdir()]
    assert files.read(project.memory_md).decode() == NEW
    undone(project)
    assert files.read(project.memory_md) == data


def test_a_strangers_memory_is_neither_shown_nor_replaced(project, repo):
    (repo / "MEMORY.md").write_text(OLD)
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "theirs")
    before = existing_file.check_existing(project, os.environ)

    assert (before.state, before.text) == (existing_file.FOREIGN, "")
    with pytest.raises(BadInput, match="came with a clone") as caught:
        saved(project)
    assert "belay trust MEMORY.md" in caught.value.mend
    assert (repo / "MEMORY.md").read_text() == OLD


def test_links_and_folders_are_left_alone(project, repo, tmp_path):
    (tmp_path / "outside").write_text("theirs")
    os.symlink(tmp_path / "outside", repo / "MEMORY.md")
    with pytest.raises(BadInput, match="symbolic link"):
        saved(project)
    assert (tmp_path / "outside").read_text() == "theirs"

    os.unlink(repo / "MEMORY.md")
    (repo / "MEMORY.md").mkdir()
    with pytest.raises(BadInput, match="not a file"):
        saved(project)


def test_the_conflict_of_a_merge_under_way_is_left_alone_and_a_forgotten_one_kept_aside(project, repo):
    conflict = OLD + "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    (repo / "MEMORY.md").write_text(conflict)
    (repo / ".git" / "MERGE_HEAD").write_text("0" * 40)
    assert existing_file.check_existing(project, os.environ).state == existing_file.REFUSED

    (repo / ".git" / "MERGE_HEAD").unlink()
    assert existing_file.check_existing(project, os.environ).state == existing_file.ASIDE


def test_a_file_that_changed_meanwhile_is_left_alone(project):
    own(project)
    before = existing_file.check_existing(project, os.environ)
    own(project, OLD + "\nmore\n")

    with pytest.raises(BadInput, match="changed meanwhile"):
        writing.save_memory(project, os.environ, NEW, before)


def test_killed_anywhere_the_file_is_old_or_new_and_what_stood_is_there(project):
    own(project)
    program = f"""
import os, signal, sys
sys.path.insert(0, {LIB!r})
from belay.core import files as atomic; from belay.memory import memory_files as pages; from belay.core import paths; from belay.repository import projects; from belay.memory import undo as takeback; from belay.safety import trust
from belay.memory.rebuild import existing_file as ground; from belay.memory.rebuild import writing as write
count = [int(sys.argv[1])]
def stop(frame, event, arg):
    if event == "call" and frame.f_code.co_filename.endswith(("core/files.py", "memory/undo.py", "rebuild/writing.py", "trust.py")):
        count[0] -= 1
        if count[0] == 0:
            os.kill(os.getpid(), {int(signal.SIGKILL)})
project = projects.find(os.getcwd(), os.environ)
with pages.lock_memory(project):
    before = ground.check_existing(project, os.environ)
    sys.setprofile(stop)
    write.save_memory(project, os.environ, {NEW!r}, before)
"""
    states = set()
    for at in range(1, 150, 6):
        shutil.rmtree(project.undo, ignore_errors=True)
        subprocess.run([sys.executable, "-c", program, str(at)], cwd=project.root, timeout=30)
        states.add(files.read(project.memory_md).decode())
        own(project)

    assert states == {OLD, NEW}
