"""Said or found once, and asked for weeks later in other words: the real client gets the line back."""

import subprocess
import sys
import time

import doors
import pytest
from host.api import Api, Turn, tool
from host.client import ROOT
from repos import git

DECISION = "Let's go with SQLite because one file is enough for a single machine."
CAUSE = "The pool test is flaky because `PoolTest.tearDown` closes the socket before the worker has read it."
ANSWER = f"{CAUSE}\n\nI now wait for the worker in `tearDown`, and the test passed twenty times in a row."
LATER = 12
"""Sessions between what was said and the question."""
SEARCH = "mcp__plugin_belay_memory__memory_search"


@pytest.fixture
def shop(repo, home):
    """A repository with a module and its test; a command line with the tests' environment."""
    data = home / ".local" / "share" / "belay"
    data.mkdir(parents=True)
    (data / "env").write_text(f"{sys.executable}\n0\n0\n")
    (repo / "pool.py").write_text("SIZE = 4\n")
    (repo / "store.py").write_text("PATH = 'data'\n")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    return repo


def belay(client, repo, *words):
    return subprocess.run(
        [ROOT / "bin" / "belay", *words],
        cwd=repo,
        env=client.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    ).stdout


def settled(check, seconds=40):
    end = time.monotonic() + seconds
    while not (value := check()):
        assert time.monotonic() < end, "the end of the session was not consolidated"
        time.sleep(0.2)
    return value


def test_a_decision_said_once_answers_weeks_later(client, shop):
    with Api([Turn("Reading store.py.", hang=True)]) as api, client(api, cwd=shop).start() as session:
        session.send(f"{DECISION} Set it up in store.py.")
        api.wait_for(1)
        session.kill()
    environ = client(api, cwd=shop).env
    for number in range(LATER):  # the hooks as the client runs them; the client itself would take a minute
        session = f"22222222-2222-4333-8444-{number:012}"
        doors.run("session_start", shop, session=session, environ=environ, source="startup")
        doors.run("user_prompt_submit", shop, session=session, environ=environ, prompt=f"Rename file number {number}")
        doors.run("stop", shop, session=session, environ=environ, last_assistant_message="It is renamed.")
        doors.run("session_end", shop, session=session, environ=environ, reason="other")
    with Api([Turn("Let me see.")]) as api:
        run = client(api, cwd=shop).run("Why not Postgres?")
        found = belay(client(api, cwd=shop), shop, "why", "postgres")
    assert run.code == 0, run.stderr
    assert "go with SQLite" in api.main[0].text
    assert "go with SQLite" in found
    assert "one file is enough for a single machine" in found


def test_what_claude_found_out_is_found_by_other_words(client, shop):
    edit = tool("Edit", file_path=str(shop / "pool.py"), old_string="SIZE = 4", new_string="SIZE = 5")
    turns = [
        Turn("Reading.", [tool("Read", file_path=str(shop / "pool.py"))]),
        Turn("Changing.", [edit]),
        Turn("Committing.", [tool("Bash", command="git commit -qam 'Wait for the worker'")]),
        Turn(ANSWER),
    ]
    with Api(turns) as api:
        run = client(api, cwd=shop).run("find out why the pool test is flaky")
        settled(lambda: "PoolTest" in belay(client(api, cwd=shop), shop, "recent"))
    assert run.code == 0, run.stderr
    commit = git(shop, "rev-parse", "--short", "HEAD").strip()

    asked = Turn("Searching.", [tool(SEARCH, query="cause of the intermittent pool failure")])
    with Api([asked, Turn("That is it.")]) as api:
        run = client(api, cwd=shop).run("look up the cause of the intermittent pool failure")
    assert run.code == 0, run.stderr
    result = api.main[-1].text
    assert "closes the socket before the worker has read it" in result
    assert "pool.py" in result
    assert commit in result
