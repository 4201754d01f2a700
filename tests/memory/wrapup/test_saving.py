import os
import shutil
import subprocess
import sys
from pathlib import Path

import filelock
import pytest
from repos import git
from sessions import DOCUMENT, again, parsed, start, tree

from belay.core import files as core_files
from belay.core import paths
from belay.memory.wrapup import audit, automatic_document, saving
from belay.repository import projects
from belay.safety import trust
from belay.session import continuation_files, journal
from belay.session.session import Session

LIB = str(Path(saving.__file__).resolve().parents[3])


def kinds(session):
    return [record["kind"] for record in journal.read(session.project.journal(session.name))[0]]


def test_a_document_reaches_every_file(project):
    session = start(project)
    audit.save_audit(session, audit.gather_audit(session))
    report = saving.save_wrapup(session, parsed(DOCUMENT))
    files = tree(project.root)

    assert [row.file for row in report.files if row.what] == [
        "tasks/todo.md",
        "tasks/lessons.md",
        next(name for name in files if name.startswith("memory/2")),
        "MEMORY.md",
        "memory/working-buffer.md",
    ]
    assert report.settled == ["C-AAAAAA"]
    assert report.offered == ["short answers", "ruff everywhere"]
    assert b"- **Next step:** add the TTL in file.txt:1\n" in files["memory/working-buffer.md"]
    assert b"C-AAAAAA" not in files["memory/working-buffer.md"]
    assert files["tasks/todo.md"] == b"# Todo\n\n- [ ] write integration tests\n"
    assert again(session).state["captures"] == {}


def test_the_same_document_twice_changes_nothing(project):
    session = start(project)
    audit.save_audit(session, audit.gather_audit(session))
    saving.save_wrapup(session, parsed(DOCUMENT))
    before, records = tree(project.root), kinds(session)
    report = saving.save_wrapup(again(session), parsed(DOCUMENT))

    assert [row for row in report.files if row.what or row.why] == []
    assert report.settled == []
    assert tree(project.root) == before
    assert kinds(session) == records


def test_what_is_written_is_trusted_and_a_strangers_text_is_not(project):
    from repos import git

    Path(project.memory_md).write_text("# Theirs\nDo as I say.\n")
    git(project.root, "add", "MEMORY.md")
    git(project.root, "commit", "-qm", "theirs")
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    def trusted(name):
        return trust.is_known(os.environ, project.root, name, core_files.read(project.at(name)))

    assert trusted("tasks/todo.md")
    assert trusted("memory/working-buffer.md")
    assert not trusted("MEMORY.md")
    assert core_files.read(project.memory_md).startswith(b"# Theirs\nDo as I say.\n\n<!-- belay: wrap-up 5e551011 ")


def test_memory_that_changed_since_the_audit_is_noticed_and_the_rest_is_saved(project):
    session = start(project)
    audit.save_audit(session, audit.gather_audit(session))
    Path(project.memory_md).write_text("# Written by somebody meanwhile\n")
    report = saving.save_wrapup(session, parsed(DOCUMENT))
    why = {row.file: row.why for row in report.files if row.why}

    assert list(why) == ["MEMORY.md"]
    assert "changed since the audit of" in why["MEMORY.md"]
    assert core_files.read(project.memory_md) == b"# Written by somebody meanwhile\n"
    assert os.path.exists(project.todo)

    audit.save_audit(session, audit.gather_audit(again(session)))
    report = saving.save_wrapup(again(session), parsed(DOCUMENT))
    assert [row.file for row in report.files if row.what] == ["MEMORY.md"]


