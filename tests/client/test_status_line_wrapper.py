"""The wrapper around the user's own status line."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from belay.client import status_line_wrapper
from belay.core import paths
from belay.core.errors import BadInput

STATUS = json.dumps({"session_id": "s1", "model": {"id": "m"}}).encode()
SETTINGS = """{
    "env": {"TOKEN": "x"},
    "statusLine": {"type": "command", "command": "cat > /dev/null; echo mine; echo two", "padding": 0},
    "model": "opus"
}
"""


@pytest.fixture
def settings(home):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    return path


def shown(settings, **environ):
    """Run what the settings name, as the client would."""
    command = json.loads(settings.read_text())["statusLine"]["command"]
    done = subprocess.run(
        ["sh", "-c", command], input=STATUS, capture_output=True, timeout=30, env={**os.environ, **environ}
    )
    return done.stdout.decode()


def test_the_users_lines_come_first_and_all_else_stays(settings):
    settings.write_text(SETTINGS)
    settings.chmod(0o600)
    status_line_wrapper.install(os.environ)
    data = json.loads(settings.read_text())

    assert shown(settings) == "mine\ntwo\nbelay\n"
    assert (data["statusLine"]["padding"], data["env"], data["model"]) == (0, {"TOKEN": "x"}, "opus")
    backup = settings.with_name("settings.json.belay-backup")
    assert (backup.read_text(), backup.stat().st_mode & 0o777) == (SETTINGS, 0o600)


def test_uninstall_gives_the_file_back_byte_for_byte(settings):
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)
    status_line_wrapper.uninstall(os.environ)

    assert settings.read_text() == SETTINGS
    assert [path.name for path in settings.parent.iterdir()] == ["settings.json"]


def test_uninstall_keeps_what_changed_since(settings):
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)
    settings.write_text(settings.read_text().replace('"opus"', '"sonnet"'))
    status_line_wrapper.uninstall(os.environ)

    assert settings.read_text() == SETTINGS.replace('"opus"', '"sonnet"')


def test_uninstall_leaves_a_line_that_is_no_longer_ours(settings):
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)
    other = '{"statusLine": {"type": "command", "command": "other"}}'
    settings.write_text(other)
    (said,) = status_line_wrapper.uninstall(os.environ)

    assert (settings.read_text(), "left as it is" in said) == (other, True)


def test_no_settings_and_no_status_line_before(settings):
    status_line_wrapper.install(os.environ)
    assert shown(settings) == "belay\n"

    status_line_wrapper.uninstall(os.environ)
    assert not settings.exists()
    assert "not installed" in status_line_wrapper.uninstall(os.environ)[0]


def test_installing_twice_wraps_once(settings):
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)
    (said,) = status_line_wrapper.install(os.environ)

    assert "already" in said
    assert shown(settings) == "mine\ntwo\nbelay\n"
    status_line_wrapper.uninstall(os.environ)
    assert settings.read_text() == SETTINGS


def test_ours_prints_when_theirs_hangs(settings):
    settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "echo early; sleep 60"}}))
    status_line_wrapper.install(os.environ)
    start = time.monotonic()

    assert shown(settings) == "belay\n"
    assert time.monotonic() - start >= status_line_wrapper.PATIENCE


def test_ours_prints_when_theirs_fails(settings):
    settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "/no/such/command"}}))
    status_line_wrapper.install(os.environ)

    assert shown(settings) == "belay\n"


def test_theirs_prints_when_the_plugin_is_gone_or_switched_off(settings):
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)

    assert shown(settings, BELAY="off") == "mine\ntwo\n"
    Path(paths.data_home(os.environ), "statusline", "root").write_text("/no/such/plugin\n")
    assert shown(settings) == "mine\ntwo\n"


def test_theirs_gets_the_clients_json(settings):
    settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "cat"}}))
    status_line_wrapper.install(os.environ)

    assert json.loads(shown(settings).splitlines()[0])["session_id"] == "s1"


def test_a_new_version_of_the_plugin_is_told_to_the_shim(settings):
    root = Path(paths.data_home(os.environ), "statusline", "root")
    status_line_wrapper.refresh(os.environ)
    assert not root.exists()

    status_line_wrapper.install(os.environ)
    root.write_text("/old\n")
    status_line_wrapper.refresh(os.environ)
    assert root.read_text() == paths.PLUGIN_ROOT + "\n"


def test_settings_that_are_a_link_stay_one(home, settings):
    real = home / "dotfiles.json"
    real.write_text(SETTINGS)
    settings.symlink_to(real)
    status_line_wrapper.install(os.environ)

    assert settings.is_symlink()
    assert shown(settings) == "mine\ntwo\nbelay\n"
    status_line_wrapper.uninstall(os.environ)
    assert real.read_text() == SETTINGS


@pytest.mark.parametrize("text", ["{", "[]", '{"statusLine": }'])
def test_settings_that_are_no_object_are_left_alone(settings, text):
    settings.write_text(text)

    with pytest.raises(BadInput):
        status_line_wrapper.install(os.environ)
    assert settings.read_text() == text


def test_a_path_with_a_space_is_quoted(settings, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "my data"))
    settings.write_text(SETTINGS)
    status_line_wrapper.install(os.environ)

    assert shown(settings) == "mine\ntwo\nbelay\n"
