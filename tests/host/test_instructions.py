"""What `belay doctor` says of CLAUDE.md and of the MCP server is what the real client does."""

import json
import os

import pytest
from host.api import Api, Turn

from belay.cli.setup import client_checks
from belay.client import settings_files
from belay.repository import projects

RULE = "Never paint the door blue."


def loaded(client, repo, **env):
    """Return what a session's first request holds."""
    with Api([Turn("Hello.")]) as api:
        run = client(api, cwd=repo, plugins=(), **env).run("hello there")
    assert run.code == 0, run.stderr
    return api.main[0].text + str(api.main[0].system)


def doctor(repo):
    """Return doctor's findings on CLAUDE.md."""
    return [(one.level, one.found) for one in client_checks.check_instructions(projects.find(str(repo), os.environ))]


@pytest.mark.parametrize("name", ["CLAUDE.md", ".claude/CLAUDE.md", "claude.md"])
def test_a_file_of_that_name_is_loaded(client, repo, name):
    (repo / ".claude").mkdir(exist_ok=True)
    (repo / name).write_text(f"# Rules\n\n{RULE}\n")

    assert (doctor(repo)[0][0] == "ok") == (RULE in loaded(client, repo))
    assert (doctor(repo)[0][0] == "ok") == name.endswith("CLAUDE.md")


@pytest.mark.parametrize(
    ("text", "is_loaded"),
    [("See @docs/rules.md", True), ("See @docs/rules.md.", False),
     ("`@docs/rules.md`", False), ],
)  # fmt: skip
def test_an_import_is_loaded_or_said_not_to_be(client, repo, text, is_loaded):
    (repo / "docs").mkdir()
    (repo / "docs" / "rules.md").write_text(RULE)
    (repo / "CLAUDE.md").write_text(f"# Rules\n\n{text}\n")

    assert (RULE in loaded(client, repo)) is is_loaded
    if text[0] != "`":
        assert (doctor(repo)[0][0] == "ok") is is_loaded


@pytest.mark.parametrize("pattern", ["**/repo/*.md", "*/CLAUDE.md"])
def test_an_exclusion_works_as_doctor_says(client, repo, pattern):
    (repo / "CLAUDE.md").write_text(RULE)
    (repo / ".claude").mkdir(exist_ok=True)
    settings = {"claudeMdExcludes": [pattern]}
    (repo / ".claude" / "settings.json").write_text(json.dumps(settings))

    assert (RULE in loaded(client, repo)) is (doctor(repo)[0][0] == "ok")


def test_the_variable_switches_every_file_off(client, repo, monkeypatch):
    (repo / "CLAUDE.md").write_text(RULE)
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")

    assert RULE not in loaded(client, repo, CLAUDE_CODE_DISABLE_CLAUDE_MDS="1")
    assert "switches every CLAUDE.md off" in doctor(repo)[0][1]


def test_a_server_that_is_switched_off_gives_claude_no_tools(client, repo, home):
    def tools():
        with Api([Turn("Hello.")]) as api:
            run = client(api, cwd=repo).run("hello there")
        assert run.code == 0, run.stderr
        return "memory_search" in json.dumps(api.main[0].body)

    assert tools()
    state = home / ".claude" / ".claude.json"
    fields = json.loads(state.read_text())
    fields["projects"] = {str(repo): {"disabledMcpServers": [settings_files.SERVER]}}
    state.write_text(json.dumps(fields))
    assert not tools()
    assert settings_files.list_server_blocks(os.environ, str(repo))
    fields["projects"] = {}
    state.write_text(json.dumps(fields))
    (repo / ".claude").mkdir(exist_ok=True)
    (repo / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"deny": [settings_files.TOOLS]}}))
    assert not tools()
    assert settings_files.list_server_blocks(os.environ, str(repo))
