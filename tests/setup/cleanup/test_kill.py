"""Killed before any change to the disk: everything is still there, another run finishes, an undo restores."""

import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from legacy import killed, pending, rows, tree, workshop, write

from belay.setup.cleanup import cleanup

WORK = ("undo", ".git")


def fill(root):
    """Legacy folders with every kind of step: moves, clashes, a merge of two logged databases, one copy, a sweep."""
    write(
        root,
        {".claude-work/memory/a.md": "a1", ".workshop/b.md": "b1", ".orchestration/evidence/e.txt": "e1"},
    )
    write(
        root,
        {".orchestration/b.md": "b2", ".claude-work/same.md": "s1", ".claude/orchestration/same.md": "s1"},
    )
    write(root, {".workshop/sub/c.md": "c1", ".claude/orchestration/sub/d.md": "d1", "MEMORY.md.1.tmp": "t1"})
    os.utime(root / "MEMORY.md.1.tmp", (1, 1))
    pending(root / ".workshop/workshop.db", ["w1"], checkpointed=["w2"])
    workshop(root / ".claude-work/memory/workshop.db", {"w2": "w2", "w3": "w3"})
    pending(root / ".claude/memory/workshop.db", ["w4"])
    pending(root / ".orchestration/other.db", ["w5"])


STRIDES = pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.campaign)])
"""Every fifth change to the disk; each of them in the campaign."""
IDS = {"w1", "w2", "w3", "w4", "w5"}


def contents(picture):
    return {entry[1] for entry in picture.values()}


def reachable(root):
    """Return what the entries say that stand anywhere in the tree."""
    ids = set()
    for path, (kind, content, _) in tree(root).items():
        if kind == stat.S_IFREG and content.startswith(b"SQLite") and not path.endswith(".work"):
            ids |= _ids(root / path)
    return ids


def _ids(path):
    # A log that was moved with its database is found beside it under the same name.
    copy = path.parent / "look"
    for end in ("", "-wal"):
        if os.path.exists(f"{path}{end}"):
            shutil.copy(f"{path}{end}", f"{copy}{end}")
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        found = {row[0] for row in connection.execute("SELECT content FROM entries")}
    for end in ("", "-wal", "-shm"):
        Path(f"{copy}{end}").unlink(missing_ok=True)
    return found


@pytest.fixture(autouse=True)
def unsynced(monkeypatch):
    """A kill loses nothing that was written: syncing would only cost the tests' time."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filled")
    fill(folder)
    return folder


def restart(project, filled):
    """Put the project's tree back to the filled one, at the same place."""
    for name in os.listdir(project.root):
        if name != ".git":
            path = Path(project.root, name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(filled, project.root, symlinks=True, dirs_exist_ok=True)


@STRIDES
def test_killed_anywhere_nothing_is_lost_and_the_next_run_finishes(project, filled, stride):
    root = Path(project.root)
    restart(project, filled)
    before = tree(root)
    assert cleanup.carry_out(project).done
    names = set(tree(root, skip=WORK))
    knowledge = rows(project.workshop, "SELECT content, seen FROM entries ORDER BY content")
    number, alive = 0, True
    while alive:
        restart(project, filled)
        alive = killed(lambda: cleanup.carry_out(project), number)
        assert contents(tree(root)) >= contents(before), number
        assert reachable(root) >= IDS, number
        cleanup.carry_out(project)
        assert set(tree(root, skip=WORK)) == names, number
        assert rows(project.workshop, "SELECT content, seen FROM entries ORDER BY content") == knowledge, number
        assert cleanup.take_back(project) == [], number
        assert tree(root) == before, number
        number += stride
    assert number > 60


@STRIDES
def test_killed_anywhere_an_undo_restores_at_once(project, filled, stride):
    root = Path(project.root)
    restart(project, filled)
    before = tree(root)
    number, alive = 0, True
    while alive:
        restart(project, filled)
        alive = killed(lambda: cleanup.carry_out(project), number)
        if cleanup.undo_record.last(project.undo):
            assert cleanup.take_back(project) == [], number
            assert tree(root) == before, number
        number += stride
    assert number > 60


@STRIDES
def test_an_undo_killed_anywhere_is_finished_by_the_next(project, filled, stride):
    root = Path(project.root)
    restart(project, filled)
    before = tree(root)
    number, alive = 0, True
    while alive:
        restart(project, filled)
        cleanup.carry_out(project)
        alive = killed(lambda: cleanup.take_back(project), number)
        assert contents(tree(root)) >= contents(before), number
        if cleanup.undo_record.last(project.undo):
            assert cleanup.take_back(project) == [], number
        after = tree(root)
        for trace in (".claude/memory/undo/lock", ".claude/memory/undo"):
            after.pop(trace, None)  # killed after the record went: only the empty folder can stay
        for folder in [path for path in after if path.startswith(".claude/memory/undo/")]:
            assert after.pop(folder)[0] == stat.S_IFDIR
        assert after == before, number
        number += stride
    assert number > 30


PARTS = st.sampled_from(["a", "b", "memory", "playbooks", "evidence", "workshop.db", "x.md"])
PLACES = st.sampled_from([".claude-work", ".orchestration", ".workshop", ".claude/memory", ".claude/orchestration"])
LEAVES = st.sampled_from(["1", "2", "link", "folder"])
TREES = st.lists(st.tuples(PLACES, st.lists(PARTS, min_size=1, max_size=3), LEAVES), max_size=12)


def grow(root, leaves):
    for place, parts, leaf in leaves:
        path = Path(root, place, *parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if leaf == "folder":
                path.mkdir()
            elif leaf == "link":
                path.symlink_to("../x")
            elif not path.is_symlink():
                path.write_text(leaf)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            continue


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(leaves=TREES)
def test_any_tree_is_cleaned_once_and_restored_byte_for_byte(project, leaves):
    root = Path(project.root)
    grow(root, leaves)
    before = tree(root)

    outcome = cleanup.carry_out(project)

    assert contents(tree(root)) >= contents(before)
    stuck = {project.relative(step.source) for step in outcome.steps if step.do == "leave"}
    for name in (".claude-work", ".orchestration", ".workshop"):
        assert (root / name).exists() == any(path.split("/")[0] == name for path in stuck)
    assert all(step.do == "leave" for step in cleanup.plan_steps(project))
    if outcome.undo:
        assert cleanup.take_back(project) == []
    assert tree(root) == before
    for name in (".claude-work", ".orchestration", ".workshop", ".claude"):
        shutil.rmtree(root / name, ignore_errors=True)
