"""Milestones and "remember this" through the real doors."""

import os

import pytest
from commandline import belay
from doors import call, kinds, log, run, said
from environment import built, until
from repos import git

from belay.core import paths, settings
from belay.core.text import tokens
from belay.hooks import replies
from belay.memory import next_steps
from belay.memory.document import facts, page
from belay.safety import trust

MEMORY = """\
# Project Memory
Last updated: 2026-03-01 | Session 4 | Branch: main

## Where We Left Off
- **Current task:** mend the parser of the config files
- **Status:** in progress

## Completed

## Active Work
- [ ] write the tests
- [ ] invoice export
"""


@pytest.fixture
def begun(project, repo, tmp_path):
    built(tmp_path / "env")
    said(run("session_start", repo, source="startup"))
    said(run("user_prompt_submit", repo, prompt="Mend the parser of the config files"))
    return project


def memory(project, text=MEMORY):
    with open(project.memory_md, "w") as file:
        file.write(text)
    trust.record(os.environ, project.root, "MEMORY.md", text.encode())


def told(project):
    with open(project.memory_md) as file:
        return facts.read_facts(page.parse(file.read()))


def after(repo, *calls):
    return said(run("post_tool_batch", repo, tool_calls=list(calls)))[0]


def todos(*rows):
    return call("TodoWrite", "ok", todos=[{"content": text, "status": status} for text, status in rows])


def commit(repo, name, subject):
    (repo / name).write_text(subject)
    git(repo, "add", name)
    git(repo, "commit", "-qm", subject)
    return call("Bash", "", command=f"git add {name} && git commit -qm '{subject}'")


def test_the_last_todo_brings_three_sections_up_to_date(begun, repo):
    memory(begun)
    assert after(repo, todos(("write the tests", "in_progress"), ("mend it", "completed"))) == ""
    line = after(repo, todos(("write the tests", "completed"), ("mend it", "completed")))

    assert "Milestone: all 2 todos are done." in line
    until(lambda: told(begun)["left"]["status"] == "done")
    now = told(begun)
    assert [row["text"] for row in now["active"]] == ["invoice export"]
    assert [row["text"] for row in now["completed"]] == [
        "write the tests",
        "mend it",
    ]
    assert log() == ""


@pytest.mark.parametrize("is_own", [True, False])
def test_of_a_finished_task_only_a_persons_next_step_stays(begun, repo, is_own):
    step = "Go on at `parser.py:3`"
    memory(
        begun, MEMORY.replace("- **Status:** in progress\n", f"- **Status:** open\n- **Next immediate step:** {step}\n")
    )
    if is_own:
        next_steps.record_step(begun, begun.memory_md, step)
    after(repo, todos(("write the tests", "in_progress")))
    after(repo, todos(("write the tests", "completed")))
    until(lambda: told(begun)["left"]["status"] == "done")

    assert told(begun)["left"]["next"] == ("" if is_own else step)


def test_a_commit_made_here_is_one_and_the_same_twice_is_none(begun, repo):
    memory(begun)
    done = commit(repo, "parser.py", "Read empty config files")

    assert "“Read empty config files”" in after(repo, done)
    until(lambda: told(begun)["completed"])
    assert told(begun)["completed"][0]["text"] == "Read empty config files (files: `parser.py`)"
    assert told(begun)["left"]["status"].startswith("committed ")
    assert "Milestone" not in after(repo, done)


def test_a_memory_that_one_wish_began_is_filled(begun, repo):
    memory(begun, "<!-- belay: project memory -->\n# Project Memory\n\n## Blockers\n- staging key\n")

    assert "Milestone" in after(repo, commit(repo, "parser.py", "Read empty config files"))
    until(lambda: os.path.exists(begun.memory_md) and told(begun)["completed"])
    assert told(begun)["left"]["task"] == "Mend the parser of the config files"


def test_a_commit_of_memory_alone_is_no_milestone(begun, repo):
    memory(begun)
    (repo / "web").mkdir()
    (repo / "web" / "MEMORY.md").write_text(MEMORY)
    git(repo, "add", "MEMORY.md", "web")
    git(repo, "commit", "-qm", "Save the memory")

    assert "Milestone" not in after(repo, call("Bash", "", command="git commit -qm 'Save the memory'"))
    assert "milestone" not in kinds(begun)


def test_a_failed_commit_is_no_milestone(begun, repo):
    memory(begun)

    assert after(repo, call("Bash", "Exit code 1\nnothing to commit", command="git commit -qm x")) == ""
    assert after(repo, call("Bash", "nothing to commit", command="git commit -qm x || true")) == ""


