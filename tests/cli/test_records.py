"""journal, buffer, capture, ack and continue, as a person or a script calls them."""

import json
import os
import subprocess
import sys

import pytest
from schemas import check

from belay.core import paths
from belay.core.constants import VERSION
from belay.repository import projects
from belay.session import journal

LIB = os.path.join(paths.PLUGIN_ROOT, "lib")
RUN = "from belay.cli.main import main; main()"


def belay(folder, *args, stdin=""):
    """Run the command line in a folder with this interpreter's packages."""
    env = {**os.environ, "PYTHONPATH": LIB}
    return subprocess.run(
        [sys.executable, "-c", RUN, *args], cwd=folder, env=env, input=stdin, capture_output=True, text=True
    )


def answer(folder, name, *args, code=0, schema=""):
    done = belay(folder, name, *args, "--json")
    assert done.returncode == code, done.stderr
    data = json.loads(done.stdout)
    check(schema or name, data)
    return data


def test_captured_shown_and_acknowledged(repo):
    taken = answer(repo, "capture", "--as", "decision", "SQLite for the ledger")["captured"][0]
    inside = repo / "deep" / "er"
    inside.mkdir(parents=True)

    assert taken["classes"] == {"decision": 1.0}
    assert answer(inside, "buffer")["open"] == [f"decision {taken['id']}: SQLite for the ledger"]
    assert taken["id"] in (repo / "memory" / "working-buffer.md").read_text()
    assert answer(repo, "ack", taken["id"]) == {"closed": [taken["id"]], "unknown": []}
    assert taken["id"] not in (repo / "memory" / "working-buffer.md").read_text()
    assert answer(repo, "ack", taken["id"], code=1)["unknown"] == [taken["id"]]
    (log,) = (repo / "memory").glob("20*.md")
    assert taken["id"] in log.read_text()


def test_secret_never_reaches_a_file(repo):
    secret = "ghp_" + "9aK2mQ7xT4bZ8wR1nY5cV3eL6uH0sD2fG4jP"
    belay(repo, "capture", f"the token is {secret}")

    for folder, _, names in os.walk(repo):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                assert secret.encode() not in file.read()


def test_journal_is_shown_and_verified(repo):
    answer(repo, "capture", "one")
    answer(repo, "capture", "two")
    shown = answer(repo, "journal", "show")
    assert [record["text"] for record in shown["records"] if record["kind"] == "capture"] == ["one", "two"]

    project = projects.find(str(repo), os.environ)
    with open(project.journal(shown["session"]), "ab") as file:
        file.write(b'{"half of a rec')
    journal.append(project.journal(shown["session"]), {"kind": "capture", "mark": "not ours"})
    verified = answer(repo, "journal", "verify", code=1)
    assert (verified["journals"][0]["damaged"], verified["journals"][0]["foreign"]) == (1, 1)
    assert "1 damaged" in belay(repo, "journal").stdout


def test_continuation_written_shown_delivered(repo):
    assert answer(repo, "continue")["text"] is None
    assert answer(repo, "continue", "--write", code=1)["refused"]
    hook(repo, {"prompt": "Please write the export of invoices"})
    written = answer(repo, "continue", "--write")
    assert written["title"] == "Continue: Write the export of invoices"
    assert written["waiting"]
    delivered = answer(repo, "continue", "--deliver")
    assert "/continuations/" in delivered["path"]
    again = answer(repo, "continue")
    assert (again["waiting"], again["text"]) == (False, written["text"])


def hook(repo, fields):
    """Send one prompt through the real hook."""
    event = {"session_id": "s-1", "cwd": str(repo), "hook_event_name": "UserPromptSubmit", **fields}
    run = os.path.join(paths.PLUGIN_ROOT, "hooks", "run")
    subprocess.run([run, "user_prompt_submit"], input=json.dumps(event), text=True, check=True, cwd=repo)


@pytest.mark.parametrize(
    "args", [("capture",), ("ack",), ("journal", "nonsense"), ("nonsense",), ("capture", "--as", "x", "y")]
)
def test_wrong_calls_say_what_is_right(repo, args):
    done = belay(repo, *args)
    assert done.returncode in (1, 2)
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_home_is_no_project(home):
    done = belay(home, "buffer", "--json")
    assert done.returncode == 1
    check("error", json.loads(done.stdout))


def test_version_and_help(repo):
    assert VERSION in belay(repo, "--version").stdout
    for name in ("journal", "buffer", "capture", "ack", "continue"):
        text = belay(repo, name, "--help").stdout
        assert "Examples:" in text
        assert f"belay {name}" in text
