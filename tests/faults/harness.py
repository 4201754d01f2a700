"""A command killed at any of its changes: each file is old or new as a whole, no line is lost, the next run ends it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
LIB = str(HERE.parents[2] / "lib")
TESTS = str(HERE.parents[1])
PRELOAD = (
    "yaml", "markdown_it", "filelock", "click", "difflib", "subprocess", "tempfile", "belay.cli.main", "belay.memory.memory_files",
    "belay.memory.wrapup.sections", "belay.memory.health.evidence", "belay.memory.wrapup.saving", "belay.memory.remember.filing", "belay.consolidate.session",
)  # fmt: skip


class Killed:
    """What `check` needs of one command: where it ran, what it printed for each run."""

    def __init__(self, place, argv=(), *, stdin="", code="", steps=0, moments=()):
        spare = Path(f"{place}-kept")
        shutil.rmtree(spare, ignore_errors=True)
        shutil.copytree(place, spare, symlinks=True)
        text = Path(f"{place}-stdin")
        text.write_text(stdin)
        spec = {
            "lib": [LIB, TESTS], "place": str(place), "kept": str(spare), "argv": list(argv), "code": code,
            "stdin": str(text), "steps": steps, "moments": list(moments), "preload": list(PRELOAD),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-B", str(HERE.parent / "runner.py")],
            input=json.dumps(spec), capture_output=True, text=True, check=False, env=dict(os.environ),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        self.errors = done.stderr
        self.whole, *self.runs = [json.loads(line) for line in done.stdout.splitlines()]


def check(killed, *, exact=True):
    """Hold every run against the whole one; return how many there were.

    `exact`: a second run ends at the texts of the whole one (or of two whole ones: the kill came after the last
    change); else at least at all its lines.
    """
    whole = killed.whole
    assert whole["code"] == 0, killed.errors[-2000:]
    assert whole["texts"] != whole["before"]
    allowed = {name: {text} for name, text in whole["before"].items()}
    for name, text in whole["versions"]:
        allowed.setdefault(name, set()).add(text)
    lost = lines(whole["before"]) - lines(whole["texts"])
    for run in killed.runs:
        for name, text in run["texts"].items():
            assert text in allowed[name], (run["step"], name)
        for texts in (run["texts"], run["after"]):
            assert lines(whole["before"]) - lost <= lines(texts), _differing(run, whole)
        if exact:
            assert run["after"] in (whole["texts"], whole["after"]), _differing(run, whole)
        else:
            assert lines(whole["texts"]) <= lines(run["after"]), _differing(run, whole)
    return len(killed.runs)


def _differing(run, whole):
    """Return the step and the lines in which what stands after a second run differs from the whole one."""
    return run["step"], run["codes"], lines(run["after"]) ^ lines(whole["texts"])


def lines(texts):
    """Return every line that says something, wherever it stands."""
    return {line.strip() for text in texts.values() for line in text.splitlines() if line.strip()}
