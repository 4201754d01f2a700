"""A lock file that is none: each hook answers, each command says in one line where, what and how to mend it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import doors
import pytest
from commandline import belay
from faults.places import memory

from belay.memory import memory_files

HOLD = "import sys, time; sys.path[:0] = sys.argv[2:]; from belay.core.lock import hold\nwith hold(sys.argv[1]): print('held', flush=True); time.sleep(60)"
COMMANDS = (
    ("handoff",), ("status",), ("buffer",), ("capture", "we chose Zod"), ("remember", "we chose Zod"), ("compress",),
    ("decision", "Zod for forms"), ("memory", "show"), ("diff",), ("health",), ("branch", "list"), ("rebuild", "--yes"),
    ("trust", "--all"), ("ack", "--all"), ("continue",), ("review",), ("search", "zod"), ("index", "."), ("distill",),
    ("promote", "Zod everywhere", "--yes"), ("journal",), ("doctor",),
)  # fmt: skip


@pytest.fixture
def locks(project):
    """Every lock that a session and a command take, by their first use."""
    memory(project)
    doors.run("session_start", project.root, source="startup")
    doors.run("user_prompt_submit", project.root, prompt=doors.CORRECTION, prompt_id="p-1")
    belay(project.root, "decision", "Postgres for orders")
    top = Path(os.environ["XDG_DATA_HOME"])
    found = [path for folder in (top, Path(project.store)) for path in folder.rglob("*lock*") if path.is_file()]
    found += [path for path in (top / "belay" / "locks").iterdir() if path not in found]
    assert any(path == Path(project.lock) for path in found)
    return found


def make_folder(path, _):
    path.unlink()
    path.mkdir()


def make_link(path, outside):
    path.unlink()
    path.symlink_to(outside)


def make_loop(path, _):
    path.unlink()
    path.symlink_to(path)


def memory_lock(project):
    """Return the lock of a project's memory files, which was taken once."""
    memory(project)
    with memory_files.lock_memory(project):
        (path,) = Path(os.environ["XDG_DATA_HOME"], "belay", "locks").iterdir()
    return path


@pytest.mark.parametrize("break_lock", [make_folder, make_link, make_loop])
def test_commands_and_hooks_go_on_without_a_lock(project, locks, tmp_path, break_lock):
    outside = tmp_path / "outside"
    outside.write_text("not yours")
    for path in locks:
        break_lock(path, outside)
    for command in COMMANDS:
        done = belay(project.root, *command)
        assert "Traceback" not in done.stderr, (command, done.stderr[-1500:])
        assert done.returncode in (0, 1), (command, done.stderr)
        assert done.returncode == 0 or len((done.stderr or done.stdout).splitlines()) <= 3 or command == ("doctor",)
    for event in doors.EVENTS:
        said = doors.run(event, project.root, prompt="No, use port 6000 for caches.", prompt_id="p-2", source="startup")
        assert (said.returncode, said.stderr) == (0, b"")
    assert outside.read_text() == "not yours"


def test_handoff_says_which_lock_and_what_to_do(project):
    path = memory_lock(project)
    make_folder(path, None)
    done = belay(project.root, "handoff")

    assert done.returncode == 1
    assert done.stderr == f"belay: {path}: is no file, but a folder, a pipe or a device; move it away\n"


def test_the_lock_of_a_dead_process_is_free(project):
    path = memory_lock(project)
    library = str(Path(doors.paths.PLUGIN_ROOT) / "lib")
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path), library], stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
        holder.wait()
        begun = time.monotonic()
        done = belay(project.root, "handoff")

    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - begun < 20
