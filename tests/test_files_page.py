"""docs/files.md: what a working day and every command that writes really leave behind is on the page."""

import fnmatch
import os
import re
import time
from pathlib import Path

import doors
from commandline import belay
from repos import git

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
SHARE = "~/.local/share/belay/"
OWN = {"file.txt", "pay.py", "README.md"}
FORM = 'summary: "Refunds work"\nnext step: "write the test in pay.py"\nlessons: ["Cents, not euros"]\n'


def patterns():
    """Return the paths of the page's tables as patterns; in a cell of Belay's own folder the first names it."""
    found = []
    for cell in re.findall(r"^\| (`[^|]+) \|", PAGE, re.M):
        names = re.findall(r"`([^`]+)`", cell)
        folder = SHARE if names[0].startswith(SHARE) else ""
        full = [name if name.startswith(("~", ".")) else folder + name for name in names]
        found += [name.replace("YYYY-MM-DD", "????-??-??").replace("<plugin>", "*") for name in full]
    return found


def is_on_the_page(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns())


def wait_for_quiet(folder, seconds=30):
    """Wait until the background work has left."""
    until, before = time.time() + seconds, None
    while time.time() < until:
        now = sorted((str(path), path.stat().st_size) for path in folder.rglob("*") if path.is_file())
        if now == before and not list(folder.rglob("*.tmp")):
            return
        before = now
        time.sleep(0.7)


def work(repo, home):
    """Play a session and call every command that writes a file."""
    (repo / "pay.py").write_text("def refund(order):\n    return order\n")
    (repo / "README.md").write_text("# Shop\n\nSells bread.\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "Sell bread")
    doors.run("session_start", repo, source="startup")
    doors.run("user_prompt_submit", repo, prompt=doors.CORRECTION, prompt_id="p-1")
    edit = {"file_path": str(repo / "pay.py"), "old_string": "order\n", "new_string": "order + 1\n"}
    doors.run("pre_tool_use", repo, tool_name="Edit", tool_input=edit, tool_use_id="toolu_1", prompt_id="p-1")
    doors.run("post_tool_batch", repo, tool_calls=[doors.call("Edit", "The file was updated.", **edit)])
    doors.run("stop", repo, stop_hook_active=False, last_assistant_message="Next: test refund() in pay.py")
    doors.run("pre_compact", repo, trigger="manual", custom_instructions="")
    for call in (
        ["remember", "SQLite for storage: one file", "--as", "decision"],
        ["gotcha", "The gateway rounds", "-f", "pay.py"],
        ["integrate", "--yes"], ["integrate", "--user", "--yes"], ["task", "begin", "Refund", "--create"],
        ["handoff"], ["export"], ["continue", "--write"], ["promote", "Cents, not euros", "--yes"],
        ["notes", "on"], ["branch", "merge-driver", "--shared"], ["index"], ["compress"], ["health"], ["diff"],
        ["statusline", "--install"], ["memory-init", "."], ["memory-init", "--add-section", "Rate Limits", "--template", "feature"], ["doctor"],
    ):  # fmt: skip
        belay(repo, *call)
    done = belay(repo, "wrap-up", "--apply", stdin=FORM)
    assert done.returncode == 0, done.stderr
    doors.run("session_end", repo, reason="other")
    wait_for_quiet(repo)
    wait_for_quiet(home)


def test_everything_that_is_left_behind_is_on_the_page(repo, home):
    work(repo, home)
    inside = [str(path.relative_to(repo)) for path in repo.rglob("*") if path.is_file()]
    of_git = {name for name in inside if name.startswith(".git/") and not name.startswith(".git/belay/")}
    mine = [name for name in inside if name not in of_git | OWN]
    at_home = ["~/" + str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]

    assert len(mine) > 15, mine
    assert len(at_home) > 4, at_home
    assert "\n".join(name for name in sorted(mine + at_home) if not is_on_the_page(name)) == ""
    assert is_on_the_page(".git/info/exclude")
    for name in ("MEMORY.md", "CLAUDE.md", ".orchestre/CLAUDE.md", "HANDOFF.md", ".claude/memory/workshop.db"):
        assert name in mine


def test_a_file_that_the_page_does_not_name_would_be_found():
    assert not is_on_the_page("SURPRISE.md")
    assert not is_on_the_page(".claude/memory/surprise.txt")
    assert not is_on_the_page("~/.local/share/belay/surprise")
    assert is_on_the_page("~/.local/share/belay/told/x")
    assert is_on_the_page("memory/2026-11-25.md")


def test_every_path_that_the_program_knows_is_on_the_page(project, repo):
    known = [
        project.memory_md, project.continuation, project.buffer, project.daily("2026-11-25"), project.todo,
        project.lessons, project.journal("s"), project.ledger, project.state("s"), project.settings_compiled,
        project.own_workshop, os.path.join(project.archive, "x.md"), os.path.join(project.sessions, "x"),
        os.path.join(project.undo, "x", "record.json"), os.path.join(project.overlays, "x.md"), project.exclude,
        project.own_lines(), project.derived("terms"), project.lock,
    ]  # fmt: skip

    assert [name for name in map(project.relative, known) if not is_on_the_page(name)] == []
