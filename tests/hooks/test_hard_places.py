"""Hostile input and hard places: exit 0, valid or no output, works or says why once, nothing written outside."""

import ctypes
import json
import os
import resource
import signal
from pathlib import Path

import pytest
from doors import CORRECTION, EVENTS, SESSION, call, kinds, log, records, run, said
from repos import git, repository

from belay.repository import projects
from belay.session import journal
from belay.session.session import Session, find_others


def payload(folder):
    file = str(folder / "file.txt")
    return {
        "session_id": SESSION, "cwd": str(folder), "transcript_path": str(folder / "none.jsonl"), "hook_event_name": "x", "source": "startup",
        "prompt": CORRECTION, "prompt_id": "p-1", "tool_name": "Edit", "tool_input": {"file_path": file, "old_string": "one", "new_string": "two"},
        "tool_use_id": "toolu_1", "tool_calls": [call("Edit", "updated", file_path=file, old_string="one", new_string="two")],
        "last_assistant_message": "Done. Next I will test it.", "trigger": "auto", "reason": "other", "agent_type": "general-purpose",
    }  # fmt: skip


def cases(folder):
    good = payload(folder)
    raw = [
        "",
        "{",
        "null",
        "[]",
        "42",
        '"x"',
        "\x00\x01",
        "{}",
        json.dumps(good)[:-20],
        "[" * 100_000,
        "\ufeff" + json.dumps(good),
    ]
    changes = [
        {"session_id": "../../../../evil"}, {"session_id": None}, {"session_id": "a" * 5000}, {"cwd": "/nonexistent/x"}, {"cwd": 7}, {"cwd": "a\0b"},
        {"transcript_path": "/etc/passwd"}, {"transcript_path": str(folder)}, {"transcript_path": 5}, {"hook_event_name": "Nope"}, {"source": 5},
        {"prompt": 5}, {"prompt": "actually use tabs\x00\x1b[31m" + "x" * 1_000_000}, {"prompt": "\ud800 lone surrogate, use tabs not spaces"},
        {"tool_name": None, "tool_input": [1]}, {"tool_input": {"file_path": "\n../../evil", "command": None}}, {"tool_calls": {"a": 1}},
        {"tool_calls": [None, 1, {"tool_name": {}, "tool_input": 5}]}, {"extra": {"deep": [[[[1]]]]}}, {"last_assistant_message": ["x"]}, {"agent_id": {"a": 1}},
    ]  # fmt: skip
    return (
        [text.encode() for text in raw]
        + [b"\xff\xfe" + json.dumps(good).encode()]
        + [json.dumps({**good, **change}).encode() for change in changes]
    )


def outside(tmp_path, repo):
    allowed = (
        str(repo / ".claude"),
        str(repo / "memory"),
        str(repo / "CONTINUATION.md"),
        str(repo / ".git" / "info"),
        str(repo / ".git" / "belay"),
    )
    return {str(path) for path in tmp_path.rglob("*") if not str(path).startswith(allowed)}


@pytest.mark.parametrize("event", EVENTS)
def test_any_stdin_ends_well_and_writes_nowhere_else(repo, tmp_path, event):
    said(run("user_prompt_submit", repo, prompt=CORRECTION))
    before = outside(tmp_path, repo)
    for data in cases(repo):
        done = run(event, repo, data=data)
        assert (done.returncode, done.stderr) == (0, b""), data[:80]
        if done.stdout.strip() and event != "pre_compact":
            assert isinstance(json.loads(done.stdout), dict)
    assert outside(tmp_path, repo) == before
    assert log() == ""


@pytest.mark.parametrize("event", EVENTS)
def test_ten_megabytes_are_read_in_time(repo, event):
    data = json.dumps(
        {
            **payload(repo),
            "prompt": "use tabs, not spaces. " * 480_000,
            "last_assistant_message": "Next I will. " * 100_000,
        }
    ).encode()
    assert run(event, repo, data=data).returncode == 0
    assert log() == ""


def live(folder, **options):
    """A session's life; return what Claude and the user were told."""
    told = [said(run("session_start", folder, source="startup", **options))]
    told.append(said(run("user_prompt_submit", folder, prompt=CORRECTION, **options)))
    told.append(said(run("user_prompt_submit", folder, prompt="Remember this: the demo is on Thursday.", **options)))
    fields = {
        "tool_name": "Edit",
        "tool_input": {"file_path": str(folder / "file.txt"), "old_string": "one", "new_string": "two"},
    }
    told.append(said(run("pre_tool_use", folder, **fields, **options)))
    told.append(
        said(
            run(
                "post_tool_batch",
                folder,
                tool_calls=[
                    call(
                        "Edit",
                        "updated",
                        file_path=str(folder / "file.txt"),
                        old_string="one",
                        new_string="one",
                    )
                ],
                **options,
            )
        )
    )
    told.append(said(run("user_prompt_submit", folder, prompt="Save the state, we'll continue this later.", **options)))
    told.append(said(run("stop", folder, last_assistant_message="Next I will test it.", **options)))
    assert run("pre_compact", folder, trigger="auto", **options).returncode == 0
    told.append(said(run("session_start", folder, source="startup", session="22222222-aaaa", **options)))
    return told


def works(folder):
    told = live(folder)
    assert "5433" in told[1][0]
    assert "5433" in told[-1][0]
    assert log() == ""
    project = projects.find(str(folder), os.environ)
    assert kinds(project)[:3] == ["start", "prompt", "capture"] or kinds(project)[:2] == ["prompt", "capture"]
    assert "5433" in Path(project.buffer).read_text()
    return project