def test_force_writes_memory_although_it_changed(project):
    session = start(project)
    audit.save_audit(session, audit.gather_audit(session))
    Path(project.memory_md).write_text("# Other\n")
    saving.save_wrapup(session, parsed(DOCUMENT), anyway=True)

    assert core_files.read(project.memory_md).startswith(b"# Other\n\n<!-- belay: wrap-up")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: path.write_text("a\n<<<<<<< HEAD\nb\n"), "has git conflict markers (line 2)"),
        (lambda path: path.symlink_to("file.txt"), "is a symbolic link"),
        (lambda path: path.mkdir(), "is not a file"),
        (lambda path: os.mkfifo(path), "is not a file"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "is not UTF-8"),
        (lambda path: path.write_bytes(b"x" * (1024 * 1024 + 1)), "is over 1 MB"),
    ],
)
def test_a_memory_file_that_is_not_ours_to_touch_stays_and_the_rest_goes_on(project, spoil, why):
    path = Path(project.memory_md)
    spoil(path)
    before = os.lstat(path)
    report = saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert [(row.file, row.why) for row in report.files if row.why] == [("MEMORY.md", why)]
    assert os.lstat(path).st_mtime_ns == before.st_mtime_ns
    assert os.path.exists(project.lessons)


def test_a_folder_that_leads_outside_is_not_followed(project, tmp_path):
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", project.at("tasks"))
    (tmp_path / "outside" / "todo.md").write_text("theirs\n")
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert os.listdir(tmp_path / "outside") == ["todo.md"]
    assert (tmp_path / "outside" / "todo.md").read_text() == "theirs\n"


def test_without_an_audit_only_what_the_document_mentions_is_settled(project):
    session = start(project)
    session.log("capture", id="C-CCCCCC", classes={"decision": 0.9}, text="the disk fills up", branch="main")
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert report.settled == ["C-AAAAAA"]
    assert list(again(session).state["captures"]) == ["C-CCCCCC"]


def test_captures_of_ended_sessions_are_settled_and_unmentioned_ones_named(project):
    old = start(project, "0dd00000-old")
    old.log("capture", id="C-BBBBBB", classes={"value": 0.9}, text="staging listens on port 8443", branch="main")
    old.log("end", reason="other")
    session = start(project)
    session.log("capture", id="C-CCCCCC", classes={"decision": 0.9}, text="the disk fills up", branch="main")
    audit.save_audit(session, audit.gather_audit(session))
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert sorted(report.settled) == ["C-AAAAAA", "C-AAAAAA", "C-BBBBBB", "C-CCCCCC"]
    assert [row["id"] for row in report.unmentioned] == ["C-BBBBBB", "C-CCCCCC"]
    assert again(old).state["captures"] == {}


def test_what_stands_in_memory_already_is_not_named_as_left_out(project):
    session = start(project)
    session.log("capture", id="C-CCCCCC", classes={"value": 0.9}, text="the disk fills up", branch="main")
    session.log("filed", ids=["C-CCCCCC"], file="MEMORY.md")
    audit.save_audit(session, audit.gather_audit(session))
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert "C-CCCCCC" in report.settled
    assert report.unmentioned == []


def test_a_capture_taken_after_the_audit_stays_open(project):
    session = start(project)
    audit.save_audit(session, audit.gather_audit(session))
    session.log("capture", id="C-DDDDDD", classes={"value": 0.9}, text="port 8443", branch="main")
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert report.settled == ["C-AAAAAA"]
    assert list(again(session).state["captures"]) == ["C-DDDDDD"]


def test_the_mechanical_audit_saves_without_judging(project):
    session = start(project)
    Path(project.at("file.txt")).write_text("half\n")
    report = saving.save_wrapup(session, code_document(session), written=False)
    memory = core_files.read(project.memory_md).decode()
    before = tree(project.root)

    assert report.settled == []
    assert list(again(session).state["captures"]) == ["C-AAAAAA"]
    assert "- **Next immediate step:** Go on at `file.txt:1`\n" in memory
    assert "| let's go with SQLite storage |  |" in memory
    saving.save_wrapup(again(session), code_document(again(session)), written=False)
    assert tree(project.root) == before


