"""A knowledge base that a variable names: hooks, the consolidator and commands all mean that one."""

import os

import pytest
from commandline import belay
from doors import log, records, run, said
from sayings import session, settle
from test_house import HOT, loaded

from belay.context.recall import term_index
from belay.knowledge.documents import documents
from belay.knowledge.entries import entries
from belay.knowledge.review.queue import Queue
from belay.knowledge.store.store import Store
from belay.repository import database_location, projects
from belay.session import journal

TEXT = "handleRefund rounds the Norwegian tax down"
NAMED = [("WORKSHOP_DB", "kb/k.db", "kb/k.db"), ("WORKSHOP_ROOT", "kb", "kb/.claude/memory/workshop.db")]


@pytest.fixture(params=NAMED, ids=["file", "root"])
def elsewhere(request, repo, monkeypatch):
    """The project with a variable set that leads to another place inside of it."""
    variable, value, place = request.param
    monkeypatch.setenv(variable, value)
    said(run("user_prompt_submit", repo, prompt="hello there"))
    project = database_location.settle(projects.find(str(repo), os.environ), os.environ)
    assert project.workshop == str(repo / place)
    return project


def gotcha(repo, text=TEXT):
    done = belay(repo, "gotcha", text, "-f", "file.txt")
    assert done.returncode == 0, done.stderr


def edited(repo, path="file.txt"):
    given = {"file_path": str(repo / path), "old_string": "a", "new_string": "b"}
    return said(run("pre_tool_use", repo, tool_name="Edit", tool_input=given, tool_use_id="t1"))[0]


def listed(path):
    with Store(path, os.environ) as store:
        return [one.content for one in entries.list_entries(store.connection, limit=-1)]


def test_what_a_command_records_is_told_by_every_hook(elsewhere, repo):
    gotcha(repo)
    assert TEXT in edited(repo)
    assert TEXT in said(run("session_start", repo, source="startup", session="s-2"))[0]
    assert TEXT in said(run("user_prompt_submit", repo, prompt="look at handleRefund", session="s-3"))[0]
    assert not os.path.exists(elsewhere.stored("workshop.db"))
    assert log() == ""


def test_a_start_tells_what_the_context_prints_after_each_change(elsewhere, repo):
    gotcha(repo)
    assert TEXT in said(run("session_start", repo, source="startup", session="s-2"))[0]
    gotcha(repo, "The parser crashes on empty files")
    printed = belay(repo, "context").stdout
    told = said(run("session_start", repo, source="startup", session="s-3"))[0]
    for text in (TEXT, "The parser crashes on empty files"):
        assert text in printed
        assert text in told


def test_what_the_consolidator_makes_goes_there_and_captures_stay(elsewhere, repo):
    (name,) = session(elsewhere, "s-1", ("decision", "Remember we use SQLite for storage", "asked"))
    (repo / "README.md").write_text("# Shop\n\nSells zebras.\n")
    settle(elsewhere)
    assert listed(elsewhere.workshop) == ["We use SQLite for storage"]
    with Store(elsewhere.workshop, os.environ) as store:
        assert "README.md" in documents.load_stamps(store.connection)
        assert "entry" in {row["kind"] for row in journal.read(store.ledger)[0]}
    kept = journal.read(elsewhere.ledger)[0]
    assert [row["id"] for row in kept if row["kind"] == "capture"] == [name]
    assert "entry" not in {row["kind"] for row in kept}
    assert not os.path.exists(elsewhere.stored("workshop.db"))
    assert os.path.isfile(term_index.index_path(elsewhere))


def test_what_became_an_entry_in_one_base_becomes_none_in_the_other(elsewhere, repo, monkeypatch):
    session(elsewhere, "s-1", ("decision", "Remember we use SQLite for storage", "asked"))
    settle(elsewhere)
    os.unlink(os.path.join(elsewhere.states, "harvest.json"))
    settle(elsewhere)
    own = projects.find(str(repo), os.environ)
    session(own, "s-2", ("decision", "Remember the port is 5433", "asked"))
    settle(own)
    settle(elsewhere)
    assert listed(own.workshop) == ["The port is 5433"]
    assert listed(elsewhere.workshop) == ["We use SQLite for storage"]
    assert Queue(elsewhere, os.environ).waiting() == []


def test_what_its_recalls_came_to_is_counted_there(elsewhere, repo):
    gotcha(repo)
    assert TEXT in edited(repo)
    said(run("session_end", repo, reason="other"))
    assert any(row["kind"] == "recalled" for row in records(elsewhere))
    settle(elsewhere)
    with Store(elsewhere.workshop, os.environ) as store:
        (entry,) = entries.list_entries(store.connection, limit=-1)
    assert entry.recalled == 1


def test_each_base_has_lines_and_index_of_its_own(elsewhere, repo, monkeypatch):
    gotcha(repo)
    for variable, _, _ in NAMED:
        monkeypatch.delenv(variable, raising=False)
    assert edited(repo) == ""
    assert TEXT not in said(run("session_start", repo, source="startup", session="s-2"))[0]
    gotcha(repo, "The parser crashes on empty files")
    assert "The parser crashes" in edited(repo)


@pytest.mark.parametrize("accepted", [False, True])
def test_one_that_leads_out_is_told_from_once_it_was_accepted(repo, project, tmp_path, monkeypatch, accepted):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    gotcha(repo, "The parser crashes on empty files")
    monkeypatch.setenv("WORKSHOP_DB", str(tmp_path / "shared.db"))
    assert belay(repo, "trust", "WORKSHOP_DB").returncode == 0
    gotcha(repo)
    if not accepted:
        assert belay(repo, "trust", "--revoke", "WORKSHOP_DB").returncode == 0
    told = edited(repo)
    assert (TEXT in told, "The parser crashes" in told) == (accepted, not accepted)


def test_one_that_stood_before_it_was_accepted_is_told_from_at_once(repo, tmp_path, monkeypatch):
    said(run("user_prompt_submit", repo, prompt="hello there"))
    shared = str(tmp_path / "shared.db")
    assert belay(repo, "--db", shared, "gotcha", TEXT, "-f", "file.txt").returncode == 0
    monkeypatch.setenv("WORKSHOP_DB", shared)
    assert edited(repo) == ""
    assert belay(repo, "trust", "WORKSHOP_DB").returncode == 0
    assert TEXT in edited(repo)


def test_documents_of_another_project_stay_in_a_base_that_two_share(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKSHOP_DB", "kb/k.db")
    project = database_location.settle(projects.find(str(repo), os.environ), os.environ)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.md").write_text("# Zebras\n")
    assert belay(repo, "--db", project.workshop, "index", str(tmp_path / "other")).returncode == 0
    session(project, "s-1")
    settle(project)
    with Store(project.workshop, os.environ) as store:
        assert list(documents.load_stamps(store.connection)) == ["notes.md"]


def test_neither_base_nor_ledger_is_edited(elsewhere, repo):
    gotcha(repo)
    with Store(elsewhere.workshop, os.environ) as store:
        names = [os.path.relpath(one, repo) for one in (store.path, store.ledger)]
    for name in names:
        assert (
            '"deny"'
            in run(
                "pre_tool_use",
                repo,
                tool_name="Write",
                tool_input={"file_path": str(repo / name), "content": "x"},
            ).stdout.decode()
        )


@pytest.mark.parametrize("door", ["user_prompt_submit", "pre_tool_use"])
def test_without_a_variable_nothing_is_loaded_for_it(repo, door):
    assert "belay.repository.database_location" not in loaded(repo, door, HOT[door])
