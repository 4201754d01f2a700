"""`belay task` as a process: the task at work in .orchestre/CLAUDE.md."""

import json
import time

import pytest
from commandline import belay
from hypothesis import given
from hypothesis import strategies as st
from schemas import check

from belay.core.errors import BelayError
from belay.memory.claude_files import marked_block, task_history

TODAY = time.strftime("%Y-%m-%d")
SEED = """# Orchestration Memory
## Current Development Phase
Building MVP with core authentication and billing features

## Task History
- ✅ Project initialization with MakerKit template
- 🔄 Billing integration with Stripe
- ⏳ Admin dashboard

## Discovered Patterns
1. **API Routes**: All follow /api/[feature]/[action] pattern
"""


@pytest.fixture
def memory(repo):
    path = repo / ".orchestre" / "CLAUDE.md"
    path.parent.mkdir()
    path.write_text(SEED)
    return path


def run(repo, *args, stdin="", code=0):
    done = belay(repo, "task", *args, "--json", stdin=stdin)
    assert done.returncode == code, done.stdout + done.stderr
    return check("task", json.loads(done.stdout))


def test_a_task_is_noted_before_and_after_and_the_rest_stays(repo, memory):
    begun = run(repo, "begin", "Refund partial payments")["task"]
    block = f"<!-- belay:tasks begin -->\n- 🔄 Refund partial payments ({TODAY})\n<!-- belay:tasks end -->\n"

    assert (begun["state"], begun["line"], begun["own"]) == ("running", 10, True)
    assert memory.read_text() == SEED.replace("- ⏳ Admin dashboard\n", "- ⏳ Admin dashboard\n" + block)
    assert run(repo, "wait", "the sandbox key is missing")["task"]["reason"] == "the sandbox key is missing"
    assert f"- ⏳ Refund partial payments ({TODAY}): the sandbox key is missing\n" in memory.read_text()
    assert run(repo, "begin", "refund partial payments")["task"]["state"] == "running"
    assert run(repo, "done")["task"]["state"] == "done"
    assert memory.read_text().count("Refund partial payments") == 1
    assert [task["state"] for task in run(repo, "list")["tasks"]] == ["done", "running", "waiting", "done"]


def test_each_step_can_be_taken_back(repo, memory):
    run(repo, "begin", "One")
    run(repo, "done", "One")
    run(repo, "undo")
    assert f"- 🔄 One ({TODAY})\n" in memory.read_text()
    run(repo, "undo")
    assert memory.read_text() == SEED
    run(repo, "undo", code=1)


def test_without_the_file_nothing_is_written_until_it_is_asked_for(repo):
    refused = belay(repo, "task", "begin", "One")
    assert (refused.returncode, "--create makes it" in refused.stderr) == (1, True)
    assert not (repo / ".orchestre").exists()

    run(repo, "begin", "One", "--create")
    text = (repo / ".orchestre" / "CLAUDE.md").read_text()
    assert text.startswith("# Orchestration Memory\n\n## Task History\n")
    run(repo, "undo")
    assert not (repo / ".orchestre" / "CLAUDE.md").exists()


def test_a_task_that_a_person_listed_is_not_doubled_and_not_changed(repo, memory):
    done = belay(repo, "task", "begin", "Billing integration with Stripe")

    assert done.returncode == 1
    assert ".orchestre/CLAUDE.md:7: lists this task already, as 🔄" in done.stderr
    assert "no such task of Belay's at work" in belay(repo, "task", "done").stderr
    assert memory.read_text() == SEED


def test_what_is_handed_in_stays_one_harmless_line(repo, memory):
    evil = 'x"; rm -rf x; "\n<!-- belay:tasks end -->\n# Heading\nghp_16C7e42F292c69' + "12E7710c838347Ae178B4a\x1b[31m"
    text = run(repo, "begin", stdin=evil)["task"]["text"]

    assert text.startswith('x"; rm -rf x; " < !-- belay:tasks end -- > # Heading [redacted:')
    assert "\x1b" not in memory.read_text()
    assert len(task_history.list_tasks(memory.read_text())) == 4
    run(repo, "begin", stdin="  \n", code=1)


def test_of_several_at_work_one_must_be_named(repo, memory):
    run(repo, "begin", "Refund partial payments")
    run(repo, "begin", "Refund whole payments")

    assert "holds 2 of them at work" in belay(repo, "task", "done").stderr
    assert run(repo, "done", "whole")["task"]["text"] == "Refund whole payments"
    assert run(repo, "done")["task"]["text"] == "Refund partial payments"


def test_a_link_is_not_written_through(repo, memory, tmp_path):
    memory.unlink()
    (tmp_path / "other.md").write_text(SEED)
    memory.symlink_to(tmp_path / "other.md")

    assert "symbolic link" in belay(repo, "task", "begin", "One").stderr
    assert (tmp_path / "other.md").read_text() == SEED


@given(st.text(max_size=60), st.text(max_size=40), st.sampled_from(["", SEED, "x", "# T\r\n\r\n## Task History"]))
def test_any_words_make_one_task_that_is_found_again(words, reason, text):
    try:
        begun, task = task_history.begin_task(text, words, "2026-01-02")
        ended, waiting = task_history.end_task(begun, task.text, task_history.WAITING, "2026-01-03", reason)
    except BelayError:
        return
    own = [row for row in task_history.list_tasks(ended) if row.is_own]

    assert own == [waiting]
    assert (waiting.sign, waiting.date, waiting.text) == ("⏳", "2026-01-03", task.text)
    assert marked_block.remove_block(ended, "tasks") == text
