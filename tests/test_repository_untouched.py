"""A whole session leaves the user's repository as it was: compared byte by byte, before and after.

Hooks with the sentinel in `enforce`, failing checks, a compaction, a wrap-up, notes switched on, the consolidator.
"""

import hashlib
import os
import stat
import subprocess
import time

import commandline
import doors
import pytest
from doors import CORRECTION, call, denied, run, said
from repos import git, repository
from sessions import DOCUMENT

from belay.consolidate import session as consolidate_session
from belay.repository import projects
from belay.repository.notes import store
from belay.session.session import Session

NAME = "5e551011-aaaa-bbbb-cccc-000000000001"
HOOKS = (
    "applypatch-msg pre-applypatch post-applypatch pre-commit prepare-commit-msg commit-msg post-commit pre-rebase "
    "post-checkout post-merge pre-push pre-receive update post-update reference-transaction push-to-checkout pre-auto-gc "
    "post-rewrite sendemail-validate fsmonitor-watchman post-index-change"
).split()
OURS = ("MEMORY.md", "tasks/", "CONTINUATION.md", "memory/", ".claude/", ".memory/")
"""What Belay writes into a work tree (README.md, "What it writes"); git sees the first two as new."""
MADE = ("objects/", "belay/", "refs/notes/", "logs/refs/notes/", "info/exclude")
"""What it makes in the folder of a repository: notes by consent with their objects, its own folder, its block."""


@pytest.fixture
def world(tmp_path):
    """A repository in the middle of work: staged, changed, new, ignored and stashed; hooks and signing that spring."""
    main = repository(tmp_path / "main")
    git(main, "config", "user.name", "Ada")
    git(main, "config", "user.email", "ada@example.org")
    for name in ("staged.py", "changed.py", "flagged.py", ".gitignore"):
        (main / name).write_text({".gitignore": "build/\n*.log\n"}.get(name, "one = 1\n"))
    git(main, "add", ".")
    git(main, "commit", "-qm", "Add the files")
    git(main, "branch", "topic")
    git(main, "tag", "v1")
    (main / "changed.py").write_text("stashed = 1\n")
    git(main, "stash", "-q")
    side = tmp_path / "side"
    git(main, "worktree", "add", "-q", "-b", "side", str(side))
    for tree in (main, side):
        (tree / "staged.py").write_text("two = 2\n")
        git(tree, "add", "staged.py")
        (tree / "changed.py").write_text("three = 3\n")
        (tree / "new.py").write_text("four = 4\n")
        (tree / "build").mkdir()
        (tree / "build" / "out.log").write_text("built\n")
        git(tree, "update-index", "--assume-unchanged", "flagged.py")
    set_traps(main, tmp_path / "sprung")
    return main, side


def set_traps(main, sprung):
    program = f"#!/bin/sh\necho \"$0 $*\" >> '{sprung}'\nexit 1\n"
    for name in HOOKS:
        hook = main / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(program)
        hook.chmod(0o755)
    tool = main.parent / "tool"
    tool.write_text(program)
    tool.chmod(0o755)
    settings = {
        "commit.gpgsign": "true", "tag.gpgsign": "true", "gpg.program": tool, "core.fsmonitor": tool,
        "core.editor": tool, "core.pager": tool, "diff.external": tool, "credential.helper": tool,
        "filter.trap.clean": tool, "filter.trap.smudge": tool, "core.logAllRefUpdates": "always",
    }  # fmt: skip
    for name, value in settings.items():
        git(main, "-c", "core.fsmonitor=", "config", name, str(value))


def read_git(main):
    """Return path → (mode, digest) of every file in the repository's own folder."""
    found, top = {}, main / ".git"
    for path in top.rglob("*"):
        name = str(path.relative_to(top))
        if path.is_file() and not name.startswith(MADE):
            mode = path.lstat()
            found[name] = (stat.S_IMODE(mode.st_mode), hashlib.sha256(path.read_bytes()).hexdigest())
    return found


