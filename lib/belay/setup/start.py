"""What a session's start does about the environment: start its build beside the session, and say so once."""

from __future__ import annotations

import os
import sys
import time

from belay.client import processes
from belay.core import environment, files, json_codec, lock, paths
from belay.core.errors import BelayError, LockTimeout
from belay.safety import shown_notices
from belay.setup import build_errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

RETRY_SECONDS = 600
"""A failed build is tried again by the first session that starts this much later."""

PIECES_SECONDS = 86400
"""After the table of word pieces could not be made, a session tries again so much later: it can do without."""


class State:
    """How the environment is: `ready`, `building`, `absent` or `failed`; why, and how to fix it, where it failed."""

    __slots__ = ("kind", "mend", "why")

    def __init__(self, kind: str, why: str = "", mend: str = "") -> None:
        self.kind, self.why, self.mend = kind, why, mend


def state(environ: Mapping[str, str]) -> State:
    """Return how the environment is, without changing anything."""
    if environment.is_current(environ):
        return State("ready")
    if _building(environ):
        return State("building")
    failed = build_errors.check_ahead(paths.plugin_data(environ))
    if failed is not None:
        return State("failed", _why(failed), failed.mend)
    return _last(environ)


def _building(environ: Mapping[str, str]) -> bool:
    path = environment.guard(environ)
    if not os.path.exists(path):
        return False
    try:
        with lock.hold(path, 0.0):
            return False
    except LockTimeout:
        return True
    except OSError:
        return False


def _last(environ: Mapping[str, str]) -> State:
    note = _note(environ)
    if note.get("crc") != environment.crc():
        return State("absent")
    return State("failed", str(note.get("why")), str(note.get("mend")))


def _why(error: BelayError) -> str:
    return error.what if error.where == build_errors.WHERE else f"{error.where} {error.what}"


def _note(environ: Mapping[str, str]) -> dict[str, object]:
    try:
        note = json_codec.loads(files.read(_failure(environ)).decode("utf-8", "replace"))
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}


def _failure(environ: Mapping[str, str]) -> str:
    return os.path.join(paths.plugin_data(environ), "setup.failed")


def record_failure(environ: Mapping[str, str], error: BelayError) -> None:
    """Keep why the build failed, for `state`, where that can be kept."""
    note = {
        "crc": environment.crc(),
        "time": time.time(),
        "why": _why(error),
        "mend": error.mend,
    }
    try:
        files.write(_failure(environ), json_codec.encode(note))
    except OSError:
        pass


def forget_failure(environ: Mapping[str, str]) -> None:
    try:
        os.unlink(_failure(environ))
    except OSError:
        pass


def start_detached(environ: Mapping[str, str]) -> bool:
    """Start the build beside this process unless one runs, failed lately, cannot work or is switched off."""
    if environ.get("BELAY_SETUP") == "off" or _building(environ) or has_failed_lately(environ):
        return False
    if build_errors.check_ahead(paths.plugin_data(environ)) is not None:
        return False
    return processes.run_detached(lambda: _become(environ))


def _become(environ: Mapping[str, str]) -> None:
    """Go on as a fresh interpreter: it holds no file, lock or memory of the hook that started it."""
    command = [sys.executable, "-S", "-E", "-c", _CODE, paths.resource("lib")]
    os.execve(sys.executable, command, dict(environ))


_CODE = """import os, sys
sys.path.insert(0, sys.argv[1])
from belay.setup.start import work
work(os.environ)"""


def has_failed_lately(environ: Mapping[str, str]) -> bool:
    """Whether a build of this version's environment failed in the last ten minutes."""
    note = _note(environ)
    when = note.get("time")
    return note.get("crc") == environment.crc() and isinstance(when, float) and abs(time.time() - when) < RETRY_SECONDS


def work(environ: Mapping[str, str]) -> None:
    """Build the environment without a word; keep why it failed."""
    from belay.setup.build import build

    try:
        build(environ, lambda _done, _what: None, wait=0.0)
        forget_failure(environ)
    except LockTimeout:
        pass
    except BelayError as error:
        record_failure(environ, error)


def lacks_word_pieces(environ: Mapping[str, str]) -> bool:
    """Whether the table of word pieces is to be made now: there is none, and nobody failed at it within a day."""
    if os.path.exists(paths.word_pieces(environ)):
        return False
    try:
        failed = os.stat(environment.pieces_failure(environ)).st_mtime
    except OSError:
        return True
    return abs(time.time() - failed) > PIECES_SECONDS


def notice(environ: Mapping[str, str]) -> str:
    """Return what the user should know about the environment, the first time only."""
    now = state(environ)
    text = _TEXTS[now.kind].format(why=now.why, mend=now.mend)
    return text if text and shown_notices.is_new(environ, f"setup {now.kind} {now.why}") else ""


_TEXTS = {
    "ready": "",
    "building": "Belay is setting itself up in the background (once, under a minute, 60 MB); it captures already.",
    "absent": "Belay has not set up its command line yet; it captures already. To do it now: belay setup",
    "failed": "Belay captures, warns and continues, but could not set up its command line: {why}; {mend}",
}


def ensure(environ: Mapping[str, str]) -> str:
    """Do everything for the environment at a session's start; return what the user is shown, mostly ""."""
    try:
        environment.remember_python(environ)
    except OSError:
        pass
    if environment.is_current(environ):
        if lacks_word_pieces(environ):
            start_detached(environ)
        return ""
    started = start_detached(environ)
    if environ.get("BELAY_SETUP") == "off":
        return ""
    return _TEXTS["building"] if started and shown_notices.is_new(environ, "setup building ") else notice(environ)
