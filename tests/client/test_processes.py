"""Work that outlives a hook, and whether a client is still alive."""

import gc
import os
import subprocess
import sys
import time

from belay.client import processes
from belay.core import files, paths


def wait(path):
    until = time.monotonic() + 60
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.01)
    return path.exists()


def test_the_work_survives_the_process_group_that_started_it(tmp_path):
    script = f"""
import sys, os, time
sys.path[0:0] = [{paths.resource("lib")!r}]
from belay.client import processes as detach
def work():
    time.sleep(0.3)
    with open({str(tmp_path / "part")!r}, "w") as file:
        file.write(f"{{os.getppid()}} {{os.getsid(0)}} {{os.nice(0)}}")
    os.rename({str(tmp_path / "part")!r}, {str(tmp_path / "done")!r})
detach.run_detached(work)
print("back", flush=True)
time.sleep(60)
"""
    hook = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True)
    assert hook.stdout.readline() == b"back\n"
    os.killpg(hook.pid, 9)
    hook.wait()
    hook.stdout.close()
    assert wait(tmp_path / "done")
    parent, session, nice = map(int, (tmp_path / "done").read_text().split())
    assert hook.pid not in (parent, session)
    assert nice >= processes.NICE


def test_what_breaks_in_detached_work_is_logged():
    def work():
        raise ValueError("the disk is upside down")

    processes.run_detached(work)
    log = paths.log_file(os.environ)
    until = time.monotonic() + 60
    while time.monotonic() < until and not (os.path.exists(log) and os.path.getsize(log)):
        time.sleep(0.01)
    with open(log) as file:
        assert "ValueError: the disk is upside down" in file.read()


def test_detached_work_collects_what_a_hook_does_not(tmp_path):
    told = tmp_path / "told"
    was_on = gc.isenabled()
    gc.disable()
    try:
        processes.run_detached(lambda: files.write(str(told), str(gc.isenabled()).encode()))
    finally:
        if was_on:
            gc.enable()
    assert wait(told)
    assert told.read_text() == "True"


def test_the_client_is_alive_until_it_is_not():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    name = f"{child.pid}.{processes._start(child.pid)}"
    assert processes.is_alive(name)
    child.communicate(b"\n")
    assert not processes.is_alive(name)
    assert processes.is_alive(processes.name_client())


def test_a_process_number_used_again_is_another_process():
    assert not processes.is_alive(f"{os.getpid()}.1")


def test_names_that_are_none_are_not_alive():
    for name in ("", ".", "0.", "1.", "-1.", "x.y", "99999999.5", "²."):
        assert not processes.is_alive(name)
