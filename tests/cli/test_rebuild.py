import json
import os
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from commandline import belay
from repos import git

from belay.memory import memory_files
from belay.safety import redaction, trust

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "json" / "rebuild.json").read_text())
OLD = "# Project Memory\n\n## Project Overview\nKite, mine.\n\n## Where We Left Off\n- **Current task:** t\n\n## User Preferences\n- tabs\n"


@pytest.fixture
def run(project, monkeypatch):
    """Return a function that calls `belay rebuild` in the project; JSON answers are held against the schema."""
    from belay.cli.memory.rebuild import command

    monkeypatch.chdir(project.root)
    Path(project.at("README.md")).write_text("# Kite\n\nKite keeps the time at sea.\n")
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "Switch to brass bells")

    def call(*args, text=""):
        done = CliRunner().invoke(command, [*args], input=text)
        if "--json" in args:
            jsonschema.validate(json.loads(done.stdout), SCHEMA)
        return done

    return call


def memory(project):
    path = Path(project.memory_md)
    return path.read_text() if path.exists() else ""


def test_it_shows_a_proposal_and_writes_nothing(project, run):
    before = sorted(os.listdir(project.root))
    done = run()
    data = json.loads(run("--json").stdout)

    assert done.exit_code == 0, done.output
    assert "Kite keeps the time at sea.  <!-- from README.md:3, medium -->\n" in done.stdout
    assert "Last commits:\n" in done.stdout
    assert data["memory"] == {"state": "absent", "why": ""}
    assert data["evidence"]["commits"][0]["subject"] == "Switch to brass bells"
    assert sorted(os.listdir(project.root)) == before


def test_yes_writes_and_undo_takes_back(project, run):
    done = run("--yes")
    text = memory(project)

    assert done.exit_code == 0, done.output
    assert "> Reconstructed from code — verify with user\n" in text
    assert "<!-- from" not in text
    assert run("--undo").stdout == "As before the rebuild: MEMORY.md\n"
    assert memory(project) == ""
    assert run("--undo", "--json").exit_code == 1


@pytest.mark.parametrize("standing", ["", OLD])
def test_the_score_shown_is_the_score_it_gets(project, run, standing):
    from belay.cli.memory.health import command

    if standing:
        memory_files.write_file(project, os.environ, project.memory_md, standing)
        os.utime(project.memory_md, (time.time() - 60, time.time() - 60))
    for at in range(50):
        git(project.root, "commit", "-q", "--allow-empty", "-m", f"Ring the bell {at} times")
    shown = json.loads(run("--json").stdout)["proposal"]
    run("--yes")
    scored = json.loads(CliRunner().invoke(command, ["--json"]).stdout)

    assert f"\nMemory health: {scored['score']}/10\n" in shown
    assert shown == memory(project)
    assert scored["score"] < 10


def test_where_another_branch_left_off_is_not_taken(project, run):
    from belay.session.session import Session

    git(project.root, "checkout", "-qb", "feature/limits")
    there = Session(project, "5e551011-aaaa-bbbb-cccc-000000000001", os.environ)
    there.log("start", **there.place())
    there.log("prompt", task="limits of retry_after", **there.place())
    there.log("edit", files=[{"path": "file.txt", "line": 1}])
    git(project.root, "checkout", "-q", "main")

    assert "retry_after" not in run().stdout


def test_corrections_are_checked_and_written(project, run):
    memory_files.write_file(project, os.environ, project.memory_md, OLD)
    shown = json.loads(run("--json").stdout)["proposal"]
    lost = run("--apply", text=shown.replace("- tabs\n", "- spaces\n"))
    bad = run("--apply", "--json", text="no memory at all")
    good = run(
        "--apply",
        "--json",
        text=run().stdout.partition("is:\n")[2].partition("Folders by")[0].replace("brass", "steel"),
    )

    assert (lost.exit_code, bad.exit_code, good.exit_code) == (1, 1, 0)
    assert "- - tabs\n" in lost.stderr
    assert "Kite, mine." in memory(project)
    assert "steel bells" in memory(project)
    assert "<!-- from" not in memory(project)
    assert run("--apply", "--force", text=shown.replace("- tabs\n", "- spaces\n")).exit_code == 0
    assert run("--undo").exit_code == 0
    assert "steel bells" in memory(project)


def test_a_strangers_memory_is_not_shown(project, run):
    Path(project.memory_md).write_text(OLD.replace("mine", "obey this"))
    git(project.root, "add", ".")
    git(project.root, "commit", "-qm", "theirs")
    shown, written = run(), run("--yes")

    assert "belay trust MEMORY.md" in shown.stdout
    assert "obey this" not in shown.stdout
    assert written.exit_code == 1
    assert "obey this" in memory(project)


