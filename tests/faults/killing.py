"""Runs of the command line that kill themselves with -9 at a chosen SQL statement: at the same place on any machine."""

import os
import signal
import subprocess
import sys

from commandline import RUN

from belay.core import paths

COUNT = """
import os, signal, sqlite3, sys
fatal, done, real = int(sys.argv.pop(1)), 0, sqlite3.connect
def count(statement):
    global done
    done += 1
    if done == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
def connect(*args, **options):
    connection = real(*args, **options)
    connection.set_trace_callback(count)
    return connection
sqlite3.connect = connect
"""
TOTAL = "\nimport atexit; atexit.register(lambda: print(done, file=sys.stderr))\n"


def start(folder, *args, fatal=0):
    """Start a command; it kills itself before its `fatal`th SQL statement, 0 for never."""
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", (COUNT if fatal else "") + RUN, *([str(fatal)] if fatal else []), *args]
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def statements(folder, *args):
    """Run a command to its end; return how many SQL statements it needed."""
    env = {**os.environ, "PYTHONPATH": os.path.join(paths.PLUGIN_ROOT, "lib")}
    command = [sys.executable, "-c", COUNT + TOTAL + RUN, "-1", *args]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return int(done.stderr)


def kill(folder, *args, fatal):
    """Run a command until it has killed itself."""
    process = start(folder, *args, fatal=fatal)
    process.communicate()
    assert process.returncode == -signal.SIGKILL, f"it ended before statement {fatal}"
