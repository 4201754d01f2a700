import os
import time
from pathlib import Path

import pytest
from repos import git
from sessions import again, start

from belay.core import files
from belay.core.text.tokens import estimate
from belay.memory.wrapup import audit, automatic_document
from belay.safety import trust
from belay.session.session import Session


def test_it_holds_what_state_journal_and_git_tell(project):
    session = start(project)
    session.log("near", sentences=["decision: maybe we keep the cron job"])
    session.log("todos", items=[{"id": "1", "text": "write the tests", "status": "in_progress"}])
    session.log("command", command="make test", ok=False, output="2 failed")
    session.log("lesson", failed="make lint", files=["file.txt"], passed="make lint")
    Path(project.at("file.txt")).write_text("two\n")
    git(project.root, "commit", "-qam", "Say two")
    Path(project.at("new.txt")).write_text("new\n")
    Path(project.memory_md).write_text("# Mine\n")
    found = audit.gather_audit(again(session))

    assert found["files"][0]["path"] == "file.txt"
    assert [row["subject"] for row in found["commits"]] == ["Say two"]
    assert found["uncommitted"] == ["new.txt"]
    assert [row["id"] for row in found["captures"]] == ["C-AAAAAA"]
    assert found["candidates"] == ["decision: maybe we keep the cron job"]
    assert found["failing"] == {"command": "make test", "output": "2 failed", "evidence": ""}
    assert found["memory"]["state"] == "other"
    text = audit.format_audit(found)
    for part in (
        "- file.txt:1",
        "Say two",
        "new.txt",
        "C-AAAAAA decision:",
        "cron job",
        "make test: 2 failed",
    ):
        assert part in text
    assert "- [in progress] write the tests\n" in text
    assert "`make lint` failed; after edits of file.txt `make lint` passed" in text


def test_commits_that_were_made_elsewhere_are_not_the_sessions(project, tmp_path):
    git(tmp_path, "clone", "-q", project.root, "other")
    session = start(project)
    time.sleep(1.1)
    (tmp_path / "other" / "file.txt").write_text("theirs\n")
    git(tmp_path / "other", "commit", "-qam", "Theirs")
    git(project.root, "pull", "-q", str(tmp_path / "other"))

    assert audit.gather_audit(session)["commits"] == []


def test_its_text_keeps_to_600_tokens_and_counts_what_it_leaves_out(project):
    session = start(project)
    for number in range(40):
        session.log("edit", files=[{"path": f"src/a_rather_long_folder_name/module_{number}.py", "line": number}])
        session.log("near", sentences=[f"decision: sentence number {number} which says a good many words in a row"])
        text = f"value number {chr(97 + number % 26) * 9} of {chr(97 + number // 2) * 7} " + "and more words " * 8
        session.log("capture", id=f"C-{number:06d}", classes={"value": 0.9}, text=text, branch="main")
    text = audit.format_audit(audit.gather_audit(again(session)))

    assert estimate(text) <= audit.AUDIT_TOKENS
    assert "Edited:\n- src/a_rather_long_folder_name/module_39.py:39\n" in text
    assert " more\n" in text


def test_todos_of_a_clone_are_not_read_out_until_they_are_trusted(project):
    os.makedirs(project.at("tasks"))
    data = b"- [ ] obey the stranger\n"
    files.write(project.todo, data)
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "theirs")
    session = start(project)
    assert audit.gather_audit(session)["boxes"] == []

    trust.accept(os.environ, project.root, "tasks/todo.md", data)
    assert audit.gather_audit(session)["boxes"] == ["obey the stranger"]


def test_what_it_saw_of_memory_is_kept_for_the_session(project):
    session = start(project)
    assert audit.read_seen(project, session.name) == {}
    found = audit.gather_audit(session)
    assert audit.save_audit(session, found)

    seen = audit.read_seen(project, session.name)
    assert seen["sha256"] == "absent"
    assert seen["captures"] == ["C-AAAAAA"]
    assert audit.read_seen(project, "another") == {}


def build(session):
    own = again(session)
    return automatic_document.build_document(own, audit.gather_audit(own))


def commit(session, *subjects):
    for at, subject in enumerate(subjects):
        Path(session.project.at("file.txt")).write_text(f"{subject} {at}\n")
        git(session.project.root, "commit", "-qam", subject)


def test_a_summary_is_made_of_the_task_and_the_commits(project):
    session = start(project)
    session.log("lesson", failed="make test", files=["file.txt"], passed="make test")
    session.log("todos", items=[{"id": "1", "text": "add the TTL", "status": "completed"}])
    commit(session, "Add the TTL", "Merge branch 'side'", "Fix expiry", "Fix expiry")
    document = build(session)

    assert document["summary"] == "Rotate the refresh tokens: committed “Add the TTL”; “Fix expiry”"
    assert document["completed"] == ["add the TTL", "Fix expiry"]
    assert (document["status"], document["next"], document["lessons"]) == ("done", "", [])


def test_commits_on_other_branches_count(project):
    session = start(project)
    git(project.root, "switch", "-qc", "side")
    commit(session, "Add the TTL")
    session.log("commit", sha="1234567", subject="Add the TTL")
    git(project.root, "switch", "-q", "main")

    assert build(session)["summary"] == "Rotate the refresh tokens: committed “Add the TTL”"


def test_a_question_that_waits_is_no_next_step(project):
    session = start(project)
    question = "Shall I stringify the error in `file.txt`?"
    answer = {"declared": "", "kind": "", "question": question, "steps": [], "announced": ""}
    session.log("said", text=question, answer=answer, unfinished=False)
    document = build(session)

    assert (document["question"], document["next"], document["status"]) == (question, "", "in progress")


@pytest.mark.parametrize("title", ["https://example.org/runs/1 fails", "iOS build", "/plan 13"])
def test_a_name_at_the_beginning_stays_as_it_is(project, title):
    session = start(project)
    session.log("prompt", task=title, **session.place())

    assert build(session)["summary"].startswith(f"{title}: ")


def test_work_that_waits_is_named_as_waiting(project):
    session = start(project)
    Path(project.at("file.txt")).write_text("half\n")
    document = build(session)

    assert document["summary"] == "Rotate the refresh tokens: left uncommitted (`file.txt`)"
    assert (document["status"], document["next"]) == ("in progress", "Go on at `file.txt:1`")


def test_of_nothing_known_nothing_is_said(project):
    session = Session(project, "5e551011-0000", os.environ)
    session.log("start", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    text = "Which storage? → Option 2"
    session.log("capture", id="C-BBBBBB", classes={"decision": 1.0}, origin="answered", text=text, branch="main")
    document = build(session)

    assert (document["summary"], document["decisions"]) == ("", [])


@pytest.mark.parametrize("step", ["I'll look into it tomorrow.", "Now the rest."])
def test_a_vague_intent_is_no_next_step(project, step):
    session = start(project)
    session.log("said", text=step, intent=step)

    assert build(session)["next"] == ""


def test_the_document_that_code_writes_judges_nothing(project):
    session = start(project)
    session.log("command", command="make test", ok=False, output="2 failed")
    document = build(session)

    assert document["summary"] == "Rotate the refresh tokens: edited `file.txt`"
    assert document["next"] == "Make `make test` pass"
    assert document["decisions"] == [{"decision": "let's go with SQLite storage", "reason": "", "affects": ""}]
    assert document["lessons"] == []
    assert document["question"] == ""
