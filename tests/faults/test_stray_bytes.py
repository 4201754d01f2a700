"""Names of folders and files, and texts, with bytes that are no UTF-8: every hook and command does its work."""

import os
import time

import doors
import pytest
from commandline import belay
from faults.scenes import ANSWER, QUESTIONS
from repos import git, repository

from belay.repository import projects
from belay.safety import trust

STRAY = os.fsdecode(b"na\xefve")
TODO = [{"content": f"read {STRAY}", "status": "pending"}]


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / STRAY
    repository(folder)
    (folder / f"{STRAY}.py").write_text("x = 1\n")
    (folder / f"{STRAY}.md").write_text("# Title\n\nThe port is 5433.\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "stray names")
    return folder


def work(repo):
    """Run every hook of a session there; return what each said."""
    edit = {"file_path": f"{repo}/{STRAY}.py", "old_string": STRAY, "new_string": "y"}
    calls = [
        doors.call("Edit", "updated", **edit),
        doors.call("Bash", f"Exit code 1\n1 failed {STRAY}", command=f"pytest {STRAY}"),
        doors.call("AskUserQuestion", ANSWER.replace("Redis", STRAY), questions=QUESTIONS),
        doors.call("TodoWrite", "ok", todos=TODO),
    ]
    steps = (
        ("session_start", {"source": "startup"}),
        ("user_prompt_submit", {"prompt": f"No, use port 5433 for {STRAY}, not 5432.", "prompt_id": "p-1"}),
        ("user_prompt_submit", {"prompt": f"Remember: we deploy {STRAY} with Nomad, \ud800.", "prompt_id": "p-2"}),
        ("pre_tool_use", {"tool_name": "Edit", "tool_input": edit, "tool_use_id": "t"}),
        ("post_tool_batch", {"tool_calls": calls}),
        ("subagent_start", {"agent_type": STRAY}),
        ("stop", {"last_assistant_message": f"The parser {STRAY} is done. Next: test {STRAY}.py"}),
        ("session_end", {"reason": "other"}),
    )
    return [doors.said(doors.run(event, repo, **fields)) for event, fields in steps]


def test_hooks_record_and_start_there(repo):
    said = work(repo)
    found = projects.find(str(repo), os.environ)
    until = time.monotonic() + 20
    while "folded" not in doors.kinds(found) and time.monotonic() < until:
        time.sleep(0.1)
    context, _ = doors.said(doors.run("session_start", repo, session="later", source="startup"))

    assert "Recorded C-" in said[1][0]
    assert "Recorded C-" in said[4][0]
    assert "use port 5433" in context
    assert doors.log() == ""


COMMANDS = (
    ("status",), ("buffer",), ("capture", STRAY), ("decision", f"use {STRAY}", "-r", STRAY), ("why", f"{STRAY}.py"),
    ("search", f"port {STRAY}"), ("context",), ("index", "."), ("recent",), ("handoff",), ("journal",),
    ("remember", "--as", "decision", f"Zod {STRAY} because"), ("diff",), ("health",), ("memory", "show"), ("doctor",),
    ("cleanup",), ("export", "-o", "all.jsonl"), ("trust",),
)  # fmt: skip


def test_commands_answer_there(repo):
    work(repo)
    for command in COMMANDS:
        done = belay(repo, *command)
        assert "Traceback" not in done.stderr, (command, done.stderr[-1500:])
        assert done.returncode in (0, 1), (command, done.stderr)
    assert "Zod" in (repo / "MEMORY.md").read_bytes().decode()  # valid UTF-8
    again = belay(repo, "index", ".")
    assert "nothing" in again.stdout.lower() or " 0 " in f" {again.stdout}", again.stdout


def test_such_a_folder_can_be_trusted(repo):
    found = projects.find(str(repo), os.environ)
    trust.record(os.environ, found.root, "MEMORY.md", b"# Memory\n")

    assert trust.is_known(os.environ, found.root, "MEMORY.md", b"# Memory\n")
    assert not trust.is_known(os.environ, found.root.replace(STRAY, "na?ve"), "MEMORY.md", b"# Memory\n")
