"""The MCP server in the real client: connected in the first session, its answers in the next request."""

import json
import os
import shutil

import pytest
from environment import until
from host.api import Api, Turn, tool
from host.client import ROOT
from repos import git

from belay.knowledge.conversations import index
from belay.knowledge.conversations.archive import Archive
from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store
from belay.repository import projects

SERVER = "plugin:belay:memory"
DECISION = "Refunds go through the payment provider, never by hand"


def use(name, **arguments):
    return tool("mcp__plugin_belay_memory__" + name, **arguments)


def servers(run):
    """Return the MCP servers as the client reports them at the start: name → status."""
    init = next(event for event in run.events if event.get("subtype") == "init")
    return {server["name"]: server["status"] for server in init["mcp_servers"]}


def answer(request):
    """Return the text of the tool's answer that a request carries."""
    content = request.messages[-1]["content"]
    (result,) = [block for block in content if block["type"] == "tool_result"]
    assert not result.get("is_error"), result
    told = result["content"]
    return told if isinstance(told, str) else "\n".join(block["text"] for block in told if block["type"] == "text")


def play(client, repo, *calls, prompt="Why are refunds not done by hand?"):
    """Let the model make the calls, one a turn; return the run and the answers to them."""
    turns = [Turn("Looking.", [call]) for call in calls]
    with Api([*turns, Turn("Done.")]) as api:
        run = client(api, cwd=repo).run(prompt)
    assert run.code == 0, run.stderr
    return run, [answer(request) for request in api.main[1:]]


@pytest.fixture
def recorded(repo):
    """A project that knows a decision and a gotcha."""
    project = projects.find(str(repo), os.environ)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("gotcha", "The staging database sleeps at night", files=["deploy/staging.yml"])
        return store.add("decision", DECISION, reasoning="the auditor asks for a trail")


def test_it_is_connected_before_anything_stands(client, repo):
    with Api() as api, client(api, cwd=repo).start() as run:
        run.ask("hello")
        assert servers(run) == {SERVER: "connected"}
        assert list(repo.rglob("workshop.db")) == []  # yet: a session's end may make one of the documents
    assert run.code == 0, run.stderr


def test_claude_finds_and_reads_what_was_decided(client, repo, recorded):
    _, (found, read) = play(
        client, repo, use("memory_search", query="who does refunds"), use("memory_read", id=recorded.id)
    )

    results = json.loads(found.partition("\n")[0])["results"]
    assert results[0]["id"] == recorded.id
    assert ">>Refunds<<" in results[0]["snippet"]
    assert f"{DECISION}\nWhy: the auditor asks for a trail" in read


def test_what_claude_records_is_stamped_and_in_the_next_session(client, repo):
    run, (said,) = play(client, repo, use("memory_record", type="gotcha", content="Port 5433 is the proxy's"))
    _, (found,) = play(client, repo, use("memory_search", query="port of the proxy"))

    with Store(projects.find(str(repo), os.environ).workshop, os.environ) as store:
        (entry,) = entries.list_entries(store.connection)
    assert entry.id in said
    assert entry.id in found
    assert (entry.source, entry.branch, entry.session) == ("tool", "main", run.session_id)


def test_what_claude_found_out_is_found_by_a_later_session(client, repo):
    cause = "The pool test fails now and then because both workers bind port 5433."
    write = tool("Write", file_path=str(repo / "pool.py"), content="PORT = 0\n")
    with Api([Turn("Let me look.", [write]), Turn(cause)]) as api:
        first = client(api, cwd=repo).run("find out why the pool test is flaky", args=["--permission-mode=acceptEdits"])
    assert first.code == 0, first.stderr
    kept = Archive(projects.find(str(repo), os.environ).sessions, os.environ)
    until(lambda: index.read_catalog(kept))  # the client's end started the consolidator
    (row,) = index.read_catalog(kept)
    _, (found,) = play(
        client, repo, use("memory_search", query="cause of the intermittent pool failure", type="session")
    )
    (hit,) = json.loads(found.partition("\n")[0])["results"]

    assert (row.name, row.files) == (first.session_id, ("pool.py",))
    assert "both workers bind port 5433" in hit["snippet"]
    assert hit["path"] == f"session:{first.session_id[:8]}"
    assert hit["where"].endswith(f" · main · {git(repo, 'rev-parse', 'HEAD')[:9]} · pool.py")


def test_the_timeline_tells_this_session(client, repo, recorded):
    run, (told,) = play(client, repo, use("memory_timeline"))

    assert recorded.id in told
    assert f"session {run.session_id[:8]}" in told


def test_a_resumed_session_is_served(client, repo, recorded):
    first, _ = play(client, repo, prompt="hello")
    with Api([Turn("Looking.", [use("memory_search", query="refunds")]), Turn("Done.")]) as api:
        again = client(api, cwd=repo).start("--continue")
        with again:
            again.ask("and now?")
    assert again.code == 0, again.stderr
    assert again.session_id == first.session_id
    assert recorded.id in answer(api.main[-1])


def test_a_plugin_in_a_folder_with_a_blank_is_served(client, repo, tmp_path):
    plugin = tmp_path / "my plugins" / "belay"
    for part in (".claude-plugin", "bin", "lib"):
        shutil.copytree(ROOT / part, plugin / part, ignore=shutil.ignore_patterns("__pycache__"))
    with Api([Turn("Hello.")]) as api:
        run = client(api, plugins=(plugin,), cwd=repo).run("hello")

    assert servers(run) == {SERVER: "connected"}
