"""`belay doctor` on the client's side: an MCP server that does not answer, a CLAUDE.md that is not loaded."""

import json
import os

import pytest
from click.testing import CliRunner
from schemas import check

from belay.cli.main import belay
from belay.cli.setup import client_checks
from belay.client import settings_files
from belay.core import paths, settings
from belay.setup import server_probe


def findings(name):
    """Return doctor's findings of a name as (level, found, mend)."""
    done = CliRunner().invoke(belay, ["doctor", "--json"])
    checks = check("doctor", json.loads(done.output))["checks"]
    return [(one["level"], one["found"], one["mend"]) for one in checks if one["name"] == name]


@pytest.fixture
def here(repo, monkeypatch):
    monkeypatch.chdir(repo)
    return repo


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Put a shell script in the place of the MCP server."""

    def put(script, mode=0o755):
        path = tmp_path / "bin" / "belay-mcp"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(mode)
        monkeypatch.setattr(paths, "resource", lambda *parts: str(tmp_path.joinpath(*parts)))
        return server_probe.find_problem(os.environ)

    return put


def test_the_real_server_answers(here):
    assert findings("mcp server") == [("ok", "it answers", "")]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo no python >&2; exit 1", "ended with code 1 and no answer: no python"),
        ("exit 0", "ended with code 0 and no answer"),
        ("echo hello", "ended with code 0 and no answer"),
        ("""echo '{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}'""", "no answer"),
    ],
)
def test_a_server_that_ends_is_said_with_its_own_words(server, script, words):
    assert words in server(script).what


def test_a_server_that_cannot_be_run_or_hangs_is_said(server, monkeypatch):
    assert "cannot be started (Permission denied)" in server("exit 0", 0o644).what
    monkeypatch.setattr(server_probe, "SECONDS", 0.3)
    assert "gave no answer in 0 s" in server("exec sleep 5").what


def test_a_broken_server_is_broken_and_says_that_the_client_waits(here, server):
    server("exit 3")
    ((level, found, mend),) = [one[1:] for one in client_checks.check_server(None)]

    assert (level, "code 3" in found, "15 minutes" in mend) == ("broken", True, True)


@pytest.fixture
def state(home):
    """The client's own state file."""
    return home / ".claude" / ".claude.json" if os.environ.get("CLAUDE_CONFIG_DIR") else home / ".claude.json"


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def test_a_server_that_the_user_switched_off_is_named_with_the_place(here, home, state):
    write(state, {"projects": {str(here): {"disabledMcpServers": ["other", "plugin:belay:memory"]}}})
    write(home / ".claude" / "settings.json", {"permissions": {"deny": ["Read(x)", "mcp__plugin_belay_memory"]}})
    ((_, off, way), (_, denied, _)) = findings("mcp server")

    assert off == f"it answers, but it is switched off for this project in {state}"
    assert "/mcp" in way
    assert "permissions.deny takes its tools away" in denied
    write(state, {"projects": {"/elsewhere": {"disabledMcpServers": ["plugin:belay:memory"]}}})
    assert len(findings("mcp server")) == 1


@pytest.mark.parametrize("text", ["", "[]", "{", '{"projects": 3}', '{"projects": {"x": []}, "mcpServers": [1]}'])
def test_any_state_file_is_read(here, state, text):
    state.parent.mkdir(exist_ok=True)
    state.write_text(text)
    (here / ".mcp.json").write_text(text)

    assert findings("mcp server") == [("ok", "it answers", "")]


def test_another_server_whose_program_is_gone_is_named(here, state, tmp_path):
    gone = str(tmp_path / "vibe-memory" / "memory_server.py")
    there = tmp_path / "server.py"
    there.write_text("")
    servers = {
        "vibe-memory": {"command": "python3", "args": [gone]},
        "fine": {"command": "python3", "args": [str(there)]},
        "by-name": {"command": "npx", "args": ["-y", "thing"]},
        "by-address": {"type": "http", "url": "http://127.0.0.1:1/"},
    }
    write(state, {"projects": {str(here): {"mcpServers": servers}}})
    write(here / ".mcp.json", {"mcpServers": {"old": {"command": "/nowhere/bin/old"}}})
    write(here / ".claude" / "mcp.json", {"mcpServers": {}})
    found = [one[1:] for one in findings("mcp server")[1:]]

    assert found == [
        ("old cannot start: /nowhere/bin/old is not there", "claude mcp remove old"),
        (f"vibe-memory cannot start: {gone} is not there", "claude mcp remove vibe-memory"),
        ("Claude Code does not read .claude/mcp.json", "move its servers to .mcp.json at the root"),
    ]


def test_a_claude_md_that_is_loaded_is_said_and_none_is_no_finding(here):
    assert findings("CLAUDE.md") == []
    (here / "CLAUDE.md").write_text("# Rules\n")
    assert findings("CLAUDE.md") == [("ok", "Claude Code loads CLAUDE.md at each start", "")]
    write(here / ".claude" / "CLAUDE.md", "rules")
    assert "CLAUDE.md and .claude/CLAUDE.md" in findings("CLAUDE.md")[0][1]


