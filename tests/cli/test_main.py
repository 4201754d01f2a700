"""The command line itself: its two names, --help under headings, and --db."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from belay.cli.main import ALIASES, COMMANDS, SECTIONS, TAKE_DB, belay
from belay.core import paths

BIN = os.path.join(paths.PLUGIN_ROOT, "bin")


@pytest.fixture
def called(tmp_path):
    """Run a program of ours in a folder, in the interpreter that the tests run in."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "env").write_text(sys.executable + "\n")

    def run(program, *args, cwd=tmp_path, path=""):
        environ = {**os.environ, "BELAY_DATA": str(data)}
        environ["PATH"] = path + os.pathsep + os.environ["PATH"]
        return subprocess.run([program, *args], cwd=cwd, env=environ, capture_output=True, text=True)

    return run


@pytest.mark.parametrize("name", ["belay", "workshop"])
def test_a_program_tells_the_name_it_was_called_by(called, name):
    assert called(os.path.join(BIN, name), "--version").stdout.startswith(f"{name}, version ")
    assert called(os.path.join(BIN, name), "status", "-h").stdout.startswith(f"Usage: {name} status")


def test_workshop_runs_through_links_and_from_anywhere(called, repo):
    (repo / "deep").mkdir()
    os.symlink(os.path.join(BIN, "workshop"), repo / "deep" / "workshop")
    os.symlink("deep/workshop", repo / "ws")
    os.symlink(os.path.join(BIN, "belay"), repo / "workshop")

    for program in ("./ws", "./workshop", str(repo / "deep" / "workshop")):
        assert called(program, "--version", cwd=repo).stdout.startswith("workshop, version ")
    assert called("workshop", "--version", path=BIN).stdout.startswith("workshop, version ")
    assert called("belay", "--version", path=BIN).stdout.startswith("belay, version ")


def test_what_can_be_mended_is_told_under_that_name(called, home):
    said = called(os.path.join(BIN, "workshop"), "status", cwd=home).stderr

    assert said == f"workshop: {home}: is your home or the root, not a project; cd into a project\n"


def test_help_stands_under_headings():
    shown = CliRunner().invoke(belay, ["--help"]).output

    headings = [row.rstrip(":") for row in shown.splitlines() if row.endswith(":") and row[0] != " "]
    assert headings == ["Options", *SECTIONS]
    assert (
        "\n\nKnowledge:\n"
        in CliRunner().invoke(belay, ["--help"], prog_name="workshop").output.partition("Session:")[0]
    )


def test_only_commands_of_the_knowledge_base_take_a_database():
    def opts(name):
        command = belay.get_command(belay.make_context("belay", ["x"]), name)
        return {opt for param in command.params for opt in param.opts}

    assert {name for name in (*COMMANDS, *ALIASES) if "--db" in opts(name)} == TAKE_DB
    refused = CliRunner().invoke(belay, ["--db", "x.db", "status"])
    assert CliRunner().invoke(belay, ["recent", "--db="]).exit_code == 2
    assert (refused.exit_code, "status opens no knowledge base" in refused.output) == (2, True)


def test_documents_name_only_commands_that_exist():
    folder = Path(paths.PLUGIN_ROOT)
    pages = [*folder.glob("docs/*.md"), *folder.glob("commands/*.md"), folder / "README.md"]
    spans = [span for page in pages for span in re.findall(r"`([^`\n]+)`|^\$ (.*)$", page.read_text(), re.M)]
    named = {word for span in spans for word in re.findall(r"\b(?:belay|workshop) ([a-z][a-z-]*)", " ".join(span))}

    assert sorted(named - set(COMMANDS) - set(ALIASES)) == []
