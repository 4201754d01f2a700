import os

import pytest

from belay.core import paths
from belay.memory import next_step_target
from belay.repository import projects


@pytest.fixture
def code(repo):
    """A repository with a source file, a folder and a Markdown file that names a symbol of its own."""
    (repo / "src").mkdir()
    (repo / "src" / "auth.py").write_text("def rotateToken():\n    refund_total = 1\n")
    (repo / "notes.md").write_text("onlyInProse()\n")
    (repo / "Makefile").write_text("test:\n")
    return projects.find(str(repo), os.environ)


@pytest.mark.parametrize(
    "step",
    [
        "add the TTL in src/auth.py:47",
        "add the TTL in `src/auth.py` line 4",
        "look at auth.py",
        "see (src/auth.py#L3).",
        "finish rotateToken()",
        "finish `auth.rotateToken`",
        "rename refund_total",
        "run git bisect",
        "see why `git status` hangs",
        "fix what is in src/",
        "add a target to Makefile",
    ],
)
def test_a_step_that_names_something_real_is_taken(code, step):
    assert next_step_target.find_target(step, code)


@pytest.mark.parametrize(
    "step",
    [
        "continue working on the feature",
        "finish src/payments.py",
        "call handleRefund()",
        "see `onlyInProse()`",
        "test the code and make it work",
        "run test after test",
        "read /etc/passwd",
        "read ../../etc/passwd",
        "`no-such-program-at-all run`",
        "go to \0",
        "```",
        "",
    ],
)
def test_a_vague_or_invented_step_is_not(code, step):
    assert next_step_target.find_target(step, code) == ""


def test_a_command_that_was_run_in_the_session_counts(code):
    assert next_step_target.find_target("get zzz-runner all green", code, ["zzz-runner all"]) == "zzz-runner all"


def test_without_git_files_and_symbols_are_found_by_walking(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "auth.py").write_text("def rotateToken(): ...\n")
    project = paths.Project(str(tmp_path))

    assert next_step_target.find_target("finish rotateToken()", project) == "rotateToken"
    assert next_step_target.find_target("look at auth.py", project) == "src/auth.py"
    assert next_step_target.find_target("finish handleRefund()", project) == ""
