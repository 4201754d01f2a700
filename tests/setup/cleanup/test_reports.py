"""What a cleanup notices in the client's settings, and that it only looks."""

import json
import os
from pathlib import Path

import pytest
from legacy import tree, write

from belay.setup.cleanup.reports import reports

SERVER = {
    "command": "python3",
    "args": ["/u/.claude/mcp/vibe-memory/memory_server.py"],
    "env": {"KEY": "hush"},
}


def noticed(project, environ=None):
    return {(os.path.basename(found["where"]), found["what"]) for found in reports(project, environ or os.environ)}


@pytest.fixture(autouse=True)
def bare_path(project, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def test_a_plain_project_gives_nothing(project):
    assert noticed(project) == set()


def test_the_leftover_file_that_the_client_does_not_read(project):
    write(project.root, {".claude/mcp.json": "{}"})

    assert noticed(project) == {("mcp.json", "the client does not read this file")}


@pytest.mark.parametrize(
    ("place", "config", "what"),
    [
        ("project/.mcp.json", {"mcpServers": {"vibe-memory": {}}}, "declares the vibe-memory server"),
        ("home/.claude.json", {"mcpServers": {"memory": SERVER}}, "declares the vibe-memory server"),
        (
            "home/.claude/.claude.json",
            {"projects": {"ROOT": {"mcpServers": {"x": SERVER}}}},
            "declares the vibe-memory server for this project",
        ),
    ],
)
def test_an_old_server_wherever_it_is_declared(project, home, place, config, what):
    base, _, name = place.partition("/")
    text = json.dumps(config).replace("ROOT", project.root)
    write({"project": project.root, "home": home}[base], {name: text})
    before = tree(project.root), tree(home)

    assert noticed(project) == {(os.path.basename(place), what)}

    assert (tree(project.root), tree(home)) == before
    assert "hush" not in json.dumps(reports(project, os.environ))


def test_old_hooks_in_every_settings_file(project, home):
    def calling(command):
        return json.dumps({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": command}]}]}})

    write(project.root, {".claude/settings.json": calling("bash .claude/hooks/session-start.sh")})
    write(project.root, {".claude/settings.local.json": calling("/usr/bin/workshop context")})
    write(project.root, {".claude/hooks/session-start.sh": "echo"})
    write(home, {".claude/settings.json": calling("echo workshop")})

    assert noticed(project) == {
        ("session-start.sh", "an earlier tool's hook script"),
        ("settings.json", "runs an earlier tool at SessionStart"),
        ("settings.local.json", "runs an earlier tool at SessionStart"),
    }


def test_another_workshop_on_the_path_and_variables(project, tmp_path):
    program = tmp_path / "bin" / "workshop"
    write(tmp_path, {"bin/workshop": "#!/bin/sh\n"})
    program.chmod(0o755)
    environ = {**os.environ, "WORKSHOP_DB": project.at(".workshop", "workshop.db")}

    assert noticed(project, environ) == {
        ("workshop", "the Workshop program writes .workshop/ again when it runs"),
        ("$WORKSHOP_DB", "points into a folder that a cleanup empties"),
    }


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mcpServers": [1]}', '{"hooks": {"Stop": 7}}', "[" * 9999, "\0"])
def test_settings_that_are_no_settings(project, text):
    write(project.root, {".mcp.json": text, ".claude/settings.json": text})

    assert noticed(project) == set()


def test_a_pipe_for_settings_is_not_waited_for(project):
    Path(project.at(".claude")).mkdir()
    os.mkfifo(project.at(".mcp.json"))
    os.symlink("/dev/zero", project.at(".claude", "settings.json"))

    assert noticed(project) == set()
