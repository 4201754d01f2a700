"""One rule for tasks/todo.md, MEMORY.md's Active Work and Claude's tasks: ticking one ticks the others."""

import os
from pathlib import Path

import pytest
from doors import SESSION, call, log, run, said
from environment import built, until

from belay.safety import trust
from belay.session.session import Session

MEMORY = """# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main

## Where We Left Off
- **Current task:** mend the parser
- **Status:** in progress
- **Next immediate step:** write the tests

## Completed

## Active Work
- [ ] write the tests
- [ ] draw the icons
"""
TODO = "# Todo\n- [ ] Write the tests.\n- [ ] draw the icons\n"


@pytest.fixture
def lists(project, repo, tmp_path):
    """A project with all three lists, and a session whose list has one of the items."""
    built(tmp_path / "env")
    (repo / "tasks").mkdir()
    for name, text in (("MEMORY.md", MEMORY), ("tasks/todo.md", TODO)):
        (repo / name).write_text(text)
        trust.record(os.environ, project.root, name, text.encode())
    said(run("session_start", repo, source="startup"))
    said(run("user_prompt_submit", repo, prompt="Mend the parser of the config files"))
    after(repo, tasks(("write the tests", "in_progress"), ("name the tokens", "pending")))
    return project


def after(repo, done):
    return said(run("post_tool_batch", repo, tool_calls=[done]))[0]


def tasks(*rows):
    return call("TodoWrite", "ok", todos=[{"content": text, "status": status} for text, status in rows])


def ticked(repo, name, old, new):
    """Let Claude tick a box in a file."""
    path = repo / name
    path.write_text(path.read_text().replace(old, new))
    return call("Edit", "updated", file_path=str(path), old_string=old, new_string=new)


def status(project):
    return {item["text"]: item["status"] for item in Session(project, SESSION, os.environ).state["todos"]}


def active(project):
    text = Path(project.memory_md).read_text()
    return [row for row in text.splitlines() if row.startswith("- [ ]")]


def ended(project, repo):
    (repo / "file.txt").write_text("two\n")
    after(repo, call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="one", new_string="two"))
    said(run("stop", repo, last_assistant_message="The tests are written."))
    said(run("session_end", repo, reason="prompt_input_exit"))
    until(lambda: active(project) == ["- [ ] draw the icons"], 20)


def test_claudes_task_ticks_both_files(lists, repo):
    after(repo, tasks(("write the tests", "completed"), ("name the tokens", "pending")))
    assert Path(lists.todo).read_text() == TODO.replace("[ ] Write", "[x] Write")
    ended(lists, repo)
    assert log() == ""


def test_a_box_of_the_todo_file_completes_the_task_and_active_work(lists, repo):
    after(repo, ticked(repo, "tasks/todo.md", "- [ ] Write the tests.", "- [x] Write the tests."))
    assert status(lists) == {"write the tests": "completed", "name the tokens": "pending"}
    ended(lists, repo)
    assert log() == ""


def test_a_box_of_active_work_completes_the_task_and_the_todo_file(lists, repo):
    after(repo, ticked(repo, "MEMORY.md", "- [ ] write the tests", "- [x] write the tests"))
    assert status(lists) == {"write the tests": "completed", "name the tokens": "pending"}
    assert Path(lists.todo).read_text() == TODO.replace("[ ] Write", "[x] Write")
    assert active(lists) == ["- [ ] draw the icons"]


def test_what_is_no_task_of_claude_is_completed_too(lists, repo):
    after(repo, ticked(repo, "tasks/todo.md", "- [ ] draw the icons", "- [x] draw the icons"))
    assert status(lists)["draw the icons"] == "completed"
    assert status(lists)["write the tests"] == "in_progress"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("file.txt", "- [ ] write the tests", "- [x] write the tests"),
        ("tasks/todo.md", "- [ ] draw the icons", "- [x] something else"),
        ("tasks/todo.md", "# Todo", "# Todo\n- [x] write the tests"),
    ],
)
def test_other_edits_complete_nothing(lists, repo, name, old, new):
    after(repo, ticked(repo, name, old, new))
    assert status(lists) == {"write the tests": "in_progress", "name the tokens": "pending"}
