"""Writes that a kill cannot tear."""

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from belay.core import files, paths


def names(folder):
    return sorted(os.listdir(folder))


def test_write_replaces_the_file_and_keeps_its_mode(tmp_path):
    path = tmp_path / "deep" / "file.md"
    files.write(str(path), b"one")
    path.chmod(0o600)
    files.write(str(path), b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert names(path.parent) == ["file.md"]


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "file.md"
    path.write_bytes(b"old")

    def full(handle, data):
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="no space"):
        files.write(str(path), b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file.md"]


def test_short_writes_are_finished(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:3]))
    files.write(str(tmp_path / "file"), b"0123456789")
    monkeypatch.undo()
    assert (tmp_path / "file").read_bytes() == b"0123456789"


def test_an_appended_line_is_one_write_and_one_sync(tmp_path, monkeypatch):
    path = str(tmp_path / "log")
    files.append_line(path, b"first")
    written, synced = [], []
    real_write, real_sync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda handle, data: written.append(bytes(data)) or real_write(handle, data))
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(handle) or real_sync(handle))
    files.append_line(path, b"second")
    assert written == [b"second\n"]
    assert len(synced) == 1


def test_a_torn_tail_is_closed_in_the_same_write(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"whole\ntor")
    files.append_line(str(path), b"next")
    assert path.read_bytes() == b"whole\ntor\nnext\n"


def test_a_line_the_disk_took_in_part_is_an_error(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:4]))
    with pytest.raises(OSError, match="part of the record"):
        files.append_line(str(tmp_path / "log"), b"0123456789")


def test_neither_write_nor_append_follows_a_link_out(tmp_path):
    target = tmp_path / "profile"
    target.write_bytes(b"mine\n")
    (tmp_path / "ledger").symlink_to(target)
    with pytest.raises(OSError, match="symbolic"):
        files.append_line(str(tmp_path / "ledger"), b"{}")
    (tmp_path / f"state.{os.getpid()}.tmp").symlink_to(target)
    files.write(str(tmp_path / "state"), b"{}")
    assert (tmp_path / "state").read_bytes() == b"{}"
    with pytest.raises(OSError, match="symbolic"):
        files.write(str(tmp_path / "ledger"), b"{}")
    assert target.read_bytes() == b"mine\n"


def test_reading_a_pipe_or_a_folder_gives_nothing_and_does_not_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "", "absent"):
        path = str(tmp_path / name)
        assert (files.read(path), files.read_from(path, 3), files.tail(path, 10)) == (b"", b"", b"")


def test_tail_gives_whole_lines_only(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"one\ntwo\nthree\n")
    assert files.tail(str(path), 8) == b"three\n"
    assert files.tail(str(path), 100) == b"one\ntwo\nthree\n"
    assert files.read_from(str(path), 4) == b"two\nthree\n"
    assert files.read_from(str(path), 99) == b""
    assert files.read(str(path), 5) == b"one\nt"


WRITER = """
import os, sys
sys.path[0:0] = [sys.argv[1]]
from belay.core import files as atomic
data = [bytes([65 + n]) * 200_000 for n in range(2)]
print("on", flush=True)
n = 0
while True:
    n += 1
    atomic.write(sys.argv[2], data[n % 2], sync=False)
"""


def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"A" * 200_000)
    for n in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, paths.resource("lib"), str(path)], stdout=subprocess.PIPE
        )
        assert writer.stdout.readline() == b"on\n"
        time.sleep(0.003 * n)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert path.read_bytes() in (b"A" * 200_000, b"B" * 200_000)


def test_what_a_folder_holds_is_listed_in_order_and_nothing_where_there_is_none(tmp_path):
    for name in ("b.md", "a.md"):
        (tmp_path / name).write_bytes(b"")

    assert files.list_names(str(tmp_path)) == ["a.md", "b.md"]
    assert files.list_names(str(tmp_path / "none")) == files.list_names(str(tmp_path / "a.md")) == []


def test_the_time_of_a_write_is_in_seconds_and_0_for_what_is_not_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"")
    os.utime(path, (1.0, 1_700_000_000.5))

    assert files.written_at(str(path)) == 1_700_000_000.5
    assert files.written_at(str(tmp_path / "none")) == 0.0
