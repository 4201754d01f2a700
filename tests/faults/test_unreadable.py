"""A file that cannot be read for a moment is not taken for an empty one: nothing in it is lost by the next write."""

import errno
import os
from pathlib import Path

import pytest
from faults.places import memory

from belay.core import files
from belay.memory import memory_files
from belay.repository import excludes, vetting
from belay.safety import trust
from belay.session import working_buffer

NAME = "MEMORY.md"


@pytest.fixture
def fail(monkeypatch):
    """Let the opening of some files fail, as where a process has no handle left."""
    real = os.open

    def fail_for(*paths):
        def refuse(path, flags, *rest, **options):
            if str(path) in paths and not flags & (os.O_WRONLY | os.O_RDWR):
                raise OSError(errno.EMFILE, "Too many open files", path)
            return real(path, flags, *rest, **options)

        monkeypatch.setattr(os, "open", refuse)

    yield fail_for
    monkeypatch.setattr(os, "open", real)


def test_load_fails_where_read_says_nothing(tmp_path, fail):
    path = tmp_path / "a"
    path.write_text("here")
    assert files.load(str(path)) == b"here"
    fail(str(path))

    assert (files.read(str(path)), files.read(str(tmp_path / "none"))) == (b"", b"")
    assert files.load(str(tmp_path / "none")) == b""
    with pytest.raises(OSError, match="Too many"):
        files.load(str(path))


def test_trust_is_neither_lost_nor_judged_without_its_store(project, fail, monkeypatch):
    memory(project)
    store = trust.paths.trust_file(os.environ)
    before = Path(store).read_bytes()
    fail(store)

    assert not trust.record(os.environ, project.root, "CONTINUATION.md", b"new")
    assert vetting.read_trusted(project, os.environ, [NAME]) == ({}, [])
    assert Path(store).read_bytes() == before
    fail()
    assert [*vetting.read_trusted(project, os.environ, [NAME])[0]] == [NAME]


def test_a_memory_file_is_not_written_over_what_could_not_be_read(project, fail, monkeypatch):
    memory(project)
    before = Path(project.memory_md).read_bytes()
    monkeypatch.setattr(memory_files, "explain_refusal", lambda *_: "")
    fail(project.memory_md)
    saved = memory_files.change_file(project, os.environ, project.memory_md, lambda text: text + "more\n")

    assert "cannot be read" in saved.why
    fail()
    assert Path(project.memory_md).read_bytes() == before


def test_the_buffer_keeps_what_was_written_by_hand(project, fail, monkeypatch):
    path = Path(project.buffer)
    path.parent.mkdir(exist_ok=True)
    path.write_text("# Working buffer\n\nmy own line\n")
    monkeypatch.setattr(working_buffer, "explain_refusal", lambda _: "")
    fail(str(path))
    with pytest.raises(OSError, match="Too many"):
        working_buffer.update(str(path), project.own_lines(), [("s", ["a line"])])
    fail()

    assert "my own line" in path.read_text()


def test_the_repositorys_ignore_file_keeps_its_lines(project, fail):
    path = Path(project.exclude)
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine.txt\n")
    Path(project.buffer).parent.mkdir(exist_ok=True)
    Path(project.buffer).touch()
    fail(str(path))
    excludes.write_excludes(project, os.environ)
    fail()

    assert path.read_text() == "mine.txt\n"
