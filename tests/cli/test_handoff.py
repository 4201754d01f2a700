import json
import os
import time
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from repos import git

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "json" / "handoff.json").read_text())


@pytest.fixture
def run(project, monkeypatch):
    """Return a function that calls `belay handoff` in the project; JSON answers are held against the schema."""
    from belay.cli.memory.handoff import command

    monkeypatch.chdir(project.root)

    def call(*args, text=""):
        done = CliRunner().invoke(command, [*args], input=text)
        if "--json" in args:
            jsonschema.validate(json.loads(done.stdout), SCHEMA)
        return done

    return call


def written(project):
    path = Path(project.at("HANDOFF.md"))
    return path.read_text() if path.exists() else ""


def test_a_dry_run_shows_and_writes_nothing(project, run):
    before = sorted(os.listdir(project.root))
    done = run("--dry-run")

    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("# Project Handoff: repo\nGenerated: 20")
    assert "| By: Ada via Claude Code\n" in done.stdout
    assert json.loads(run("--dry-run", "--json").stdout)["written"] == ""
    assert sorted(os.listdir(project.root)) == before


def test_it_writes_and_an_undo_takes_it_back(project, run):
    assert run().stdout == "HANDOFF.md is written; `belay handoff --undo` takes it back.\n"
    assert written(project).startswith("# Project Handoff: repo\n")
    assert run("--undo").exit_code == 0
    assert written(project) == ""
    assert run("--undo", "--json").exit_code == 1


def test_a_file_of_ours_is_replaced_and_an_edited_one_stays(project, run):
    run()
    git(project.root, "commit", "-q", "--allow-empty", "-m", "Ring the bell")
    again = run("--json")
    edited = written(project) + "\nMy own words.\n"
    Path(project.at("HANDOFF.md")).write_text(edited)
    refused = run()

    assert json.loads(again.stdout)["written"] == "HANDOFF.md"
    assert refused.exit_code == 1
    assert "edited by hand" in refused.stderr
    assert "--force" in refused.stderr
    assert written(project) == edited
    assert run("--force").exit_code == 0
    assert "My own words" not in written(project)
    assert run("--undo").exit_code == 0
    assert written(project) == edited


def test_prose_goes_to_its_sections(project, run):
    done = run("--apply", "--json", text="gotchas:\n  - mind the boom\ncurrent state: It runs.\n")

    assert done.exit_code == 0
    assert "## Gotchas\n- mind the boom\n" in written(project)
    assert "## Current State\nIt runs.\n" in written(project)


def test_what_must_be_mended_is_named_and_nothing_is_written(project, run):
    done = run("--apply", "--json", text="foo: x\n")

    assert done.exit_code == 1
    assert json.loads(done.stdout)["problems"][0]["line"] == 1
    assert written(project) == ""
    assert run("--apply", text="- a\n").exit_code == 1


def test_the_form_is_shown(run):
    assert "gotchas: []" in run("--form").stdout
    assert json.loads(run("--form", "--json").stdout)["form"]


def test_a_link_is_left_alone(project, run, tmp_path):
    (tmp_path / "outside").write_text("theirs")
    os.symlink(tmp_path / "outside", project.at("HANDOFF.md"))

    assert run("--force").exit_code == 1
    assert (tmp_path / "outside").read_text() == "theirs"


def test_nothing_to_say_writes_nothing(tmp_path, monkeypatch):
    from belay.cli.memory.handoff import command

    git(tmp_path, "init", "-q")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, [])

    assert (done.exit_code, done.stdout.startswith("There is nothing to write")) == (0, True)
    assert os.listdir(tmp_path) == [".git"]


def test_a_long_history_is_counted_for_twelve_months(project, run):
    import subprocess

    head = "blob\nmark :1\ndata 2\nx\nblob\nmark :2\ndata 2\ny\n"
    commit = "commit refs/heads/main\ncommitter A <a@e.org> {at} +0000\ndata 5\nwork\nM 644 :{blob} f{file}.py\n"
    start = int(time.time()) - 50_000 * 60
    rows = (commit.format(at=start + at * 60, blob=at % 2 + 1, file=at % 9) for at in range(50_000))
    stream = head + "".join(rows)
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=project.root, input=stream.encode(), check=True)
    done = run("--dry-run")

    assert done.exit_code == 0
    assert "commits by 1 person in twelve months" in done.stdout
