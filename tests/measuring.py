"""What a run under coverage needs of the tests: hooks are measured too, and `make mutants` learns which test ran what.

Nothing of this happens in an ordinary run. The command line's processes measure themselves (`patch` in pyproject.toml);
hooks run without site-packages, so their doors are started by a few lines that start coverage first.
"""

import base64
import json
import os
import sys

CONFIG = "COVERAGE_PROCESS_CONFIG"
BY_TEST = "BELAY_MAP_TESTS"
"""Asks for the name of the test beside each line."""
HOOK = """
import runpy, sys
door = sys.argv[1]
sys.path.insert(0, sys.argv.pop())
import coverage
coverage.process_startup()
del sys.path[0]
sys.path[0] = door.rpartition("/")[0]
sys.argv[0:2] = [door]
runpy.run_path(door, run_name="__main__")
"""


def door(path):
    """Return the command that runs a hook's door."""
    if CONFIG not in os.environ:
        return [sys.executable, "-S", "-E", path]
    import coverage

    packages = os.path.dirname(os.path.dirname(coverage.__file__))
    return [sys.executable, "-S", "-E", "-c", HOOK, path, packages]


def name(test):
    """Note that what runs from now on, here and in child processes, is run by a test."""
    import coverage

    running = coverage.Coverage.current()
    if running is None:
        return
    running.switch_context(test)
    config = json.loads(base64.b64decode(os.environ[CONFIG]))
    os.environ[CONFIG] = base64.b64encode(json.dumps({**config, "context": test}).encode()).decode()