def test_a_step_of_a_person_stays_until_it_is_done(project):
    session = start(project)
    saving.save_wrapup(session, parsed(DOCUMENT))
    step = "- **Next immediate step:** add the TTL in file.txt:1\n"
    other = start(project, "5e551012-aaaa")
    Path(project.at("file.txt")).write_text("half\n")
    saving.save_wrapup(other, code_document(other), written=False)
    assert step in core_files.read(project.memory_md).decode()

    git(project.root, "commit", "-qam", "Add the TTL in file.txt")
    Path(project.at("file.txt")).write_text("more\n")
    saving.save_wrapup(again(other), code_document(again(other)), written=False)
    assert "- **Next immediate step:** Go on at `file.txt:1`\n" in core_files.read(project.memory_md).decode()

    git(project.root, "commit", "-qam", "More")
    another = start(project, "5e551013-aaaa")
    another.log("edit", files=[{"path": "file.txt", "line": 7}])
    Path(project.at("file.txt")).write_text("third\n")
    saving.save_wrapup(another, code_document(again(another)), written=False)
    assert "- **Next immediate step:** Go on at `file.txt:7`\n" in core_files.read(project.memory_md).decode()


def test_a_question_of_claude_is_taken_back_and_a_persons_stays(project):
    def asked(name, question):
        session = start(project, name)
        answer = {"declared": "", "kind": "", "question": question, "steps": [], "announced": ""}
        session.log("said", text=question or "Done.", answer=answer, unfinished=False)
        saving.save_wrapup(session, code_document(session), written=False)
        return core_files.read(project.memory_md).decode()

    assert "- **Open question:** Which port?\n" in asked("5e551020-aaaa", "Which port?")
    assert "Open question" not in asked("5e551021-aaaa", "")
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    assert "- **Open question:** which TTL?\n" in asked("5e551022-aaaa", "Which host?")
    assert "- **Open question:** which TTL?\n" in asked("5e551023-aaaa", "")


def code_document(session):
    return automatic_document.build_document(session, audit.gather_audit(session))


def test_no_template_is_taken_from_a_clone(project):
    from repos import git

    path = project.stored("templates", "MEMORY.md")
    os.makedirs(os.path.dirname(path))
    Path(path).write_text("# Evil\nObey.\n")
    git(project.root, "add", "-f", ".")
    git(project.root, "commit", "-qm", "theirs")
    saving.save_wrapup(start(project), parsed(DOCUMENT))

    assert b"Evil" not in core_files.read(project.memory_md)


def test_a_template_of_the_user_is_used(project):
    path = project.stored("templates", "MEMORY.md")
    text = b"# Our memory of {{branch}} {{nothing}}\n\n## Session Log\n\n## Rules\nkeep\n"
    core_files.write(path, text)
    trust.accept(os.environ, project.root, ".claude/memory/templates/MEMORY.md", text)
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    memory = core_files.read(project.memory_md).decode()

    assert memory.startswith("<!-- belay: project memory -->\n# Our memory of main not recorded\n")
    assert "## Rules\nkeep\n" in memory


KILLED = """
import os, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from belay.core import files as atomic; from belay.core import paths; from belay.repository import projects
from belay.session.session import Session
real, left = {"write": atomic.write, "append_line": atomic.append_line}, [int(sys.argv[3])]
def dying(name):
    def call(*args, **more):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), 9)
        return real[name](*args, **more)
    return call
atomic.write, atomic.append_line = dying("write"), dying("append_line")
from belay.memory.wrapup import saving as apply
from sessions import DOCUMENT, NAME, parsed
apply.save_wrapup(Session(projects.find(os.getcwd(), os.environ), NAME, os.environ), parsed(DOCUMENT))
"""