def test_a_repository_without_commits(tmp_path):
    (tmp_path / "new").mkdir()
    git(tmp_path / "new", "init", "-q", "-b", "trunk")
    assert records(works(tmp_path / "new"))[0]["branch"] == "trunk"


def test_a_detached_head(repo):
    git(repo, "checkout", "-q", "--detach")
    assert records(works(repo))[0]["branch"] == "detached"


def test_no_repository(tmp_path):
    (tmp_path / "plain").mkdir()
    assert works(tmp_path / "plain").root == str(tmp_path / "plain")


def test_a_submodule(repo, tmp_path):
    other = repository(tmp_path / "lib")
    git(repo, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "vendor/lib")
    assert works(repo / "vendor" / "lib").root == str(repo / "vendor" / "lib")
    assert not (repo / "memory").exists()


def test_a_linked_worktree(repo, tmp_path):
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    project = works(tmp_path / "side")
    assert project.journals == str(repo / ".claude" / "memory" / "journal")
    assert not (repo / "memory").exists()


@pytest.mark.parametrize("name", ["two words", "žluťoučký 🐎", 'quo\'te "s" $(x)', "new\nline"])
def test_any_folders_name(tmp_path, name):
    works(repository(tmp_path / name))


def test_without_git_on_the_path(repo, tmp_path):
    (tmp_path / "bin").mkdir()
    told = live(repo, environ={"PATH": str(tmp_path / "bin")})
    assert "5433" in told[1][0]
    assert "# Continue" in told[-1][0] or "5433" in told[-1][0]
    assert log() == ""


def without_rights():
    """Let file modes hold for root too: drop what overrides them (CAP_DAC_OVERRIDE, prctl PR_CAPBSET_DROP)."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)


@pytest.fixture
def read_only():
    folders = []

    def make(*paths):
        for path in paths:
            path.chmod(0o555)
            folders.append(path)

    yield make
    for path in folders:
        path.chmod(0o755)


def test_a_read_only_project_says_so_once_and_goes_on(repo, read_only):
    read_only(repo)
    told = live(repo, before=without_rights)
    users = [user for _, user in told if user]
    assert sum("nothing is kept until that folder can be written" in user for user in users) == 1
    assert all("cannot record here" in user for user in users)
    assert str(repo) in users[0]
    assert "5433" not in str(told[1][0])
    assert "Nothing was saved: " in str(told)
    assert "is in the journal" not in str(told)
    assert sorted(path.name for path in repo.iterdir()) == [".git", "file.txt"]
    assert log() == ""


def test_a_read_only_home_still_captures_and_hands_over(repo, home, read_only):
    read_only(home)
    told = live(repo, before=without_rights)
    assert "5433" in told[1][0]
    project = projects.find(str(repo), os.environ)
    assert "5433" in Path(project.buffer).read_text()
    assert kinds(project).count("capture") == 2


def test_a_read_only_root_with_a_writable_store_keeps_the_journal(repo, read_only):
    said(run("user_prompt_submit", repo, prompt="hello there my friend"))
    read_only(repo)
    told = live(repo, before=without_rights)
    project = projects.find(str(repo), os.environ)
    assert kinds(project).count("capture") == 2
    assert "no CONTINUATION.md was written" in told[5][0]
    assert log() == ""


def limited(size):
    """Stand for a full disk: no file may grow past `size` bytes, a write may be taken in part."""

    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return before


def test_a_full_disk_is_said_once_and_the_session_goes_on(project, repo):
    told = [said(run("user_prompt_submit", repo, prompt=CORRECTION, before=limited(0))) for _ in range(3)]
    assert "cannot record here" in told[0][1]
    assert [user for _, user in told[1:]] == ["", ""]
    assert all(context == "" for context, _ in told)
    assert "5433" in said(run("user_prompt_submit", repo, prompt=CORRECTION))[0]
    assert records(project)[0]["text"] == CORRECTION
    assert log() == ""


def test_a_disk_that_runs_full_keeps_what_was_acknowledged(project, repo):
    acknowledged = []
    for n in range(12):
        text = f"No, use port {6000 + n} for the database number {n}, not the old one. " + "x" * 600
        context, _ = said(run("user_prompt_submit", repo, prompt=text, before=limited(7000)))
        acknowledged += [str(6000 + n)] if str(6000 + n) in context else []
    assert 0 < len(acknowledged) < 12
    assert "5433" in said(run("user_prompt_submit", repo, prompt=CORRECTION))[0]
    found, damaged = journal.read(project.journal(SESSION))
    captured = " ".join(record["text"] for record in found if record["kind"] == "capture")
    assert all(port in captured for port in [*acknowledged, "5433"])
    assert damaged <= 12


def test_journals_of_a_clone_neither_hide_our_own_nor_cost_time(project):
    run("user_prompt_submit", project.root, prompt="Always use pnpm, never npm.", session="own")
    line = journal.seal({"time": "2026-01-01T00:00:00.000Z", "kind": "prompt", "mark": "0" * 16})
    for number in range(30):
        with open(project.journal(f"foreign-{number}"), "wb") as file:
            file.write(line * 2000 if number else b"")

    told, _ = said(run("session_start", project.root, source="startup"))

    assert "use pnpm" in told
    session = Session(project, SESSION, os.environ)
    assert [one.name for one in find_others(session, days=1.0, most=1)] == ["own"]
