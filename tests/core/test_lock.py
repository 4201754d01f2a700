"""The hooks' lock and filelock's, on the same file: each excludes the other, with real processes."""

import itertools
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from belay.core import lock
from belay.core.errors import LockTimeout

LIB = str(Path(lock.__file__).resolve().parents[2])
KINDS = ("hook", "filelock")
PAIRS = list(itertools.product(KINDS, KINDS))
BEGIN = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
path, kind = sys.argv[2:4]
from belay.core import lock
from belay.core.errors import LockTimeout
lock.use_filelock(kind == "filelock")
def say(word):
    print(word, flush=True)
"""
HOLD = """
with lock.hold(path):
    say("filelock" if "filelock" in sys.modules else "hook")
    sys.stdin.read()
"""
FORK = """
with lock.hold(path):
    child = os.fork()
    if not child:
        try:
            with lock.hold(path, 0.2):
                say("taken twice")
        except LockTimeout:
            say("refused")
        sys.stdin.read()
        os._exit(0)
    time.sleep(0.5)
say("released")
os._exit(0)
"""


@pytest.fixture(params=KINDS)
def kind(request):
    """Take this process's locks in one of the two ways."""
    before = lock.use_filelock(request.param == "filelock")
    yield request.param
    lock.use_filelock(before)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "state" / "lock")


@pytest.fixture
def start(path):
    """Return a function that starts a process with some code and one kind of lock."""
    started = []

    def begin(code, kind):
        command = [sys.executable, "-c", BEGIN + code, LIB, path, kind]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.stdin.close()
        process.stdout.close()
        assert process.wait(timeout=10) in (0, -9)


@pytest.mark.parametrize("other", KINDS)
def test_a_held_lock_is_waited_for_until_the_deadline(start, path, kind, other):
    assert start(HOLD, other).stdout.readline() == f"{other}\n"

    begun = time.monotonic()
    with pytest.raises(LockTimeout) as caught, lock.hold(path, deadline=0.2):
        pass
    assert 0.2 <= time.monotonic() - begun < 30
    assert str(caught.value) == f"{path}: held by another process for over 0.2 s; try again"
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("other", KINDS)
def test_without_a_deadline_a_held_lock_is_refused_at_once(start, path, kind, other):
    assert start(HOLD, other).stdout.readline() == f"{other}\n"

    with pytest.raises(LockTimeout), lock.hold(path, 0.0):
        pass


@pytest.mark.parametrize("other", KINDS)
def test_a_released_lock_is_taken(start, path, kind, other):
    process = start(HOLD, other)
    process.stdout.readline()
    process.stdin.close()

    with lock.hold(path, deadline=10):
        assert process.wait(timeout=10) == 0


@pytest.mark.parametrize("other", KINDS)
def test_a_killed_holder_leaves_the_lock_free(start, path, kind, other):
    process = start(HOLD, other)
    process.stdout.readline()
    process.kill()
    process.wait(timeout=10)

    with lock.hold(path, deadline=2):
        pass


@pytest.mark.parametrize("other", KINDS)
def test_a_forked_child_neither_takes_nor_keeps_the_lock(start, path, kind, other):
    process = start(FORK, other)
    assert [process.stdout.readline() for _ in range(2)] == ["refused\n", "released\n"]

    with lock.hold(path, deadline=2):  # though the child still runs
        pass


@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_one_process_does_not_take_a_lock_twice(path, outer, inner):
    before = lock.use_filelock(outer == "filelock")
    try:
        with lock.hold(path):
            lock.use_filelock(inner == "filelock")
            with pytest.raises(LockTimeout), lock.hold(path, deadline=0.1):
                pass
        with lock.hold(path, deadline=0.1):
            pass
    finally:
        lock.use_filelock(before)


def test_all_use_one_private_file_that_is_never_replaced_or_emptied(path):
    states = []
    for kind in (*KINDS, "hook"):
        before = lock.use_filelock(kind == "filelock")
        with lock.hold(path):
            state = os.stat(path)
            states.append((state.st_ino, state.st_mode & 0o777, state.st_size))
        lock.use_filelock(before)
        Path(path).write_text("x")

    assert {inode for inode, _, _ in states} == {os.stat(path).st_ino}
    assert [(mode, size) for _, mode, size in states] == [(0o600, 0), (0o600, 1), (0o600, 1)]
    assert os.listdir(os.path.dirname(path)) == ["lock"]


def test_filelock_makes_the_file_private_too(path, kind):
    with lock.hold(path):
        assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_link_is_never_followed(path, kind, tmp_path):
    os.makedirs(os.path.dirname(path))
    os.symlink(tmp_path / "elsewhere", path)

    with pytest.raises(OSError, match=r"symbolic link|Too many levels"), lock.hold(path, 0.1):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_without_filelock_the_small_lock_serves(monkeypatch, path):
    monkeypatch.setitem(sys.modules, "filelock", None)
    before = lock.use_filelock()
    try:
        with lock.hold(path), pytest.raises(LockTimeout), lock.hold(path, 0.0):
            pass
    finally:
        lock.use_filelock(before)


COUNT = """
counter = path + ".counter"
for _ in range(40):
    with lock.hold(path, deadline=30):
        with open(counter) as file:
            number = int(file.read())
        with open(counter, "w") as file:
            file.write(str(number + 1))
"""


def test_no_step_is_lost_between_the_two_kinds(start, path):
    os.makedirs(os.path.dirname(path))
    Path(path + ".counter").write_text("0")
    runs = [start(COUNT, kind) for kind in (*KINDS, *KINDS)]

    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0, 0]
    assert Path(path + ".counter").read_text() == "160"
