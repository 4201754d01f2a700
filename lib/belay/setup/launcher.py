"""Before the command line: standard library only, because the environment may have to be built first."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from importlib.util import find_spec

from belay.core import environment, paths
from belay.core.errors import BelayError, LockTimeout

_BAR = 24


def enter(argv: list[str], environ: Mapping[str, str], *, asks_help: bool = False) -> bool:
    """Return where the command line can run in this process; else build the environment and go on in it.

    Nothing is built for a call that only asks for help: True where click is missing and help must do without it.
    """
    if _can_run_here(environ):
        return False
    env = environment.current(environ)
    if env is None and asks_help:
        return find_spec("click") is None
    env = env or _build_or_go_on(argv, environ)
    if env is not None:
        os.execv(env.python, [env.python, "-E", "-s", paths.resource("lib"), *argv])
    return False


def _build_or_go_on(argv: list[str], environ: Mapping[str, str]) -> environment.Env | None:
    """Return an environment that was built now, None where it cannot be but this Python has click.

    Most commands need little or nothing else: the environment of an earlier version, or a packager's Python, serves
    them. A command that lacks a library says so itself. Until the build is tried again, no command waits for it.
    """
    from belay.setup import start  # what builds costs as much to load as a command

    can_go_on = find_spec("click") is not None and argv[:1] != ["setup"]
    if can_go_on and start.has_failed_lately(environ):
        return None
    try:
        return build_in_foreground(environ)
    except BelayError as error:
        if not can_go_on:
            sys.exit(refuse(argv, error))
        print(f"belay: {error}. Going on with the packages that are installed.", file=sys.stderr)
        return None


def _can_run_here(environ: Mapping[str, str]) -> bool:
    """Whether this is the current environment, or a packager's or developer's that has all we need."""
    if os.path.realpath(sys.prefix) == os.path.realpath(environment.venv(environ)):
        env = environment.read(environment.env_file(environ))
        current = env is not None and env.stands(environment.crc()) and env.version == environment.version()
        return current or (environ.get("BELAY_SETUP") == "off" and _has_all_libraries())
    return _has_all_libraries()


def _has_all_libraries() -> bool:
    return all(find_spec(name) is not None for name in environment.LIBRARIES)


def build_in_foreground(environ: Mapping[str, str]) -> environment.Env:
    """Build the environment with a progress bar on stderr, after any other builder; keep why it failed."""
    from belay.setup import start  # what builds costs as much to load as a command

    bar = _Bar()
    try:
        env = _build_after_others(environ, bar)
        start.forget_failure(environ)
        return env
    except BelayError as error:
        start.record_failure(environ, error)
        raise
    finally:
        bar.close()


def _build_after_others(environ: Mapping[str, str], bar: _Bar) -> environment.Env:
    from belay.setup import build

    until = time.monotonic() + build.WAIT
    while True:
        try:
            return build.build(environ, bar.show, wait=0.0)
        except LockTimeout:
            if time.monotonic() > until:
                raise
            bar.show(0.0, "waiting for a set-up that is running already")
            time.sleep(0.5)


class _Bar:
    """One line that is redrawn on a terminal; elsewhere one line at each new tenth part."""

    def __init__(self) -> None:
        self.live, self.said, self.last = sys.stderr.isatty(), "", -1
        # Under the client stderr goes into Claude's context (HOST §3): nobody there watches a build.
        self.mute = not self.live and bool(os.environ.get("CLAUDECODE"))
        self._say("belay: setting up, once: under a minute, 60 MB\n")

    def show(self, done: float, what: str) -> None:
        if self.live:
            full = round(done * _BAR)
            self._say(f"\r[{'#' * full}{'.' * (_BAR - full)}] {round(done * 100):3d} %  {what[:40]:40}")
        elif what != self.said and int(done * 10) > self.last:
            self.last = int(done * 10)
            self._say(f"belay: {round(done * 100)} % {what}\n")
        self.said = what

    def close(self) -> None:
        self._say("\n" if self.live else "")

    def _say(self, text: str) -> None:
        if self.mute:
            return
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            self.mute = True  # whoever read it has gone; the build goes on


def refuse(argv: list[str], error: BelayError) -> int:
    """Say why there is no command line, as the face would; return the exit code."""
    if "--json" in argv:
        print(json.dumps({"error": {"where": error.where, "what": error.what, "mend": error.mend}}))
    else:
        print(f"belay: {error}", file=sys.stderr)
    return 1
