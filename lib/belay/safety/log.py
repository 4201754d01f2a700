"""A capped debug log: what we broke, written as a ready bug report."""

from __future__ import annotations

import os
import sys
import time

from belay.core import files, paths
from belay.core.constants import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOG_BYTES = 512 * 1024


def log_failure(doing: str, error: BaseException, environ: Mapping[str, str]) -> str:
    """Append one bug report (version, platform, what, traceback) to the log; return the log's path.

    What may come of a compiled file that is cut off is mended for the next process.
    """
    import traceback

    from belay.core import environment

    if isinstance(error, environment.TORN):
        environment.drop_torn()

    frames = "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=12))
    return log_note(f"{doing} failed\n{_system()}\n{frames}", environ)


def log_note(text: str, environ: Mapping[str, str]) -> str:
    """Append a dated, redacted text to the log; return the log's path."""
    from belay.safety.redaction import redact

    path = paths.log_file(environ)
    try:
        files.make_folder(os.path.dirname(path))
        _cap(path)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        files.append_line(path, f"{stamp} belay {VERSION} {redact(text)}".encode("utf-8", "replace"))
    except OSError:
        pass
    return path


def _system() -> str:
    return f"python {sys.version.split()[0]} on {sys.platform}, pid {os.getpid()}"


def _cap(path: str) -> None:
    if os.path.exists(path) and os.path.getsize(path) > LOG_BYTES:
        files.replace(path, path + ".old", sync=False)