@pytest.mark.parametrize("name", ["claude.md", "Claude.md", ".claude/claude.md"])
def test_a_wrong_name_is_not_loaded(here, name):
    (here / ".claude").mkdir(exist_ok=True)
    (here / name).write_text("# Rules\n")
    folder = os.path.dirname(name)

    assert findings("CLAUDE.md") == [
        ("note", f"{name} is not loaded: its name must be CLAUDE.md",
         f"mv {name} {os.path.join(folder, 'CLAUDE.md')}"),
    ]  # fmt: skip


def test_one_in_a_folder_below_is_loaded_only_there(here):
    for name in ("app", "web"):
        write(here / name / "CLAUDE.md", "rules")
    ((level, found, _),) = findings("CLAUDE.md")

    assert (level, "2 folders below have one (app, web)" in found) == ("note", True)


@pytest.mark.parametrize(
    ("pattern", "is_out"),
    [
        ("{root}/CLAUDE.md", True),
        ("**/CLAUDE.md", True),
        ("**/repo/*.md", True),
        ("{root}/**", True),
        ("*/CLAUDE.md", False),
        ("{root}/docs/CLAUDE.md", False),
        ("**/CLAUDE?md", True),
        ("**/claude.md", False),
    ],
)
def test_an_excluded_file_is_named_with_the_settings_file(here, pattern, is_out):
    (here / "CLAUDE.md").write_text("# Rules\n")
    write(here / ".claude" / "settings.local.json", {"claudeMdExcludes": [pattern.replace("{root}", str(here))]})
    ((level, found, _),) = findings("CLAUDE.md")

    assert (level == "note", "settings.local.json names it" in found) == (is_out, is_out)


def test_nothing_is_claimed_where_a_pattern_takes_others_back(here):
    (here / "CLAUDE.md").write_text("# Rules\n")
    write(here / ".claude" / "settings.json", {"claudeMdExcludes": ["**/*.md", "!**/CLAUDE.md"]})

    assert findings("CLAUDE.md")[0][0] == "ok"


def test_every_claude_md_may_be_switched_off(here, home, monkeypatch):
    (here / "CLAUDE.md").write_text("# Rules\n")
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")
    assert "CLAUDE_CODE_DISABLE_CLAUDE_MDS switches every CLAUDE.md off" in findings("CLAUDE.md")[0][1]
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "0")
    assert findings("CLAUDE.md")[0][0] == "ok"
    write(home / ".claude" / "settings.json", {"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "true"}})
    assert settings_files.find_instructions_switch(os.environ, str(here)).endswith("settings.json")


def test_an_empty_or_too_long_one_is_said(here):
    (here / "CLAUDE.md").write_text("")
    assert findings("CLAUDE.md") == [("note", "CLAUDE.md is empty", "")]
    (here / "CLAUDE.md").write_text("x" * (client_checks.MOST_BYTES + 1))
    assert "over 4 MiB" in findings("CLAUDE.md")[0][1]


def test_an_import_of_a_file_that_is_not_there_is_named(here, home):
    write(here / "docs" / "there.md", "rules")
    write(home / "mine.md", "rules")
    text = "Read @docs/there.md and @docs/gone.md and @~/mine.md\n`@code.md`\n```\n@fenced.md\n```\nMail ada@example.md\n@~/no.md\n"
    (here / "CLAUDE.md").write_text(text)

    assert [found for _, found, _ in findings("CLAUDE.md")] == [
        "CLAUDE.md imports docs/gone.md, which is not there",
        "CLAUDE.md imports ~/no.md, which is not there",
    ]


def test_a_sign_behind_an_import_keeps_it_from_being_loaded(here):
    write(here / "docs" / "rules.md", "rules")
    (here / "CLAUDE.md").write_text("See @docs/rules.md.\nAnd @docs/rules.md#names too.\n")

    assert findings("CLAUDE.md") == [
        ("note", "CLAUDE.md imports docs/rules.md, but it is not loaded: “.” behind it is read as part of its name",
         "put a blank or a line end there"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@a.md", ["a.md"]),
        ("see @./a.md.", ["./a.md."]),
        ("(@a.md)", []),
        ("see @a.md) too", ["a.md)"]),
        ("@types/node and @ada", []),
        ("- @/abs/a.md rules\n- @/abs/a.md", ["/abs/a.md"]),
        ("@a.mdx @a.md/b", []),
        ("@../up.md#part", ["../up.md"]),
        ("@@a.md @#a.md", []),
        ("", []),
    ],
)
def test_what_an_import_is(text, expected):
    assert client_checks.find_imports(text) == expected


def test_the_setting_that_repeats_it_says_why_it_does_nothing(here, monkeypatch):
    monkeypatch.setattr(settings, "load_settings", lambda *_: {**settings.DEFAULTS, "reprint_claude_md": True})
    assert ("note", "reprint_claude_md is on, but there is no CLAUDE.md, or it is empty", "") in findings("settings")
    (here / "CLAUDE.md").symlink_to("/etc/hostname")
    assert any("reprint_claude_md is on, but CLAUDE.md" in found for _, found, _ in findings("settings"))
