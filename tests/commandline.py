"""The command line as a person or a script calls it: a process each, in a folder."""

import json
import os
import subprocess
import sys

from schemas import check

from belay.core import paths

RUN = "from belay.cli.main import main; main()"


def belay(folder, *args, stdin=""):
    """Run the command line in a folder with this interpreter's packages."""
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", RUN, *args]
    return subprocess.run(command, cwd=folder, env=env, input=stdin, capture_output=True, text=True, check=False)


def answer(folder, name, *args, code=0):
    """Return what a command prints with --json, checked against its schema."""
    done = belay(folder, name, *args, "--json")
    assert done.returncode == code, done.stderr + done.stdout
    return check(name, json.loads(done.stdout))
