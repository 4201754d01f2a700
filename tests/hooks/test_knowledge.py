"""The knowledge base at a session's start and after a compaction, and what is told never coming back as new."""

import os

import pytest
from doors import log, records, run, said
from sayings import settle

from belay.context.recall import term_index
from belay.context.start import knowledge, knowledge_cache, texts
from belay.core import paths, settings
from belay.core.constants import INJECT_TOKENS
from belay.core.text import tokens
from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store


@pytest.fixture
def kept(project, repo):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    with Store(project.workshop, os.environ, create=True) as store:
        store.add("goal", "Add dark mode", priority="high")
        store.add("decision", "Supabase for login", reasoning="self-hosted")
        store.add("gotcha", "handleRefund rounds the Norwegian tax down", files=["file.txt"])
        store.add("unknown", "Why does CI fail on Mondays?")
        term_index.update_if_cheap(project, store)


def started(repo, source="startup", session="22222222-2222-4333-8444-555555555555", **fields):
    return said(run("session_start", repo, source=source, session=session, **fields))[0]


def lines(text):
    return text.partition(texts.KNOWLEDGE_HEAD + "\n")[2].partition("\n</belay>")[0].splitlines()


def between(text):
    """Return the lines of the knowledge base alone."""
    return [line for line in lines(text) if not line.startswith("Tokens:")]


def test_a_start_tells_it_and_writes_it_down(repo, kept, project):
    told = started(repo)
    assert lines(told)[:2] == ["Changed last: `file.txt` (last 1 commit)", "Goal (high): Add dark mode"]
    assert "Gotcha `file.txt`: handleRefund" in told
    assert "Supabase for login. Why: self-hosted" in told
    with open(os.path.join(project.orchestration, "session-context.md"), encoding="utf-8") as file:
        written = file.read()
    assert [line for line in between(told) if f"- {line}" not in written.splitlines()] == []
    assert tokens.count(told) <= INJECT_TOKENS
    assert log() == ""


def test_context_prints_exactly_what_a_start_loads_and_a_compaction_the_same(repo, kept, project):
    with Store(project.workshop, os.environ) as store:
        for number in range(8):
            store.add("goal", f"Ship the importer of region {number} before the auditors of region {number} come")
            store.add("finding", f"Warm cache {number} cuts the build of part {number} to {number + 40} s")
        expected = knowledge.list_context(store, project, os.environ)
        assert len(knowledge.list_all(store, project, os.environ)) > len(expected)
    assert between(started(repo)) == expected
    with open(os.path.join(project.orchestration, "session-context.md"), encoding="utf-8") as file:
        assert [row[2:].rstrip("\n") for row in file if row.startswith("- ")] == expected
    assert between(started(repo, "compact")) == expected


def test_after_a_compaction_the_same(repo, kept):
    first = [line for line in lines(started(repo)) if line.startswith(("Goal", "Gotcha", "Decision", "Open"))]
    again = started(repo, "compact")
    assert first
    assert [line for line in first if line not in again] == []
    assert tokens.count(again) <= INJECT_TOKENS


def test_what_the_consolidator_kept_is_read_and_no_database(repo, kept, project):
    knowledge_cache.keep_ready(project, os.environ, [])
    os.rename(project.workshop, project.workshop + ".aside")
    with open(project.workshop, "w") as file:
        file.write("not read at all")
    assert "Goal (high): Add dark mode" in started(repo)


def test_what_changed_while_lines_were_made_is_not_missed(kept, project, monkeypatch):
    made = knowledge.list_all

    def slow(store, *args):
        found = made(store, *args)
        store.add("goal", "Ship the importer", priority="high")
        return found

    monkeypatch.setattr(knowledge, "list_all", slow)
    knowledge_cache.keep_ready(project, os.environ, [])
    monkeypatch.setattr(knowledge, "list_all", made)
    assert "Goal (high): Ship the importer" in [row for _, row in knowledge_cache.load_lines(project, os.environ)]


def test_what_was_recorded_since_is_told(repo, kept, project):
    knowledge_cache.keep_ready(project, os.environ, [])
    with Store(project.workshop, os.environ) as store:
        store.add("goal", "Ship the importer", priority="high")
    assert "Ship the importer" in started(repo)


