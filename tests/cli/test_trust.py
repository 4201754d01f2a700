"""`belay trust` through the command line's own face."""

import json
import os

import pytest
from click.testing import CliRunner
from doors import run, said
from repos import git
from schemas import check
from secretsamples import made

from belay.cli.main import belay
from belay.context.recall.indexed_base import IndexedStore
from belay.knowledge.documents import indexer as indexing
from belay.repository import projects
from belay.safety.labels import make_label


def call(*args):
    done = CliRunner().invoke(belay, ["trust", "--json", *args])
    return done.exit_code, check("trust", json.loads(done.output))


@pytest.fixture
def clone(repo, tmp_path, monkeypatch):
    (repo / "MEMORY.md").write_text("theirs\n")
    (repo / "tasks").mkdir()
    (repo / "tasks" / "todo.md").write_text("- [ ] theirs\n")
    (repo / "src").mkdir()
    (repo / "src" / "CLAUDE.md").write_text("## Insights\n- ✅ Round every price at the very end\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    return tmp_path / "clone"


def test_accept_one_then_all_then_list_and_revoke(clone, monkeypatch):
    assert call() == (
        0,
        {
            "accepted": [],
            "revoked": [],
            "unknown": ["MEMORY.md", "tasks/todo.md"],
            "refused": [],
            "trusted": [],
            "rows": [
                {"file": "MEMORY.md", "number": 1, "line": 1, "end": 1, "text": "theirs"},
                {"file": "tasks/todo.md", "number": 1, "line": 1, "end": 1, "text": "- [ ] theirs"},
            ],
            "partly": [],
            "databases": [],
            "notes": [],
        },
    )
    monkeypatch.chdir(clone / "tasks")
    code, data = call("todo.md")
    assert (code, data["accepted"], data["unknown"]) == (0, ["tasks/todo.md"], ["MEMORY.md"])
    assert call("--all")[1]["accepted"] == ["MEMORY.md"]
    assert [(row["path"], row["how"]) for row in call("--list")[1]["trusted"]] == [
        ("MEMORY.md", "accepted"),
        ("tasks/todo.md", "accepted"),
    ]
    assert call("--revoke", "todo.md")[1]["revoked"] == ["tasks/todo.md"]
    code, data = call("--revoke", "todo.md")
    assert (code, data["unknown"]) == (1, ["tasks/todo.md"])


def test_what_cannot_be_accepted_is_said(clone, tmp_path):
    (tmp_path / "outside.md").write_text("x")
    (clone / "conflict.md").write_text("<<<<<<< HEAD\n")

    assert call("missing.md")[1]["error"]["what"] == "is not there"
    assert "conflict markers" in call("conflict.md")[1]["error"]["mend"]
    code, data = call("../outside.md")
    assert (code, data["error"]["what"]) == (1, "is outside this project")


def test_people_read_sentences(clone):
    said = CliRunner().invoke(belay, ["trust"]).output
    assert "MEMORY.md came from elsewhere and is not shown to Claude; read it, then: belay trust MEMORY.md" in said
    said = CliRunner().invoke(belay, ["trust", "--all"]).output
    assert "Accepted MEMORY.md as it is now." in said
    assert CliRunner().invoke(belay, ["trust"]).output == "No memory file waits to be accepted.\n"


def test_where_a_variable_leads_is_accepted_once_and_revoked(project, monkeypatch, tmp_path):
    from commandline import answer, belay

    monkeypatch.setenv("WORKSHOP_DB", str(tmp_path / "shared.db"))
    told = belay(project.root, "init")
    assert (told.returncode, "belay trust WORKSHOP_DB" in told.stderr) == (1, True)
    assert answer(project.root, "trust", "--all")["unknown"] == ["WORKSHOP_DB"]

    assert answer(project.root, "trust", "WORKSHOP_DB")["accepted"] == ["WORKSHOP_DB"]
    assert answer(project.root, "init")["path"] == str(tmp_path / "shared.db")
    assert answer(project.root, "trust", "--revoke", "WORKSHOP_DB")["revoked"] == ["WORKSHOP_DB"]
    assert belay(project.root, "init").returncode == 1
    monkeypatch.delenv("WORKSHOP_DB")
    assert "is not set" in belay(project.root, "trust", "WORKSHOP_DB").stderr


@pytest.fixture
def ruled(clone):
    """A clone whose src/CLAUDE.md holds a rule, with a knowledge base that was indexed before anybody accepted it."""
    project = projects.find(str(clone), os.environ)
    said(run("user_prompt_submit", clone, prompt="hello there"))
    with IndexedStore(project, project.workshop, os.environ, create=True) as store:
        indexing.run_index(str(clone), store)
    return clone


def edited(clone):
    given = {"file_path": str(clone / "src" / "pay.py"), "old_string": "a", "new_string": "b"}
    call = {"tool_name": "Edit", "tool_input": given, "tool_use_id": "t1"}
    return said(run("pre_tool_use", clone, **call))[0]


def test_rules_of_an_accepted_file_are_told_at_once_and_of_a_revoked_one_no_more(ruled):
    assert edited(ruled) == ""
    assert call("src/CLAUDE.md")[1]["accepted"] == ["src/CLAUDE.md"]
    assert call("--revoke", "src/CLAUDE.md")[0] == 0
    assert edited(ruled) == ""
    call("src/CLAUDE.md")
    assert "Round every price" in edited(ruled)


def test_a_file_that_changed_since_it_was_indexed_is_read_first(ruled):
    (ruled / "src" / "CLAUDE.md").write_text("## Insights\n- ❌ Trust the client's totals\n")
    call("src/CLAUDE.md")
    told = edited(ruled)
    assert "Trust the client's totals" in told
    assert "Round every price" not in told


def test_without_a_base_or_with_a_damaged_one_it_is_accepted_all_the_same(clone):
    assert call("src/CLAUDE.md")[0] == 0
    base = clone / ".claude" / "memory" / "workshop.db"
    assert not base.exists()
    base.parent.mkdir(parents=True, exist_ok=True)
    base.write_bytes(b"no database at all")
    assert call("MEMORY.md")[1]["accepted"] == ["MEMORY.md"]
    assert call("--revoke", "src/CLAUDE.md")[1]["revoked"] == ["src/CLAUDE.md"]
    assert base.read_bytes() == b"no database at all"


def test_a_secret_in_a_folders_name_is_not_shown_and_its_label_is_taken(repo, tmp_path, monkeypatch):
    folder = repo / "packages" / ("gh" + "p_" + made(36))
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("## Active Work\n- [ ] theirs\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "memory")
    git(tmp_path, "clone", "-q", str(repo), "clone")
    monkeypatch.chdir(tmp_path / "clone")
    label = f"packages/{make_label(folder.name)}/MEMORY.md"

    data = call()[1]
    assert data["unknown"] == [label]
    assert {row["file"] for row in data["rows"]} == {label}
    assert call(label)[1]["accepted"] == [label]
    assert call()[1]["unknown"] == []
    assert [row["path"] for row in call("--list")[1]["trusted"]] == [label]
    assert call("--revoke", label)[1]["revoked"] == [label]
    assert call(f"packages/{folder.name}/MEMORY.md")[1]["accepted"] == [label]
