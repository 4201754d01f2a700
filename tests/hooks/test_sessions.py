"""Beginnings and ends: what a session leaves and what the next one is given."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from doors import CORRECTION, SESSION, call, kinds, log, records, run, said
from repos import git

from belay.core import constants, paths
from belay.core.text import tokens
from belay.session import continuation_files
from belay.session.session import Session

NEXT = "22222222-3333-4444-8555-666666666666"


def start(folder, source="startup", session=NEXT, **fields):
    return said(run("session_start", folder, session=session, source=source, **fields))


def work(repo, session=SESSION, **options):
    """One short session: a prompt, a correction, an edit, a failing test, an answer."""
    (repo / "file.txt").write_text("not one\n")
    for fields in (
        {"event": "user_prompt_submit", "prompt": "Mend the parser of the config files"},
        {"event": "user_prompt_submit", "prompt": CORRECTION},
        {
            "event": "post_tool_batch",
            "tool_calls": [call("Edit", "updated", file_path=str(repo / "file.txt"), old_string="a", new_string="one")],
        },
        {
            "event": "post_tool_batch",
            "tool_calls": [call("Bash", "Exit code 1\n1 failed", command="pytest -q")],
        },
        {"event": "stop", "last_assistant_message": "One test fails. Next I will split the lexer."},
    ):
        said(run(fields.pop("event"), repo, session=session, **fields, **options))


def ended(project, repo, session=SESSION):
    """End a session and wait until the consolidator has been."""
    said(run("session_end", repo, session=session, reason="prompt_input_exit"))
    assert until(lambda: "folded" in kinds(project, session))


def until(found, seconds=60):
    end = time.monotonic() + seconds
    while not found() and time.monotonic() < end:
        time.sleep(0.02)
    return found()


def test_a_whole_day(project, repo):
    assert start(repo, session=SESSION)[0] == ""
    work(repo)
    ended(project, repo)
    assert os.path.exists(project.continuation)
    told, _ = start(repo)
    assert "# Continue: Mend the parser of the config files" in told
    assert "Resume from: `file.txt:1`" in told
    assert "5433" in told
    assert tokens.count(told) <= constants.INJECT_TOKENS
    assert not os.path.exists(project.continuation)
    again, _ = start(repo, session="33333333-aaaa")
    assert "# Continue" not in again
    assert "5433" in again
    assert len(continuation_files.list_archived(project, os.environ)) == 1
    assert log() == ""


def test_a_client_killed_in_the_middle_of_a_tool_leaves_its_place(project, repo):
    script = f"""