def test_gh_is_asked_only_on_word(project, run, tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gh").write_text(
        '#!/bin/sh\necho called >> "$HOME/gh"\n'
        'echo \'[{"number": 4, "title": "Ring\\\\nloud", "state": "OPEN", "author": {"login": "ada"}}, 7]\'\n'
    )
    (folder / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    assert "hub" not in json.loads(run("--json").stdout)["evidence"]
    assert not os.path.exists(os.path.expanduser("~/gh"))
    hub = json.loads(run("--json", "--gh").stdout)["evidence"]["hub"]
    assert hub == [{"number": 4, "title": "Ring loud", "state": "open", "author": "ada"}]


@pytest.mark.parametrize(
    ("body", "what"), [("exit 1", "failed"), ("echo no >&2; exit 4", "no"), ("echo x", "something else")]
)
def test_a_gh_that_fails_is_said(project, run, tmp_path, monkeypatch, body, what):
    (tmp_path / "gh").write_text(f"#!/bin/sh\n{body}\n")
    (tmp_path / "gh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    done = run("--gh")

    assert done.exit_code == 1
    assert what in done.stderr


def test_two_wishes_at_once_are_a_wrong_call(run):
    assert run("--yes", "--undo").exit_code == 2


def test_a_secret_in_a_strangers_words_is_not_shown(project, run):
    from secretsamples import made

    token = "ghp_" + made(36)
    git(project.root, "commit", "-q", "--allow-empty", "-m", f"Switch to {token} now")
    shown = run().stdout

    assert token not in shown
    assert redaction.redact(shown) == shown


def test_two_at_once_leave_one_whole_file(project, run):
    program = "from belay.cli.main import main; import sys; sys.argv = ['belay', 'rebuild', '--yes']; main()"
    environ = {**os.environ, "PYTHONPATH": str(Path(memory_files.__file__).resolve().parents[2])}
    started = [
        subprocess.Popen([sys.executable, "-c", program], cwd=project.root, env=environ, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    said = [one.communicate(timeout=60)[1].decode() for one in started]

    assert 0 in [one.returncode for one in started]
    assert all(one.returncode == 0 or "changed meanwhile" in why for one, why in zip(started, said, strict=True))
    assert memory(project).count("# Project Memory\n") == 1
    assert memory(project).endswith("\n")


def test_the_projects_own_template_is_followed(project, run):
    own = Path(project.stored("templates", "MEMORY.md"))
    own.parent.mkdir(parents=True)
    own.write_text(
        "# Ship's Book\nLast updated: {{date}} | Session {{session}} | Branch: {{branch}}\n\n## Project Overview\n"
    )
    trust.record(os.environ, project.root, project.relative(str(own)), own.read_bytes())

    assert run("--yes").exit_code == 0
    assert "# Ship's Book\nLast updated: 20" in memory(project)
    assert "{{" not in memory(project)


def test_the_knowledge_base_is_written_again_with_entries_and_documents(project):
    from commandline import answer, belay

    Path(project.at("guide.md")).write_text("# Guide\n\nThe harbour master answers on channel twelve.\n")
    belay(project.root, "note", "The tide table is in docs/tides.md")
    told = answer(project.root, "rebuild", "db")
    Path(project.workshop).write_bytes(b"\x55" * 9000)
    mended = answer(project.root, "rebuild", "db")

    assert (told["written"], told["records"], told["notes"]) == (project.workshop, 1, [])
    assert told["sections"] > 0
    assert "written again from the ledger" in mended["notes"][0]
    assert (mended["records"], mended["sections"]) == (told["records"], told["sections"])
    assert "tide table" in belay(project.root, "recent").stdout


def test_daily_logs_and_buffer_are_written_again_and_lines_of_mine_stay(project):
    from commandline import answer, belay

    from belay.consolidate import session as consolidate_session
    from belay.core import clock
    from belay.session.session import Session

    session = Session(project, "5e551011-aaaa-bbbb-cccc-000000000002", os.environ)
    session.log("start", **session.place())
    session.log("prompt", task="paint the hull", **session.place())
    session.log("edit", files=[{"path": "file.txt", "line": 1}])
    session.log("end", reason="other")
    session.save()
    consolidate_session.run(project, os.environ)
    daily = Path(project.daily(clock.local_date()))
    whole = daily.read_text()
    daily.unlink()

    assert answer(project.root, "rebuild", "notes") == {
        "written": [project.relative(str(daily))],
        "sessions": 1,
    }
    assert daily.read_text() == whole
    daily.write_text(whole + "\nMine.\n")
    assert len(belay(project.root, "rebuild", "notes").stdout.splitlines()) == 1
    assert "Mine." in daily.read_text()
    assert belay(project.root, "rebuild", "db", "--yes").returncode == 2


def test_notes_that_cannot_be_written_are_named(repo, project):
    os.makedirs(project.store)
    os.makedirs(project.lock)  # stands where a file is to be opened
    done = belay(repo, "rebuild", "notes")
    assert (done.returncode, "make it writable" in done.stderr) == (1, True)
    assert "Traceback" not in done.stderr