def test_a_commit_asks_for_a_closing_line_at_most_three_times(begun, repo):
    lines = [after(repo, commit(repo, f"{n}.py", f"Part number {n}")) for n in range(4)]

    assert [replies.ASK in line for line in lines] == [True, True, True, False]
    assert kinds(begun).count("asked") == 3
    assert tokens.count(replies.ASK) <= 50


def test_where_it_is_switched_off_nothing_is_asked(begun, repo):
    path = paths.user_settings(os.environ)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write("ask: off\n")
    settings.compile_settings(begun, os.environ)

    assert replies.ASK not in after(repo, commit(repo, "a.py", "Part one"))
    assert "asked" not in kinds(begun)


def test_a_check_that_passes_again_is_one(begun, repo):
    memory(begun)
    after(repo, call("Bash", "Exit code 1\n1 failed", command="pytest -q tests"))
    line = after(repo, call("Bash", "1 passed", command="pytest -q tests"))

    assert (
        "Milestone: `pytest -q tests` passes again. The memory is being brought up to date (Where We Left Off)" in line
    )
    until(lambda: "passes again" in told(begun)["left"]["status"])
    assert told(begun)["completed"] == []  # no work is completed by that alone


def test_at_most_three_are_told_in_a_session(begun, repo):
    memory(begun)
    lines = [after(repo, commit(repo, f"{n}.py", f"Part number {n}")) for n in range(4)]

    assert ["Milestone" in line for line in lines] == [True, True, True, False]
    assert kinds(begun).count("milestone") == 3
    until(lambda: len(told(begun)["completed"]) == 3)


def test_a_project_without_a_memory_is_offered_one_once(begun, repo):
    lines = [after(repo, commit(repo, f"{n}.py", f"Part number {n}")) for n in range(2)]

    assert ["Want me to start tracking our progress?" in line for line in lines] == [True, False]
    assert not os.path.exists(begun.memory_md)


@pytest.mark.parametrize("text", ["# Notes of mine\n\nprose\n", MEMORY])
def test_a_file_of_another_form_or_of_a_stranger_is_left_alone(begun, repo, text):
    with open(begun.memory_md, "w") as file:
        file.write(text)
    trust.record(os.environ, begun.root, "MEMORY.md", text.encode())
    if text == MEMORY:
        trust.revoke(os.environ, begun.root, "MEMORY.md")

    assert "Milestone" not in after(repo, commit(repo, "parser.py", "Read empty config files"))
    with open(begun.memory_md) as file:
        assert file.read() == text


def test_remember_this_is_filed_without_claude(begun, repo):
    memory(begun, MEMORY + "\n## Architecture Notes\n")
    line = said(run("user_prompt_submit", repo, prompt="Remember this: the gateway rounds half up."))[0]

    assert "is being filed in MEMORY.md; `belay remember C-" in line
    until(lambda: told(begun)["architecture"])
    assert told(begun)["architecture"][0]["text"] == "The gateway rounds half up."
    until(lambda: "filed" in kinds(begun))
    name = line.partition("`belay remember ")[2].partition("`")[0]
    where = told(begun)["architecture"][0]["line"]
    assert belay(repo, "remember", name).stdout == (f"Already there: MEMORY.md, Architecture Notes (line {where})\n")
    assert log() == ""


def test_remember_to_do_something_is_a_capture_and_no_more(begun, repo):
    memory(begun)
    line = said(run("user_prompt_submit", repo, prompt="Also remember to run the linter afterwards."))[0]

    assert "Recorded C-" in line
    assert "belay remember" not in line


def test_of_a_file_that_is_not_accepted_nothing_is_promised(begun, repo):
    memory(begun)
    trust.revoke(os.environ, begun.root, "MEMORY.md")
    line = said(run("user_prompt_submit", repo, prompt="Remember this: the gateway rounds half up."))[0]

    assert "To save it in MEMORY.md: `belay remember C-" in line


def test_remember_this_alone_is_claudes_to_put_into_words(begun, repo):
    line = said(run("user_prompt_submit", repo, prompt="Remember this."))[0]

    assert '`belay remember "TEXT" --as ' in line
    assert "capture" not in kinds(begun)


def test_without_a_memory_claude_is_told_how_one_begins(begun, repo):
    line = said(run("user_prompt_submit", repo, prompt="Remember this: the gateway rounds half up."))[0]

    assert "To save it in MEMORY.md: `belay remember C-" in line
    assert not os.path.exists(begun.memory_md)
