"""Runs one command many times in copies of a project, killed at a given step each time; started by harness.py.

A process of its own: it loads the command line once and forks a child a run, so that a run costs what the command
costs. Read from stdin: {lib, place, kept, argv or code, stdin, steps, after}. Steps count what changes the disk: files
opened for writing, renames, removals, new folders. Printed, a JSON line each: first the whole run, then one a step.
"""

import json
import os
import select
import shutil
import signal
import sys

SPEC = json.load(sys.stdin)
sys.path[:0] = SPEC["lib"]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate")


def restore():
    """Put the project and the home back as they were, at the same place: trust goes by path."""
    shutil.rmtree(SPEC["place"], ignore_errors=True)
    shutil.copytree(SPEC["kept"], SPEC["place"], symlinks=True)


def texts():
    """Return path → text of every Markdown file of the project and the home, daily logs and half-written ones aside."""
    found = {}
    for folder, folders, names in os.walk(SPEC["place"]):
        folders[:] = [name for name in folders if name not in (".git", "memory", "undo")]
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    found[os.path.relpath(path, SPEC["place"])] = file.read()
    return found


def work():
    """Run the command in the project."""
    os.chdir(os.path.join(SPEC["place"], "repo"))
    handle = os.open(SPEC["stdin"], os.O_RDONLY)
    os.dup2(handle, 0)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    if SPEC.get("code"):
        exec(SPEC["code"], {})
        return
    from belay.cli.main import main

    sys.argv = ["belay", *SPEC["argv"]]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    main()


def child(step=0, told=-1):
    """Run the command in a child that dies before its `step`th change; what it changes is told to a pipe."""
    pid = os.fork()
    if pid:
        return pid
    left = [step]

    def changed(event, args):
        opened = event == "open" and args[2] and args[2] & WRITING and args[0] != os.devnull
        if not (opened or event in CHANGES):
            return
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        if told >= 0:
            os.write(told, json.dumps(arriving(event, args)).encode() + b"\n")

    sys.addaudithook(changed)
    code = 0
    try:
        work()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 99
    os._exit(code)


def arriving(event, args):
    """Return [path, text] of a Markdown file that a rename puts in place, [] for any other change."""
    target = os.fsdecode(args[1]) if event == "os.rename" else ""
    if not target.endswith(".md"):
        return []
    with open(args[0], encoding="utf-8", errors="surrogateescape") as file:
        return [os.path.relpath(target, SPEC["place"]), file.read()]


def ended(pid):
    """Return a child's exit code, -9 for a killed one."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def whole():
    """Run the command whole; return its number of changes, exit code and every version of a file that came to stand."""
    restore()
    reading, writing = os.pipe()
    pid = child(told=writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        changes = [json.loads(line) for line in pipe]
    return len(changes), ended(pid), [change for change in changes if change]


def stepped(step, seconds=0.0):
    """Run the command to a step (or for some seconds), then again whole; return what stood after each."""
    restore()
    pid = child(step)
    if seconds and not select.select([], [], [], seconds)[0]:
        os.kill(pid, signal.SIGKILL)
    first, torn = ended(pid), texts()
    second = ended(child())
    return {"step": step, "codes": [first, second], "texts": torn, "after": texts()}


def say(values):
    print(json.dumps(values), file=OUT, flush=True)


OUT = os.fdopen(os.dup(1), "w")
for name in SPEC.get("preload", ()):
    __import__(name)
restore()
before = texts()
steps, code, versions = whole()
say(
    {
        "steps": steps,
        "code": code,
        "versions": versions,
        "before": before,
        "texts": texts(),
        "again": ended(child()),
        "after": texts(),
    }
)
chosen = SPEC["steps"] or list(range(1, steps + 1))
if isinstance(chosen, int):
    chosen = sorted({1 + round(at * (steps - 1) / (chosen - 1)) for at in range(chosen)})
for step in chosen:
    say(stepped(step))
for seconds in SPEC.get("moments", ()):
    say(stepped(0, seconds))
