"""What Belay writes by itself never rides along with `git add -A`: real hooks, real git, every kind of checkout."""

import os
import subprocess

import commandline
import doors
import pytest
from repos import git, repository

from belay.repository import projects

BLOCK = "# >>> belay >>>"


def normal(folder):
    return repository(folder / "normal")


def linked(folder):
    git(repository(folder / "main"), "worktree", "add", "-q", str(folder / "linked"))
    return folder / "linked"


def submodule(folder):
    outer, inner = repository(folder / "outer"), repository(folder / "inner")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "part")
    git(outer, "commit", "-qm", "add part")
    return outer / "part"


def bare(folder):
    git(folder, "clone", "-q", "--bare", str(repository(folder / "origin")), "bare.git")
    git(folder / "bare.git", "worktree", "add", "-q", str(folder / "tree"))
    return folder / "tree"


def taken(source):
    """`memory/` is a package of the project: the logs go below .claude/."""
    (source / "memory").mkdir()
    (source / "memory" / "pages.py").write_text("one = 1\n")
    git(source, "add", ".")
    git(source, "commit", "-qm", "pages")
    return source


def work(root):
    """A session with a correction, a failing check, an edit that mends it, a kill at 80 % and a mechanical save."""
    doors.run("session_start", root, source="startup")
    doors.run("user_prompt_submit", root, prompt=doors.CORRECTION, prompt_id="p-1")
    failed = doors.call("Bash", "1 failed", command="make test")
    doors.run("post_tool_batch", root, tool_calls=[failed])
    doors.run("stop", root, last_assistant_message="Next I will mend it.", stop_hook_active=False)
    doors.run("pre_compact", root, trigger="manual", custom_instructions="")
    doors.run("session_end", root, reason="other")


@pytest.mark.parametrize("checkout", [normal, linked, submodule, bare])
@pytest.mark.parametrize("has_package", [False, True])
def test_nothing_private_reaches_git(tmp_path, checkout, has_package):
    root = checkout(tmp_path)
    root = taken(root) if has_package else root
    work(root)
    project = projects.find(str(root), os.environ)
    assert os.path.exists(project.buffer)

    git(root, "add", "-A")
    assert git(root, "diff", "--cached", "--name-only") == ""
    assert git(root, "status", "--porcelain") == ""


def test_the_block_comes_before_the_first_private_line(repo, project, monkeypatch):
    from belay.session import captures, working_buffer
    from belay.session.session import Session

    seen = []
    write = working_buffer.update
    monkeypatch.setattr(working_buffer, "update", lambda *given: seen.append(_hidden(repo)) or write(*given))
    captures.record_captures(
        Session(project, "s-1", os.environ),
        [{"classes": {"correction": 1.0}, "text": "Use tabs", "origin": "typed"}],
    )

    assert seen == [True]


def _hidden(root):
    return subprocess.run(["git", "check-ignore", "-q", "memory/working-buffer.md"], cwd=root).returncode == 0


def test_a_tracked_log_stays_tracked(repo, project):
    (repo / "memory").mkdir()
    (repo / "memory" / "working-buffer.md").write_text("# Buffer\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "share the buffer")
    work(repo)

    assert git(repo, "status", "--porcelain") == "M memory/working-buffer.md"


def test_lessons_of_a_wrap_up_stay_private_and_the_memory_is_offered(repo):
    commandline.belay(
        repo, "wrap-up", "--apply", stdin='summary: "done"\nstatus: done\nlessons:\n  - "Ports differ."\n'
    )

    assert (repo / "tasks" / "lessons.md").exists()
    assert git(repo, "status", "--porcelain").split() == ["??", "MEMORY.md"]
