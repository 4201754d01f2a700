"""`belay statusline` through the command line."""

import json

import schemas
from click.testing import CliRunner

from belay.cli.main import belay

STATUS = {
    "session_id": "s1",
    "model": {"id": "claude-opus-4-5"},
    "context_window": {"context_window_size": 200_000, "current_usage": {"input_tokens": 83_500}},
}


def call(*args, stdin="", code=0):
    done = CliRunner().invoke(belay, ["statusline", *args], input=stdin)
    assert done.exit_code == code, done.output
    return done.output


def test_it_prints_the_line(home, monkeypatch):
    monkeypatch.chdir(home)

    assert call(stdin=json.dumps(STATUS)) == "belay █████░░░░░ 50 % of 167k\n"
    data = json.loads(call("--json", stdin=json.dumps(STATUS)))
    schemas.check("statusline", data)
    assert data["percent"] == 50.0


def test_install_and_uninstall(home):
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"statusLine": {"type": "command", "command": "date"}}')

    assert "date" in call("--install")
    undone = json.loads(call("--uninstall", "--json"))
    schemas.check("statusline", undone)
    assert undone["installed"] is False
    assert settings.read_text() == '{"statusLine": {"type": "command", "command": "date"}}'
    assert "exclude each other" in call("--install", "--uninstall", code=2)


def test_settings_that_cannot_be_read_are_named(home):
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{")

    assert "not a JSON object" in call("--install", code=1)
