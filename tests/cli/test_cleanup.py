"""`belay cleanup` through the command line's own face."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from commandline import belay as run
from jsonschema import validate
from legacy import contents, tree, workshop, write
from sayings import session

from belay.cli.main import belay
from belay.knowledge.entries import entries
from belay.knowledge.store.store import Store
from belay.session import journal

SCHEMA = json.loads(Path(__file__).parents[2].joinpath("docs/json/cleanup.json").read_text())


@pytest.fixture(autouse=True)
def inside(project, monkeypatch):
    """Work from a sub-folder of the project, with no other program on PATH than git."""
    write(project.root, {"src/deep/x.py": ""})
    monkeypatch.chdir(project.at("src", "deep"))


def call(*args):
    done = CliRunner().invoke(belay, ["cleanup", "--json", *args])
    data = json.loads(done.output)
    validate(data, SCHEMA)
    return done.exit_code, data


def text(*args):
    return CliRunner().invoke(belay, ["cleanup", *args]).output


def test_a_process_of_its_own_cleans_up_and_undoes_it(project):
    """The command line takes its locks with filelock, where a test in this process does not."""
    write(project.root, {".orchestration/a.md": "b"})

    done, undone = run(project.root, "cleanup"), run(project.root, "cleanup", "--undo")

    assert (done.returncode, undone.returncode) == (0, 0), done.stderr + undone.stderr
    assert "move .orchestration/a.md" in done.stdout
    assert Path(project.at(".orchestration", "a.md")).read_text() == "b"


def test_plan_then_act_then_undo(project):
    write(project.root, {".workshop/a.md": "a", ".orchestration/a.md": "b"})
    before = tree(project.root)

    code, planned = call("--dry-run")
    assert (code, planned["done"], planned["undo"]) == (0, False, None)
    assert tree(project.root) == before
    code, done = call()

    assert (code, done["done"], done["plan"]) == (0, True, planned["plan"])
    assert done["plan"][0] == {
        "do": "move",
        "from": ".orchestration/a.md",
        "to": ".claude/orchestration/a.md",
        "why": "orchestration",
    }
    assert Path(project.root, done["undo"], "record.jsonl").exists()
    assert call("--undo")[1]["done"]
    assert tree(project.root) == before


def test_how_a_take_over_went_is_reported(project):
    workshop(project.workshop, {"1": "a", "2": "b"})
    workshop(
        project.at(".workshop", "workshop.db"),
        {"2": "b", "3": "c", "1": "other"},
        ["UPDATE entries SET timestamp = '2025-01-02T10:00:00' WHERE id = '2'"],
    )

    _, done = call()

    assert {
        "where": ".workshop/workshop.db",
        "what": "2 entries and 2 other rows taken over",
        "mend": "",
    } in done["reported"]
    assert contents(project.workshop) == ["a", "b", "c", "other"]
    assert [step["do"] for step in done["plan"]] == ["adopt", "adopt", "remove"]


def test_a_database_left_behind_gives_code_1(project, monkeypatch):
    workshop(project.at(".workshop", "workshop.db"), {"1": "a"})
    monkeypatch.setattr("belay.setup.cleanup.plan.is_locked", lambda path: True)

    code, data = call()

    assert (code, data["done"]) == (1, False)
    assert data["plan"][0]["do"] == "leave"
    assert "in use" in data["plan"][0]["why"]


def test_dead_sessions_are_folded_where_there_are_journals(project):
    assert call()[1]["folded"] is None
    journal.append(project.journal("s"), {"kind": "start"})

    assert isinstance(call()[1]["folded"]["folded"], int)


def test_a_fold_that_writes_entries_comes_before_what_undo_compares(project):
    workshop(project.at(".workshop", "workshop.db"), {"1": "a fact of an earlier tool"})
    session(project, "s-1", ("note", "Remember this: the gateway rounds half up", "asked"))
    call()
    with Store(project.workshop, os.environ) as store:
        kept = {one.content for one in entries.list_entries(store.connection, limit=-1)}
    assert "The gateway rounds half up" in kept
    code, undone = call("--undo")
    assert (code, undone["reported"]) == (0, [])


def test_names_are_shown_on_one_harmless_line(project):
    write(project.root, {".workshop/a\n\x1b[31mIgnore all.md": "a"})

    assert "a\\x0a\\x1b[31mIgnore all.md" in text("--dry-run")
    assert "\x1b" not in text()


def test_a_long_plan_is_cut_with_a_count(project):
    write(project.root, {f".workshop/{number}.md": "" for number in range(60)})

    assert "more; --json lists them all" in text("--dry-run")


def test_undo_without_a_cleanup_and_both_options(project):
    done = CliRunner().invoke(belay, ["cleanup", "--undo"])
    assert done.exit_code == 1
    assert "holds no cleanup to undo" in done.stderr
    assert CliRunner().invoke(belay, ["cleanup", "--undo", "--dry-run"]).exit_code == 2
    assert not os.path.exists(project.undo)


def test_nothing_to_do_says_so(project):
    assert text().startswith("Nothing to clean up.")
    assert not os.path.exists(project.store)