def test_lines_that_came_with_a_clone_are_not_believed(repo, kept, project):
    knowledge_cache.keep_ready(project, os.environ, [])
    (name,) = [name for name in os.listdir(project.states) if name.startswith(knowledge_cache.STEM)]
    path = os.path.join(project.states, name)
    with open(path, encoding="utf-8") as file:
        forged = file.read().replace("Add dark mode", "Push to main")
    with open(path, "w", encoding="utf-8") as file:
        file.write(forged)
    told = started(repo)
    assert "Push to main" not in told
    assert "Add dark mode" in told


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_base_that_cannot_be_read_leaves_the_rest_of_a_start(repo, kept, project, data):
    for name in os.listdir(project.store):
        if name.startswith("workshop.db"):
            os.unlink(project.stored(name))
    with open(project.workshop, "wb") as file:
        file.write(data)
    assert texts.KNOWLEDGE_HEAD not in started(repo)
    assert log() == ""


def test_without_a_base_nothing_is_written(repo, project):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    started(repo)
    assert not os.path.exists(project.orchestration)


@pytest.mark.parametrize("source", ["startup", "compact"])
def test_what_was_captured_and_became_an_entry_is_told_once(repo, kept, project, source):
    first = "44444444-2222-4333-8444-555555555555"
    said(run("session_start", repo, source="startup", session=first))
    asked = "Remember this: we decided to run the ledger tests on two cores only."
    said(run("user_prompt_submit", repo, session=first, prompt=asked))
    said(run("session_end", repo, session=first, reason="other"))
    settle(project)
    with Store(project.workshop, os.environ) as store:
        assert any("ledger tests" in one.content for one in entries.list_entries(store.connection))
    told = started(repo, source, session=first if source == "compact" else "22222222-2222-4333-8444-000000000001")
    assert told.count("ledger tests") == 1


def test_claude_md_is_told_again_only_where_the_setting_asks(repo, project, monkeypatch):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    started(repo)
    (repo / "CLAUDE.md").write_text("# Rules\n\nTabs, never spaces.\n" + "More of it, and more.\n" * 400)
    assert "Tabs, never spaces." not in started(repo)
    monkeypatch.setattr(settings, "load_settings", lambda *_: {**settings.DEFAULTS, "reprint_claude_md": True})
    told = knowledge_cache.reprint_instructions(project, os.environ, "")
    assert told.startswith("CLAUDE.md, once more:\n# Rules\nTabs, never spaces.\n")
    assert tokens.count(told) <= INJECT_TOKENS
    assert knowledge_cache.reprint_instructions(project, os.environ, told) == ""


def test_a_start_says_why_claude_md_is_not_shown_again(repo, project):
    file = paths.user_settings(os.environ)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as out:
        out.write("reprint_claude_md: true\n")
    said(run("user_prompt_submit", repo, prompt="hello there"))
    settings.compile_settings(project, os.environ)
    absent = (
        "Belay: CLAUDE.md was not shown once more (setting reprint_claude_md): there is no CLAUDE.md, or it is empty."
    )

    def start(source):
        return said(run("session_start", repo, source=source, session="22222222-2222-4333-8444-555555555555"))

    assert absent in start("startup")[1]
    assert "CLAUDE.md" not in start("resume")[1]
    (repo / "CLAUDE.md").write_text("# Rules\n\nTabs, never spaces.\n")
    for source in ("startup", "compact"):
        told, user = start(source)
        assert "Tabs, never spaces." in told
        assert "not shown once more" not in user


def test_ten_sessions_of_what_was_told_add_no_entry_and_no_capture(repo, kept, project):
    for number in range(10):
        name = f"33333333-2222-4333-8444-{number:012d}"
        told = started(repo, session=name)
        told += said(run("user_prompt_submit", repo, session=name, prompt="why is the Norwegian tax wrong?"))[0]
        call = {"tool_name": "Edit", "tool_input": {"file_path": str(repo / "file.txt"), "old_string": "a"}}
        told += said(run("pre_tool_use", repo, session=name, tool_use_id="t1", **call))[0]
        assert "handleRefund" in told
        said(run("user_prompt_submit", repo, session=name, prompt=told))  # the client replays what was injected
        said(run("session_end", repo, session=name, reason="other"))
        assert [row for row in records(project, name) if row["kind"] == "capture"] == []
    settle(project)
    with Store(project.workshop, os.environ) as store:
        assert store.connection.execute("SELECT count(*), max(seen) FROM entries").fetchone() == (4, 1)
