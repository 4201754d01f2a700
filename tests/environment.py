"""An environment of Belay's own for tests: hooks run without packages and find the running ones through it."""

import os
import sys
import time

import markdown_it

from belay.core import environment, paths


def built(folder):
    """Make hooks of this HOME find the packages that the tests run with."""
    python = os.path.join(folder, "bin", "python")
    made = environment.Env(python, environment.crc(), environment.version())
    for path in (python, made.packages):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(sys.executable, python)
    os.symlink(os.path.dirname(os.path.dirname(markdown_it.__file__)), made.packages)
    path = environment.pointer(os.environ)
    os.makedirs(paths.data_home(os.environ), exist_ok=True)
    with open(path, "w") as file:
        file.write(f"{made.python}\n{made.crc}\n{made.version}\n")
    assert environment.packages(os.environ) == made.packages


def until(true, seconds=60.0):
    """Wait until something is true that a process of its own does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)