import json, os, subprocess, sys, time
sys.path[0:0] = [{str(Path(__file__).resolve().parents[1])!r}, {paths.resource("lib")!r}]
from doors import run, said
repo = {str(repo)!r}
said(run("user_prompt_submit", repo, prompt="Mend the parser of the config files"))
said(run("pre_tool_use", repo, tool_name="Edit", tool_input={{"file_path": repo + "/file.txt", "old_string": "one", "new_string": "1"}}))
print("on", flush=True)
time.sleep(60)
"""
    client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert client.stdout.readline() == b"on\n"
    early, _ = start(repo, session="44444444-aaaa")
    assert "# Continue" not in early
    client.kill()
    client.wait()
    client.stdout.close()
    told, _ = start(repo)
    assert "Resume from: `file.txt:1`" in told
    assert "Interrupted in Edit" in told
    assert Session(project, SESSION, os.environ).state["ended"] == "lost"


def test_a_headless_run_is_shown_it_and_leaves_it(project, repo):
    work(repo)
    ended(project, repo)
    headless = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    for _ in range(2):
        told = said(run("session_start", repo, session=NEXT, source="startup", environ=headless))[0]
        assert "# Continue" in told
    assert os.path.exists(project.continuation)
    assert "# Continue" in start(repo, session="33333333-aaaa")[0]
    assert not os.path.exists(project.continuation)


def test_a_subagent_is_given_facts_and_takes_nothing(project, repo):
    work(repo)
    ended(project, repo)
    before = Path(project.continuation).read_text()
    fields = {"agent_id": "a1", "agent_type": "general-purpose"}
    told, user = said(run("subagent_start", repo, **fields))
    assert "5433" in told
    assert "# Continue" not in told
    assert user == ""
    assert said(run("session_start", repo, session=NEXT, source="startup", agent_id="a1")) == ("", "")
    assert Path(project.continuation).read_text() == before


def test_compaction_brings_back_what_is_open(project, repo):
    work(repo)
    done = run("pre_compact", repo, trigger="auto", custom_instructions=None)
    assert done.returncode == 0
    text = done.stdout.decode()
    assert not text.startswith("{")
    assert "5433" in text
    first = Path(project.continuation).read_text().splitlines()
    assert run("pre_compact", repo, trigger="auto").stdout.decode() == text
    again = Path(project.continuation).read_text().splitlines()
    assert again[:-1] == first[:-1]  # the last line holds the time
    told, _ = start(repo, "compact", session=SESSION)
    assert "5433" in told
    assert "Resume from: `file.txt:1`" in told
    assert not os.path.exists(project.continuation)
    assert tokens.count(told) <= constants.INJECT_TOKENS
    assert "5433" in start(repo, "compact", session=SESSION)[0]


def test_resume_brings_only_what_changed(project, repo):
    work(repo)
    told, _ = start(repo, "resume", session=SESSION)
    assert "5433" not in told
    assert "# Continue" not in told


def test_another_branchs_continuation_is_named_not_injected(project, repo):
    work(repo)
    ended(project, repo)
    git(repo, "checkout", "-q", "-b", "side")
    told, _ = start(repo)
    assert "Resume from" not in told
    assert "belongs to branch main" in told
    assert os.path.exists(project.continuation)


def test_a_continuation_in_the_archive_is_named_once(project, repo):
    for name in (SESSION, "22222222-second"):
        work(repo, session=name)
        ended(project, repo, session=name)
    assert len(continuation_files.list_archived(project, os.environ, waiting=True)) == 1

    told = [start(repo, session=f"3333333{number}-next")[0] for number in range(2)]

    assert ["Another continuation waits" in text for text in told] == [True, False]


def test_the_environment_of_the_shell_gets_our_names(project, repo, tmp_path):
    file = tmp_path / "env.sh"
    hostile = str(tmp_path / "it's $(touch evil) here")
    start(repo, environ={"CLAUDE_ENV_FILE": str(file), "CLAUDE_PLUGIN_DATA": hostile})
    done = subprocess.run(
        ["sh", "-c", f". '{file}'; printf '%s|%s' \"$BELAY_DATA\" \"$BELAY_SESSION\""],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{hostile}|{NEXT}"
    assert not list(tmp_path.glob("evil"))


def test_a_cloned_journal_and_continuation_are_not_believed(project, repo, tmp_path, monkeypatch):
    work(repo)
    ended(project, repo)
    assert os.path.exists(project.continuation)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "other-user"))
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(repo), str(copy)], check=True)
    told, _ = start(copy)
    assert "5433" not in told
    assert "Resume from" not in told
    assert "CONTINUATION.md" in told
    assert os.path.exists(copy / "CONTINUATION.md")


def test_many_starts_at_once_hand_over_once_or_more_but_lose_nothing(project, repo):
    import concurrent.futures

    work(repo)
    ended(project, repo)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        told = [text for text, _ in pool.map(lambda n: start(repo, session=f"{n}4444444-aaaa"), range(4))]
    assert any("# Continue" in text for text in told)
    assert kinds(project).count("end") == 1
    notes = [
        note
        for note in [
            continuation_files.find_waiting(project),
            *continuation_files.list_archived(project, os.environ),
        ]
        if note
    ]
    assert "Mend the parser" in notes[-1].text
    assert log() == ""


@pytest.mark.parametrize("signal", [9, 15])
def test_a_killed_end_loses_nothing(project, repo, signal):
    work(repo)
    door = paths.resource("hooks", "session_end.py")
    for pause in (0.0, 0.01, 0.02, 0.03, 0.05):
        hook = subprocess.Popen([sys.executable, "-S", "-E", door], stdin=subprocess.PIPE, cwd="/")
        hook.stdin.write(f'{{"session_id":"{SESSION}","cwd":"{repo}","reason":"other"}}'.encode())
        hook.stdin.close()
        time.sleep(pause)
        hook.send_signal(signal)
        hook.wait()
    told, _ = start(repo)
    assert "5433" in told
    assert [record["text"] for record in records(project) if record["kind"] == "prompt"][-1] == CORRECTION


def test_a_newer_task_is_next_and_what_was_announced_before_is_not(project, repo):
    work(repo)
    said(run("user_prompt_submit", repo, prompt="Now write the changelog entry instead"))
    assert run("pre_compact", repo, trigger="manual").returncode == 0
    text = Path(project.continuation).read_text()
    assert "# Continue: Write the changelog entry instead" in text
    assert "## Immediate Next Action\nFinish the last request: “Now write the changelog entry instead”" in text
    assert "split the lexer" not in text


def test_a_commit_of_the_sessions_own_last_second_is_not_new(project, repo):
    git(repo, "commit", "-q", "--allow-empty", "-m", "mine")
    work(repo)
    said(run("session_end", repo, reason="other"))
    assert "the last " + git(repo, "rev-parse", "HEAD")[:9] not in start(repo)[0]


def test_a_buffer_written_by_hand_is_delivered_at_a_start_and_where_it_is_asked_for(project, repo):
    start(repo, session=SESSION)
    buffer = Path(project.buffer)
    buffer.parent.mkdir(exist_ok=True)
    buffer.write_text("# Working Buffer\n\n## Current task\nWire the preview routes\n\n## Blockers\n- preview token\n")

    told, _ = start(repo)
    assert "Working buffer: Current task: Wire the preview routes" in told
    assert "Working buffer: Blockers: preview token" in told

    asked, _ = said(run("user_prompt_submit", repo, session=NEXT, prompt="Where were we?"))
    assert "Working buffer: Current task: Wire the preview routes" in asked
    assert "Wire the preview routes" in buffer.read_text()
