"""Where continuations stand: nothing undelivered is ever overwritten without a copy."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from repos import git

from belay.core import clock, paths
from belay.repository import vetting
from belay.safety import trust
from belay.session import continuation_files, state
from belay.session.session import Session
from belay.session.work import answer

ONE, TWO = "11111111-aaaa", "22222222-bbbb"


def text(session, stamp=None, branch="main", title="mend the parser"):
    return f"# Continue: {title}\n\nWritten {stamp or clock.now()[:19] + 'Z'} on {branch} by session {session}\n"


def put(project, session, **fields):
    assert continuation_files.write(project, os.environ, session, text(session, **fields)) == ""


def kept(project):
    return [note.text for note in continuation_files.list_archived(project, os.environ)]


def work(project, name, **fields):
    session = Session(project, name, os.environ)
    session.log("prompt", task="mend the parser", text="mend the parser", **{**session.place(), **fields})
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    return session


def test_a_session_replaces_its_own(project):
    put(project, ONE, title="first")
    put(project, ONE, title="second")
    assert continuation_files.find_waiting(project).title() == "Continue: second"
    assert kept(project) == []


def test_anothers_is_copied_before_it_is_replaced(project):
    put(project, ONE)
    put(project, TWO)
    assert continuation_files.find_waiting(project).session == TWO
    assert kept(project) == [text(ONE, stamp=continuation_files.Continuation("", kept(project)[0]).stamp)]


def test_the_same_name_in_the_archive_never_loses_a_text(project):
    stamp = "2026-03-05T10:00:00Z"
    for n in range(3):
        put(project, ONE, stamp=stamp, title=f"n{n}")
        put(project, TWO, stamp=stamp, title=f"m{n}")
    standing = continuation_files.find_waiting(project)
    assert sorted(note.title()[-2:] for note in [standing, *continuation_files.list_archived(project, os.environ)]) == [
        "m0",
        "m1",
        "m2",
        "n0",
        "n1",
        "n2",
    ]


HOSTILE = [
    "Written ../../../../evil on main by session x",
    "Written /tmp/evil on main by session ../../x",
    "Written \0 on \0 by session \0",
    "Written  on  by session ",
    "Written " + "9" * 5000 + " on " + "b" * 9000 + " by session " + "s" * 9000,
]


@pytest.mark.parametrize("foot", HOSTILE)
def test_a_foreign_last_line_leads_nowhere(project, tmp_path, foot):
    before = {str(path) for path in tmp_path.rglob("*")}
    with open(project.continuation, "w") as file:
        file.write(f"# Continue: x\n\n{foot}\n")
    refused = continuation_files.write(project, os.environ, TWO, text(TWO))
    new = {str(path) for path in tmp_path.rglob("*")} - before
    allowed = (project.continuation, project.archive, project.states, project.at(".claude"))
    assert all(path.startswith(allowed) for path in new)
    where = [Path(project.continuation)] if refused else Path(project.archive).iterdir()
    assert any(foot in path.read_text() for path in where)
    assert bool(refused) == ("\0" in foot)


def test_foreign_text_in_the_archive_is_not_named(project):
    os.makedirs(project.archive)
    with open(os.path.join(project.archive, "2026-01-01-x.md"), "w") as file:
        file.write(text(ONE, title="run curl evil"))
    assert continuation_files.list_archived(project, os.environ) == []


def test_delivery_moves_and_records(project):
    put(project, ONE)
    session = work(project, TWO)
    where = continuation_files.deliver(session, continuation_files.find_waiting(project), "startup")
    assert continuation_files.find_waiting(project) is None
    assert [note.path for note in continuation_files.list_archived(project, os.environ)] == [where]
    assert continuation_files.list_archived(project, os.environ, waiting=True) == []
    assert trust.is_known(os.environ, project.root, project.relative(where), Path(where).read_bytes())


def test_what_cannot_be_archived_stays_and_is_no_error(project, monkeypatch):
    put(project, ONE)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "unlink", refuse)
    note = continuation_files.find_waiting(project)
    assert continuation_files.deliver(work(project, TWO), note, "startup") == note.path
    monkeypatch.undo()
    assert continuation_files.find_waiting(project).text == note.text


def test_a_place_that_cannot_be_written_is_named(project, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(continuation_files.files, "write", full)
    assert (
        continuation_files.refresh(work(project, ONE)) == "CONTINUATION.md cannot be written (No space left on device)"
    )


@pytest.mark.parametrize("make", ["link", "folder", "conflict"])
def test_what_is_not_ours_is_left_alone(project, tmp_path, make):
    path = project.continuation
    if make == "link":
        os.symlink(tmp_path / "elsewhere", path)
    elif make == "folder":
        os.mkdir(path)
    else:
        with open(path, "w") as file:
            file.write("<<<<<<< ours\n=======\n>>>>>>> theirs\n")
    assert continuation_files.write(project, os.environ, ONE, text(ONE)).startswith("CONTINUATION.md ")
    assert continuation_files.find_waiting(project) is None
    assert not (tmp_path / "elsewhere").exists()


def test_older_work_does_not_push_aside_what_waits(project):
    put(project, TWO, stamp="2099-01-01T00:00:00Z")
    assert continuation_files.refresh(work(project, ONE)) == ""
    assert continuation_files.find_waiting(project).session == TWO
    assert [note.session for note in continuation_files.list_archived(project, os.environ, waiting=True)] == [ONE]


def test_a_deleted_worktrees_continuation_goes_to_the_archive(project, tmp_path):
    assert continuation_files.refresh(work(project, ONE, root=str(tmp_path / "gone"))) == ""
    assert continuation_files.find_waiting(project) is None
    assert [note.session for note in continuation_files.list_archived(project, os.environ)] == [ONE]


def test_why_one_waits(project):
    old = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 15 * 86400))
    note = lambda **fields: continuation_files.Continuation("", text(ONE, **fields))  # noqa: E731
    assert continuation_files.reason_to_wait(note(), "main") == ""
    assert continuation_files.reason_to_wait(note(stamp=old), "main") == "is 15 days old"
    assert continuation_files.reason_to_wait(note(branch="side"), "main") == "belongs to branch side"
    assert continuation_files.reason_to_wait(continuation_files.Continuation("", "mine\n"), "main") == ""


def test_uncommitted_files_and_the_function_are_git_s(project, repo):
    (repo / "calc.py").write_text("def add(a, b):\n    total = a + b\n    return total\n")
    git(repo, "add", "calc.py")
    git(repo, "commit", "-qm", "calc")
    (repo / "calc.py").write_text("def add(a, b):\n    total = a + b + 0\n    return total\n")
    (repo / "odd\nname.py").write_text("")
    session = work(project, ONE)
    session.log("edit", files=[{"path": "calc.py", "line": 2}])
    assert continuation_files.refresh(session) == ""
    written = continuation_files.find_waiting(project).text
    assert "Resume from: `calc.py:2`" in written
    assert "add" in written.split("\n")[1]
    assert "`odd name.py`" in written


KILLED = """
import os, signal, sys
sys.path[0:0] = [sys.argv[1]]
from belay.core import paths; from belay.repository import projects
from belay.session import continuation_files as shelf
from belay.session.session import Session
project = projects.find(sys.argv[3], os.environ)
session = Session(project, "22222222-bbbb", os.environ)
note = shelf.find_waiting(project)
left = int(sys.argv[2])
def step(event, args):
    global left
    if event in ("open", "os.rename", "os.remove", "os.mkdir"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(step)
if sys.argv[4] == "deliver":
    shelf.deliver(session, note, "startup")
else:
    shelf.write(project, os.environ, session.name, sys.argv[5])
"""


@pytest.mark.parametrize("doing", ["deliver", "write"])
def test_killed_at_any_step_every_text_is_somewhere(project, repo, doing):
    mine, new = text(ONE, stamp="2026-03-05T10:00:00Z"), text(TWO, stamp="2026-03-05T11:00:00Z")
    for steps in range(1, 200):
        put(project, ONE, stamp="2026-03-05T10:00:00Z")
        command = [
            sys.executable,
            "-S",
            "-E",
            "-c",
            KILLED,
            paths.resource("lib"),
            str(steps),
            str(repo),
            doing,
            new,
        ]
        done = subprocess.run(command, check=False)
        standing = continuation_files.find_waiting(project)
        texts = {
            note.text
            for note in [
                *([standing] if standing else []),
                *continuation_files.list_archived(project, os.environ),
            ]
        }
        assert mine in texts, steps
        assert texts <= {mine, new}
        subprocess.run(["rm", "-rf", project.archive, project.continuation], check=True)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert 5 < steps < 199


def test_the_state_of_a_session_that_did_nothing_is_not_open():
    assert not continuation_files.has_open_work(state.empty_state("s"), continuation_files.Facts("main"))


def test_open_boxes_of_the_todo_file_are_named_until_the_session_has_todos_of_its_own(project):
    session = work(project, ONE)
    vetting.read_trusted(project, os.environ, ["tasks/todo.md"])  # what is written from here on was written here
    Path(project.todo).parent.mkdir(parents=True)
    Path(project.todo).write_text("# Todo\n- [ ] sharpen the saw\n- [x] oil the hinge\n")

    assert continuation_files.refresh(session) == ""
    assert "saw" not in continuation_files.find_waiting(project).text  # the request was not answered: that comes first

    session.log("said", text="The parser reads it.", answer=answer.read_answer("The parser reads it."))
    assert continuation_files.refresh(session) == ""
    rows = continuation_files.find_waiting(project).text.split("\n")
    assert "- sharpen the saw: NOT STARTED" in rows
    assert not [row for row in rows if "hinge" in row]

    session.log("todos", items=[{"id": "1", "text": "cut the plank", "status": "in_progress"}])
    assert continuation_files.refresh(session) == ""
    rows = continuation_files.find_waiting(project).text.split("\n")
    assert "- cut the plank: HALF DONE" in rows
    assert not [row for row in rows if "saw" in row]
