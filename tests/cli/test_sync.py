"""`belay sync` before anything is sent."""

import os
import sys

import pytest
from commandline import belay

from belay.core import settings


def test_no_server_and_no_url_are_said(repo):
    done = belay(repo, "sync")
    assert (done.returncode, "the server: is not known" in done.stderr) == (1, True)
    done = belay(repo, "sync", "qdrant.local:6333")
    assert (done.returncode, "qdrant.local:6333: is no URL" in done.stderr) == (1, True)


def test_a_server_that_a_clone_names_is_not_used(repo, project):
    (repo / ".claude").mkdir()
    (repo / ".claude" / "belay.yaml").write_text("qdrant: http://127.0.0.1:9\n")
    assert "came with the repository" in settings.compile_settings(project, os.environ, accepted=False)[0]
    assert "the server: is not known" in belay(repo, "sync").stderr


@pytest.mark.parametrize("value", ["[1]", "7", '"a\\nb"'])
def test_a_setting_that_is_no_name_is_left_out(project, home, value):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "belay.yaml").write_text(f"qdrant: {value}\n")
    assert settings.compile_settings(project, os.environ) != []
    assert settings.load_settings(project, os.environ)["qdrant"] == ""


def test_the_extra_is_named_where_it_is_missing(repo, monkeypatch, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "qdrant_client.py").write_text("raise ImportError\n")
    belay(repo, "note", "x")
    env = {
        **os.environ,
        "PYTHONPATH": f"{hidden}{os.pathsep}{os.path.join(os.path.dirname(settings.__file__), '..', '..')}",
    }
    import subprocess

    command = [sys.executable, "-c", "from belay.cli.main import main; main()", "sync", "http://127.0.0.1:9"]
    done = subprocess.run(command, cwd=repo, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, "-m pip install qdrant-client" in done.stderr) == (1, True)
