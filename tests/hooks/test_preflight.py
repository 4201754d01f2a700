"""An open preflight through the real doors: compaction, resume, the end, a crash; and what a start says of calibration."""

import os
import signal
import subprocess
import sys
import time

import pytest
from commandline import answer, belay
from doors import SESSION, kinds, log, run, said
from ratings import OVERSURE, pair, put

from belay.knowledge.store.store import Store
from belay.knowledge.store.tables import session_rows
from belay.session.session import Session

NEXT = "22222222-3333-4444-8555-666666666666"
GOAL, UNKNOWN = "Goal stated: stop the double refunds", "Still unknown: 1) who retries? 2) which key?"
CLEAR = [pair(0.9, one) for one in ("done", "failed", "failed", "partly", "failed")]


@pytest.fixture
def stated(repo, monkeypatch):
    """A session with a task and an open preflight."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    said(run("session_start", repo, source="startup"))
    said(run("user_prompt_submit", repo, prompt="Find out why refunds happen twice and repair it"))
    unknown = ("--unknown", "who retries?", "--unknown", "which key?")
    assert belay(repo, "preflight", "stop the double refunds", "--confidence", "0.8", *unknown).returncode == 0


def start(repo, source, session=SESSION, **fields):
    return said(run("session_start", repo, session=session, source=source, **fields))[0]


def until(found, seconds=60):
    end = time.monotonic() + seconds
    while not found() and time.monotonic() < end:
        time.sleep(0.05)
    return found()


def load(project, name=SESSION):
    if not os.path.exists(project.workshop):
        return None
    with Store(project.workshop, os.environ) as store:
        return session_rows.load_record(store.connection, name)


def test_a_compaction_keeps_it_and_names_it_with_the_open_work(project, repo, stated):
    asked = run("pre_compact", repo, trigger="auto").stdout.decode()
    told = start(repo, "compact")

    for text in (asked, told):
        assert GOAL in text
        assert UNKNOWN in text
    assert told.index("Find out why refunds") < told.index(GOAL)
    assert answer(repo, "check")["unknowns"] == ["who retries?", "which key?"]
    assert belay(repo, "postflight", "one key a refund", "--outcome", "done").returncode == 0
    assert GOAL not in start(repo, "compact")
    assert log() == ""


def test_a_resume_finds_it_open_after_an_end_that_inferred_its_outcome(project, repo, stated):
    said(run("session_end", repo, reason="prompt_input_exit"))
    assert until(lambda: load(project))
    assert until(lambda: "folded" in kinds(project))
    found = load(project)
    assert (found["row"]["goal"], found["row"]["goal_stated"]) == ("stop the double refunds", True)
    assert found["row"]["outcome_stated"] is False
    assert [(one["phase"], one["stated"]) for one in found["reflexes"]] == [("preflight", True), ("postflight", False)]
    start(repo, "resume")
    assert answer(repo, "check")["goal"] == "stop the double refunds"
    assert belay(repo, "postflight", "one key a refund", "--outcome", "done").returncode == 0
    said(run("session_end", repo, reason="prompt_input_exit"))

    assert until(lambda: load(project)["row"]["outcome_stated"])
    assert [one["stated"] for one in load(project)["reflexes"]] == [True, True, True]


def test_a_new_session_has_no_preflight_of_another(project, repo, stated, monkeypatch):
    start(repo, "startup", session=NEXT)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", NEXT)

    assert answer(repo, "check", code=1)["goal"] is None


CLIENT = """
import json, os, subprocess, sys, time
door, folder, session = sys.argv[1:]
def run(event, **fields):
    payload = {"session_id": session, "cwd": folder, "hook_event_name": event, **fields}
    command = [sys.executable, "-S", "-E", os.path.join(door, event + ".py")]
    subprocess.run(command, input=json.dumps(payload).encode(), stdout=subprocess.DEVNULL, check=True)
run("session_start", source="startup")
run("user_prompt_submit", prompt="Find out why refunds happen twice and repair it", prompt_id="p-1")
print("ready", flush=True)
time.sleep(600)
"""


def test_a_crash_is_closed_as_inferred_by_the_next_start(project, repo, monkeypatch):
    from belay.core import paths

    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, paths.resource("hooks"), str(repo), SESSION], stdout=subprocess.PIPE, text=True
    )
    assert client.stdout.readline() == "ready\n"
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert belay(repo, "preflight", "stop the double refunds", "--unknown", "who retries?").returncode == 0
    client.send_signal(signal.SIGKILL)
    client.communicate()
    assert load(project) is None
    start(repo, "startup", session=NEXT)

    assert until(lambda: load(project))
    found = load(project)
    assert found["row"]["reason"] == "lost"
    assert found["reflexes"][-1]["stated"] is False
    assert found["reflexes"][-1]["unknowns"] == ["who retries?"]
    assert Session(project, SESSION, os.environ).state["ended"] == "lost"


@pytest.mark.parametrize("sessions", [CLEAR, OVERSURE, CLEAR[:4]], ids=["clear", "not clear", "too few"])
def test_a_start_tells_the_calibration_only_where_it_says_something(project, repo, sessions):
    put(project, sessions)
    said(run("user_prompt_submit", repo, session=NEXT, prompt="hello there"))
    told = [line for line in start(repo, "startup").splitlines() if "Calibration" in line]

    expected = "Calibration: over 5 rated sessions the stated confidence was 0.90 on average, the outcome 0.30; "
    assert told == ([expected + "state about 0.60 less."] if sessions is CLEAR else [])
    assert "Calibration" not in start(repo, "resume")


def test_a_file_that_came_with_a_clone_calibrates_nothing(project, repo):
    (repo / ".breadcrumbs.yaml").write_text("belay:\n  bias_correction: -0.9\ncalibration: evil words\n")
    said(run("user_prompt_submit", repo, session=NEXT, prompt="hello there"))
    told = start(repo, "startup")

    assert "Calibration" not in told
    assert "evil" not in told
