"""A long fault campaign (`make campaign`): hooks of several sessions at once, killed at random; nothing acknowledged is lost."""

import json
import os
import random
import subprocess
import sys
import threading
import time

import pytest

from belay.core import paths
from belay.session import journal
from belay.session.session import Session

ROUNDS, SESSIONS = 400, 4
WORDS = "No, use port {n} for staging number {n}, not the default one."


@pytest.mark.campaign
def test_nothing_acknowledged_is_lost_whenever_a_hook_is_killed(project, repo):
    acknowledged = []
    workers = [
        threading.Thread(target=_work, args=(repo, f"s-{number}", random.Random(number), acknowledged))
        for number in range(SESSIONS)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(acknowledged) > ROUNDS // 4
    held = {name: _prompts(project, name) for name in {name for name, _ in acknowledged}}
    assert [one for one in acknowledged if one[1] not in held[one[0]]] == []
    for name in held:
        assert journal.read(project.journal(name))[1] <= ROUNDS  # torn lines are counted, never fatal
        assert Session(project, name, os.environ).state["prompts"] >= len(
            [one for one in acknowledged if one[0] == name]
        )
    assert (repo / "memory" / "working-buffer.md").read_text().count("# Working buffer") == 1


def _work(repo, name, chance, acknowledged):
    for number in range(ROUNDS // SESSIONS):
        text = WORDS.format(n=chance.randrange(1024, 65536))
        event = {"session_id": name, "cwd": str(repo), "hook_event_name": "UserPromptSubmit", "prompt": text}
        door = paths.resource("hooks", "user_prompt_submit.py")
        hook = subprocess.Popen(
            [sys.executable, "-S", "-E", door],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=repo,
        )
        if number % 2:
            threading.Thread(target=_kill, args=(hook, chance.uniform(0.0, 0.06))).start()
        try:
            hook.communicate(json.dumps(event).encode(), timeout=60)
        except BrokenPipeError:
            hook.wait()
        if hook.returncode == 0:
            acknowledged.append((name, text))


def _kill(hook, after):
    time.sleep(after)
    hook.kill()


def _prompts(project, name):
    return {record["text"] for record in journal.read(project.journal(name))[0] if record["kind"] == "prompt"}
