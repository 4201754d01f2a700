"""A fresh machine without network: PATH of sh, git and python3 only, and the hooks still do their work."""

import json
import os
import subprocess

from test_setup import offline, until

from belay.core import environment, paths
from belay.repository import projects
from belay.session import journal
from belay.setup import start


def hook(name, environ, folder, **fields):
    """Run a hook as the client does; return its JSON."""
    said = {"session_id": "abc", "cwd": str(folder), **fields}
    done = subprocess.run([paths.resource("hooks", "run"), name], input=json.dumps(said).encode(), env=environ,
                          capture_output=True, check=True, timeout=60)  # fmt: skip
    assert done.stderr == b""
    return json.loads(done.stdout) if done.stdout else {}


def start_session(environ, repo):
    return hook("session_start", environ, repo, hook_event_name="SessionStart", source="startup").get(
        "systemMessage", ""
    )


def prompt(environ, repo, text):
    return hook("user_prompt_submit", environ, repo, hook_event_name="UserPromptSubmit", prompt=text)


def failed(environ):
    return start.state(environ).kind == "failed"


def test_hooks_capture_without_an_environment_and_say_so_once(repo, tmp_path):
    data = tmp_path / "plugin"
    environ = offline(tmp_path / "home", CLAUDE_PLUGIN_DATA=str(data))
    first = start_session(environ, repo)
    assert "setting itself up in the background" in first

    answer = prompt(environ, repo, "No, don't use Redis for the cart. We decided to use SQLite for storage.")
    project = projects.find(str(repo), environ)
    records, damaged = journal.read(project.journal("abc"))
    assert damaged == 0
    assert any("Redis" in str(record) for record in records if record["kind"] == "prompt")
    assert "Recorded" in str(answer) or "C-" in str(answer)
    assert os.path.exists(project.buffer)

    until(lambda: failed(environ))
    assert not environment.is_current(environ)
    said = [start_session(environ, repo) for _ in range(3)]
    assert ["offline" in line for line in said] == [True, False, False]
    assert environment.hook_python(environ) == str(data / "python")
    assert os.access(open_line(data / "python"), os.X_OK)


def open_line(path):
    return path.read_text().strip()


def test_a_home_that_cannot_be_written_does_not_stop_the_hooks(repo, tmp_path):
    (tmp_path / "file").write_text("")
    blocked = str(tmp_path / "file" / "data")
    environ = offline(tmp_path / "home", CLAUDE_PLUGIN_DATA=blocked, XDG_DATA_HOME=blocked, TMPDIR=str(tmp_path))

    said = [start_session(environ, repo) for _ in range(3)]
    assert ["cannot be written; make it writable" in line for line in said] == [True, False, False]
    prompt(environ, repo, "We decided to use SQLite for storage.")
    records, _ = journal.read(projects.find(str(repo), environ).journal("abc"))
    assert any(record["kind"] == "prompt" for record in records)
