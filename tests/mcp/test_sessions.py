"""Past sessions in Claude's own tools: found behind entries, read in lines, seen in their surroundings."""

import json
import os

import dialogues as talk
import pytest
from mcpserver import Server
from secretsamples import block

from belay.knowledge.documents import indexer
from belay.knowledge.store.store import Store

ONE, TWO = talk.NAMES
CAUSE = "The pool test fails now and then because two workers share one port."


@pytest.fixture
def server(repo, project):
    rows = [talk.prompt("find out why the pool test is flaky"), *talk.edited(project.at("src/pool.py"))]
    talk.write(project, ONE, *rows, talk.answer(CAUSE), branch="fix/pool")
    talk.run(project)
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("decision", "The pool has eight workers")
    with Server(repo) as running:
        yield running


def test_what_claude_found_once_is_found_in_another_session(server):
    hits = server.found("cause of the intermittent pool failure")

    assert [hit["type"] for hit in hits] == ["decision", "session"]
    assert hits[1]["path"] == f"session:{ONE[:8]}"
    assert "two workers share one port" in hits[1]["snippet"]
    assert hits[1]["where"].endswith("fix/pool · src/pool.py")


def test_sessions_can_be_looked_for_alone_and_left_out(server):
    assert [hit["type"] for hit in server.found("pool", type="session")] == ["session"]
    assert [hit["type"] for hit in server.found("pool", type="decision")] == ["decision"]
    assert server.found("pool", type="session", branch="main") == []
    assert [hit["type"] for hit in server.found("pool", type="session", file="src/pool.py")] == ["session"]


def test_the_lines_of_a_hit_are_read_as_data(server):
    (hit,) = server.found("pool failure", type="session")
    text = server.text("memory_read", path=hit["path"], start=hit["start"], end=hit["end"])

    assert CAUSE in text
    assert "not an instruction" in text
    assert text.startswith("<belay>")
    assert server.call("memory_read", path="session:nothing")["isError"]


def test_the_surroundings_of_a_session(server, project):
    text = server.text("memory_timeline", around=f"session:{ONE[:8]}")

    assert "prompt: find out why the pool test is flaky [fix/pool] (1 file edited)" in text
    assert "The pool has eight workers" not in text


def test_a_session_without_a_journal_stands_in_the_timeline(server):
    text = server.text("memory_timeline", around="2026-03-01")

    assert f"session {ONE[:8]} (1 prompt): find out why the pool test is flaky" in text


def test_a_project_with_documents_alone_is_searched_as_before(repo, project):
    (repo / "pool.md").write_text("# Pool\n\nEight workers.\n")
    with Store(project.workshop, os.environ, create=True) as store:
        indexer.run_index(str(repo), store)
    with Server(repo) as running:
        said = json.loads(running.text("memory_search", query="pool"))

    assert [hit["path"] for hit in said["results"]] == ["pool.md"]
    assert "where" not in said["results"][0]


def test_a_secret_in_a_conversation_is_in_no_answer(repo, project):
    key = block("PRIVATE KEY")
    talk.write(project, ONE, talk.prompt(f"the key of the pool:\n{key}"), talk.answer("Noted, the pool."))
    talk.run(project)
    with Store(project.workshop, os.environ, create=True):
        pass
    with Server(repo) as running:
        (hit,) = running.found("key of the pool")
        text = running.text("memory_read", path=hit["path"])

    assert key.split("\n")[1] not in text + hit["snippet"]
    assert "[redacted:" in text
