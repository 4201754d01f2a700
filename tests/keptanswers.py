"""Answers of commands about kept files, compared with those in tests/data/answers.

After a change that is meant: `ANSWERS=write .venv/bin/python -m pytest tests/cli -k kept`, and read the diff.
"""

import calendar
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from click.testing import CliRunner

from belay.cli.main import belay

DATA = Path(__file__).resolve().parent / "data"
ANSWERS = DATA / "answers"
SENTENCES = ("what", "mend", "note", "notes", "why", "due", "diff", "offers")
NOW = float(calendar.timegm((2026, 3, 10, 12, 0, 0)))


def call(*args, text=None):
    done = CliRunner().invoke(belay, [str(arg) for arg in args], input=text)
    assert done.exit_code in (0, 1), done.output
    return json.loads(done.stdout)


def answer(name, found):
    """Compare with what is kept under a name, or keep it."""
    path = ANSWERS / f"{name}.json"
    if os.environ.get("ANSWERS") == "write":
        rows = [f"{json.dumps(key)}: {json.dumps(found[key], ensure_ascii=False)}" for key in found]
        path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    for key in found:
        assert found[key] == kept.get(key), key
    assert list(found) == list(kept)


def bare(value):
    """Return an answer without sentences for people and without what differs from run to run."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if key not in SENTENCES}
    if isinstance(value, list):
        return [bare(one) for one in value]
    return masked(value) if isinstance(value, str) else value


def believed(folder, path):
    """Make a kept memory the project's, an hour old and believed."""
    shutil.copy(path, folder / "MEMORY.md")
    os.utime(folder / "MEMORY.md", (NOW - 3600,) * 2)
    done = CliRunner().invoke(belay, ["trust", "MEMORY.md"])
    assert done.exit_code == 0, done.output


def committed(folder):
    """Commit everything, nine days before."""
    day = "2026-03-01T12:00:00Z"
    dates = {"GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day}
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for args in (("add", "."), ("commit", "-qm", "Start")):
        subprocess.run(["git", *who, *args], cwd=folder, check=True, env={**os.environ, **dates})


def named(path):
    return f"{path.parent.name}/{path.name}"


def masked(text):
    """Return a text without hashes and the ids of entries."""
    return re.sub(r"\b[0-9a-f]{7,40}\b", "HASH", re.sub(r"\b[A-Z]-[A-Z0-9]{6}\b", "ID", text))