def ask(tree, *args):
    done = subprocess.run(
        ["git", "--no-optional-locks", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", *args],
        cwd=tree, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def look(main, tree):
    """Return what the issue names, as git says it, and all of the repository's own files."""
    rows = ask(tree, "status", "--porcelain", "--ignored", "--untracked-files=normal").splitlines()
    files = {
        str(path.relative_to(tree)): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file() and ".git" not in path.parts and not str(path.relative_to(tree)).startswith(OURS)
    }
    return {
        "status": [row for row in rows if not row[3:].startswith(OURS)],
        "staged": ask(tree, "ls-files", "--stage", "-v", "--debug"),
        "stashes": ask(tree, "stash", "list", "--format=%H %gd %gs"),
        "reflog": ask(tree, "reflog", "--format=%H %gd %gs", "HEAD"),
        "refs": [row for row in ask(tree, "for-each-ref").splitlines() if "\trefs/notes/" not in row],
        "config": ask(tree, "config", "--local", "--list"),
        "files": files,
        "git": read_git(main),
    }


def live(tree, compacts):
    """A session from its start to its end, through every hook; return its project."""
    edit = {"tool_name": "Edit", "tool_use_id": "t", "prompt_id": "p-1"}
    target = {"file_path": str(tree / "changed.py"), "old_string": "three", "new_string": "four"}
    said(run("session_start", tree, source="startup", session=NAME))
    said(run("user_prompt_submit", tree, prompt=f"{CORRECTION} Then rotate the tokens in changed.py.", session=NAME))
    assert "5433" in denied(run("pre_tool_use", tree, session=NAME, tool_input=target, **edit))
    assert commandline.belay(tree, "ack", acked(tree)).returncode == 0
    assert not denied(run("pre_tool_use", tree, session=NAME, tool_input=target, **edit))
    said(run("post_tool_batch", tree, session=NAME, tool_calls=[call("Edit", "updated", **target)]))
    failed = call("Bash", "Exit code 1\n1 failed in 0.1s", command="pytest -q")
    said(run("post_tool_batch", tree, session=NAME, tool_calls=[failed]))
    said(run("user_prompt_submit", tree, prompt="Let's go with SQLite for the storage, one file.", session=NAME))
    said(run("subagent_start", tree, session=NAME, agent_id="a1", agent_type="general-purpose"))
    said(run("stop", tree, session=NAME, last_assistant_message="The check fails. Next I will mend changed.py:1."))
    if compacts:
        assert run("pre_compact", tree, session=NAME, trigger="manual").returncode == 0
        said(run("session_start", tree, source="compact", session=NAME))
    assert commandline.belay(tree, "wrap-up").returncode == 0
    done = commandline.belay(tree, "wrap-up", "--apply", stdin=DOCUMENT.replace("file.txt", "changed.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    for words in (["status"], ["tiers"], ["health"], ["diff"], ["notes", "log"], ["why", "SQLite"]):
        commandline.belay(tree, *words)
    run("session_end", tree, session=NAME, reason="other")
    project = projects.find(str(tree), os.environ)
    waited = time.monotonic() + 60
    while consolidate_session.run(project, os.environ, ending=True)["busy"] and time.monotonic() < waited:
        time.sleep(0.05)
    said(run("session_start", tree, source="startup", session="5e551011-next"))
    return project


def acked(tree):
    captures = Session(projects.find(str(tree), os.environ), NAME, os.environ).state["captures"]
    return next(iter(captures))


@pytest.mark.parametrize("compacts", [False, True])
@pytest.mark.parametrize("at", ["main", "side"])
def test_a_whole_session_leaves_the_repository_as_it_was(world, home, monkeypatch, at, compacts):
    main, side = world
    tree = {"main": main, "side": side}[at]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NAME)
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text("sentinel: enforce\n")
    said(run("user_prompt_submit", tree, prompt="Always use pnpm here, never npm.", session="earlier"))
    assert commandline.belay(tree, "notes", "on").returncode == 0
    consolidate_session.run(projects.find(str(tree), os.environ), os.environ)
    before = look(main, tree)
    assert len(before["git"]) > 20
    assert before["stashes"]

    project = live(tree, compacts)

    after = look(main, tree)
    assert [part for part in before if before[part] != after[part]] == []
    assert not (main.parent / "sprung").exists()
    assert doors.log() == ""
    kinds = {row["kind"] for row in Session(project, NAME, os.environ).own_records()}
    assert {"start", "prompt", "capture", "intent", "edit", "command", "said", "wrap-up", "end"} <= kinds
    assert store.read_breadcrumbs(project, os.environ)[0]
    assert os.listdir(os.path.join(project.orchestration, "evidence"))


def test_consent_to_notes_changes_two_settings_and_its_end_gives_them_back(world):
    main, _ = world
    before = look(main, main)

    assert commandline.belay(main, "notes", "on").returncode == 0
    changed = look(main, main)
    new = set(changed["config"].splitlines()) - set(before["config"].splitlines())
    assert [part for part in before if part not in ("config", "git") and before[part] != changed[part]] == []
    assert {name for name in changed["git"] if changed["git"][name] != before["git"].get(name)} == {"config"}
    assert new
    assert all(row.startswith("notes.") for row in new)

    assert commandline.belay(main, "notes", "off").returncode == 0
    assert look(main, main)["config"] == before["config"]
    assert not (main.parent / "sprung").exists()


def test_a_change_would_be_seen(world):
    """The comparison itself: an index that is written anew, a stash that is dropped, a hook that ran."""
    main, _ = world
    before = look(main, main)

    os.utime(main / "changed.py", (1, 1))
    git(main, "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "status")
    git(main, "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "stash", "drop", "-q")
    after = look(main, main)

    assert {"stashes", "git"} <= {part for part in before if before[part] != after[part]}
    assert subprocess.run(["git", "commit", "-qm", "x"], cwd=main, capture_output=True, check=False).returncode == 1
    assert (main.parent / "sprung").exists()