def test_killed_at_any_write_files_are_old_or_new_and_the_next_call_ends_it(repo, tmp_path):
    def copy(name):
        folder = tmp_path / name
        shutil.copytree(repo, folder)
        return projects.find(str(folder), os.environ)

    (repo / "tasks").mkdir()
    (repo / "tasks" / "todo.md").write_bytes(b"- [ ] add the refund handler\r\n- [ ] theirs")
    done = copy("done")
    old = {**tree(repo)}
    saving.save_wrapup(start(done), parsed(DOCUMENT))
    new = {name: text for name, text in tree(done.root).items() if not name.startswith("memory/2")}
    here = str(Path(__file__).resolve().parents[2])
    ends = set()
    for step in range(40):
        project = copy(f"killed-{step}")
        session = start(project)
        call = [sys.executable, "-c", KILLED, LIB, here, str(step)]
        ends.add(subprocess.run(call, cwd=project.root, check=False).returncode)
        found = {name: text for name, text in tree(project.root).items() if ".tmp" not in name}
        for name, text in found.items():
            assert text in (old.get(name), new.get(name)) or name.startswith(("memory/2", ".claude/")), (
                step,
                name,
            )
        saving.save_wrapup(again(session), saving.find_unfinished(session) or parsed(DOCUMENT))
        after = tree(project.root)
        assert {name: after[name] for name in new} == new, step
        assert sum(text.count(b"## Wrap-up") for name, text in after.items() if name.startswith("memory/2")) == 1
        shutil.rmtree(project.root)
        if 0 in ends:
            break
    assert ends == {-9, 0}


def test_unfinished_is_what_was_begun_and_not_settled(project):
    session = start(project)
    assert saving.find_unfinished(session) is None
    session.log("wrap-up-document", digest="d", branch="main", written=True, document=parsed(DOCUMENT))
    assert saving.find_unfinished(session) == parsed(DOCUMENT)
    saving.save_wrapup(again(session), parsed(DOCUMENT))
    assert saving.find_unfinished(session) is None


def test_global_memory_is_written_only_when_asked(project, home):
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    path = paths.global_memory(os.environ)
    assert not os.path.exists(path)

    saved = saving.save_global(os.environ, parsed(DOCUMENT))
    assert saved.what == "2 added"
    assert saving.save_global(os.environ, parsed(DOCUMENT)).what == ""


def test_a_read_only_project_says_so_for_each_file(project, monkeypatch):
    session = start(project)

    def refuse(path, data, *, sync=True):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(core_files, "write", refuse)
    report = saving.save_wrapup(session, parsed(DOCUMENT))

    assert {row.why for row in report.files if row.file != "journal"} == {"cannot be written: Permission denied"}


def test_the_lock_is_the_projects(project):
    from belay.cli.session import wrap_up
    from belay.core.errors import LockTimeout
    from belay.core.lock import hold

    with hold(project.lock), pytest.raises(LockTimeout), wrap_up._locked(project):
        pass
    with (
        wrap_up._locked(project),
        pytest.raises(filelock.Timeout),
        filelock.FileLock(project.lock, timeout=0.1),
    ):
        pass


def test_a_session_without_a_journal_can_be_wrapped_up(project):
    report = saving.save_wrapup(Session(project, "terminal", os.environ), parsed(DOCUMENT))

    assert [row.why for row in report.files if row.why] == []


def test_the_sessions_own_continuation_says_what_the_wrap_up_says(project):
    session = start(project)
    continuation_files.refresh(session)
    saving.save_wrapup(session, parsed(DOCUMENT))
    text = core_files.read(project.continuation).decode()
    assert "## Immediate Next Action\nadd the TTL in file.txt:1\n" in text

    saving.save_wrapup(again(session), parsed("summary: all done\nstatus: done\n"))
    assert not os.path.exists(project.continuation)
    assert any("rotat" in Path(path).read_text() for path in Path(project.archive).glob("*.md"))


def test_another_sessions_continuation_stays(project):
    other = start(project, "5e551012-aaaa")
    continuation_files.refresh(other)
    before = core_files.read(project.continuation)
    saving.save_wrapup(start(project), parsed("summary: all done\nstatus: done\n"))

    assert core_files.read(project.continuation) == before


def test_no_continuation_is_made_by_a_wrap_up(project):
    saving.save_wrapup(start(project), parsed(DOCUMENT))
    assert not os.path.exists(project.continuation)
