"""The hooks' own lock and filelock on the same file exclude each other, both ways, across processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import filelock
import pytest

from belay.core import lock
from belay.core.errors import LockTimeout

LIB = str(Path(lock.__file__).resolve().parents[2])
HOLDERS = {
    "ours": "from belay.core.lock import hold\nwith hold(path):\n    wait()",
    "filelock": "import filelock\nwith filelock.FileLock(path):\n    wait()",
}
WAITING = "import sys\nsys.path.insert(0, sys.argv[2])\npath = sys.argv[1]\ndef wait():\n    print('held', flush=True)\n    sys.stdin.read()\n"


@pytest.fixture
def holder(tmp_path):
    """Return a function that starts a process holding the lock in one of two ways."""
    started = []

    def start(kind):
        path = str(tmp_path / "state" / "lock")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        command = [sys.executable, "-c", WAITING + HOLDERS[kind], path, LIB]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "held\n"
        return path, process

    yield start
    for process in started:
        process.stdin.close()
        process.stdout.close()
        assert process.wait(timeout=10) in (0, -9)


@pytest.mark.parametrize("kind", HOLDERS)
def test_our_lock_waits_for_either_holder_until_its_deadline(holder, kind):
    path, _ = holder(kind)

    start = time.monotonic()
    with pytest.raises(LockTimeout) as caught, lock.hold(path, deadline=0.2):
        pass
    assert 0.2 <= time.monotonic() - start < 30
    assert str(caught.value) == f"{path}: held by another process for over 0.2 s; try again"


@pytest.mark.parametrize("kind", HOLDERS)
def test_filelock_waits_for_either_holder(holder, kind):
    path, _ = holder(kind)

    with pytest.raises(filelock.Timeout), filelock.FileLock(path, timeout=0.2):
        pass


@pytest.mark.parametrize("kind", HOLDERS)
def test_a_killed_holder_leaves_the_lock_free_for_both(holder, kind):
    path, process = holder(kind)
    process.kill()
    process.wait(timeout=10)

    with lock.hold(path, deadline=2):
        pass
    with filelock.FileLock(path, timeout=2):
        pass


def test_both_use_one_file_that_is_never_replaced(tmp_path):
    path = str(tmp_path / "lock")
    with lock.hold(path):
        inode = os.stat(path).st_ino
    with filelock.FileLock(path):
        assert os.stat(path).st_ino == inode
    assert os.stat(path).st_ino == inode


COUNTING = """
import sys
sys.path.insert(0, sys.argv[2])
path, counter, kind = sys.argv[1], sys.argv[3], sys.argv[4]
import filelock
from belay.core.lock import hold
for _ in range(40):
    with hold(path, deadline=30) if kind == "ours" else filelock.FileLock(path):
        with open(counter) as file:
            number = int(file.read())
        with open(counter, "w") as file:
            file.write(str(number + 1))
"""


def test_no_step_is_lost_between_the_two_kinds(tmp_path):
    path, counter = str(tmp_path / "lock"), tmp_path / "counter"
    counter.write_text("0")
    kinds = ("ours", "filelock", "ours", "filelock")
    runs = [
        subprocess.Popen([sys.executable, "-c", COUNTING, path, LIB, str(counter), kind]) for kind in kinds
    ]
    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0, 0]
    assert counter.read_text() == "160"
