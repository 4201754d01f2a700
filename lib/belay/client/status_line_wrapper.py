"""Wraps the status line that a user has, never replaces it, and puts it back exactly (HOST §6).

The client's settings name a shim in the user's own folder: the plugin's folder changes with every update.
One key of the settings is edited as text, so that all else stays as it was written.
"""

from __future__ import annotations

import os
import zlib

from belay.core import files, json_codec, paths
from belay.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PATIENCE = 2.0
"""Seconds that the user's own command may take before Belay's line is printed without it."""
KEY = "statusLine"
SHIM = """\
#!/bin/sh
# Belay's status line below the one that was here before; `belay statusline --uninstall` puts that one back.
here=${0%/*}
input=$(cat)
root=
[ -r "$here/root" ] && IFS= read -r root < "$here/root"
out=$(printf '%s\\n' "$input" | BELAY_STATUSLINE=$here "$root/bin/belay-statusline" 2>/dev/null)
if [ -n "$out" ]; then
  printf '%s\\n' "$out"
elif [ -r "$here/theirs" ]; then
  printf '%s\\n' "$input" | sh -c "$(cat "$here/theirs")"
fi
"""


class Place:
    """The wrapper's files: the client's settings and their backup, and our folder with the shim."""

    __slots__ = ("backup", "folder", "record", "root", "settings", "shim", "theirs")

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.settings = os.path.realpath(os.path.join(paths.client_dir(environ), "settings.json"))
        self.backup = self.settings + ".belay-backup"
        self.folder = os.path.join(paths.data_home(environ), "statusline")
        self.shim = os.path.join(self.folder, "shim")
        self.root = os.path.join(self.folder, "root")
        self.theirs = os.path.join(self.folder, "theirs")
        self.record = os.path.join(self.folder, "installed.json")

    @property
    def command(self) -> str:
        """The command that the client's settings name."""
        import shlex

        return shlex.quote(self.shim)


def install(environ: Mapping[str, str]) -> list[str]:
    """Put the shim before the user's status line, with a backup; return what was done, a line each."""
    place = Place(environ)
    before = _read(place.settings)
    old = _value(before, place)
    _refresh(place)
    if _command(old) == place.command:
        return [f"{place.settings} runs Belay's status line already."]
    command = _command(old)
    _keep(place, before, command)
    after = _with(before, old, place.command)
    files.write(place.settings, after)
    existed = os.path.exists(place.backup)
    files.write(place.record, json_codec.encode({"crc": zlib.crc32(after), "existed": existed}))
    kept = f"Your own line stays and comes first: {command}" if command else "There was no status line before."
    saved = [f"The file as it was: {place.backup}"] if existed else []
    return [f"{place.settings} now runs {place.command}.", kept, *saved]


def uninstall(environ: Mapping[str, str]) -> list[str]:
    """Restore what was there before: the complete file if nobody changed it since, else that one key."""
    place = Place(environ)
    if not os.path.isfile(place.record):
        return ["Belay's status line is not installed; nothing was changed."]
    now = _read(place.settings)
    done = _restore(place, now)
    for path in (place.shim, place.root, place.theirs, place.record, place.backup):
        if os.path.lexists(path):
            os.unlink(path)
    return [done]


def refresh(environ: Mapping[str, str]) -> None:
    """Write the plugin's present folder for an installed shim; costs one look-up where none is installed."""
    place = Place(environ)
    if os.path.isfile(place.record) and files.read(place.root) != _root_line():
        files.write(place.root, _root_line(), sync=False)


def run_user_command(folder: str, raw: bytes, patience: float = PATIENCE) -> bytes:
    """Return what the user's own command prints for the status JSON, nothing if it takes too long."""
    command = files.read(os.path.join(folder, "theirs")).decode("utf-8", "surrogateescape")
    if not command.strip():
        return b""
    import subprocess

    process = subprocess.Popen(
        ["sh", "-c", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        printed = process.communicate(raw, timeout=patience)[0]
    except subprocess.TimeoutExpired:
        _end(process.pid)
        return b""
    return printed.rstrip(b"\n") + b"\n" if printed.strip() else b""


def _end(pid: int) -> None:
    import signal

    try:
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)
    except OSError:
        pass


def _refresh(place: Place) -> None:
    files.write(place.root, _root_line())
    files.write(place.shim, SHIM.encode())
    os.chmod(place.shim, 0o755)


def _root_line() -> bytes:
    return os.fsencode(paths.PLUGIN_ROOT) + b"\n"


def _keep(place: Place, before: bytes | None, command: str) -> None:
    for path in (place.theirs, place.backup):
        if os.path.lexists(path):
            os.unlink(path)
    if command:
        files.write(place.theirs, command.encode("utf-8", "surrogateescape"))
    if before is not None:
        # The settings may hold keys: the copy gets their mode before it gets their content.
        files.create(place.backup, os.stat(place.settings).st_mode & 0o777, new=True)
        files.write(place.backup, before)


def _read(path: str) -> bytes | None:
    if not os.path.lexists(path):
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise BadInput(path, error.strerror or "cannot be read", "check its permissions") from error


def _value(data: bytes | None, place: Place) -> object:
    from belay.core.text import json_edit

    try:
        return json_edit.get((data or b"{}").decode("utf-8"), KEY)
    except ValueError as error:
        raise BadInput(place.settings, "is not a JSON object", "fix it first; nothing was changed") from error


def _command(value: object) -> str:
    command = value.get("command") if isinstance(value, dict) else None
    return command if isinstance(command, str) else ""


def _with(before: bytes | None, old: object, command: str) -> bytes:
    """Return the settings with our command in the status line and every other byte as it was."""
    from belay.core.text import json_edit

    kept: dict[str, object] = old if isinstance(old, dict) else {}
    text = (before or b"").decode("utf-8")
    return json_edit.put(text, KEY, {"type": "command", **kept, "command": command}).encode("utf-8")


def _restore(place: Place, now: bytes | None) -> str:
    from belay.core.text import json_edit

    record = json_codec.loads(files.read(place.record).decode("utf-8", "replace") or "{}")
    record = record if isinstance(record, dict) else {}
    if now is None or _command(_value(now, place)) != place.command:
        return f"{place.settings} names another status line by now; it was left as it is."
    if record.get("crc") == zlib.crc32(now):
        return _whole(place, bool(record.get("existed")))
    before = files.load(place.backup).decode("utf-8", "replace")
    files.write(place.settings, json_edit.put_back(now.decode("utf-8"), KEY, before).encode("utf-8"))
    return f"{place.settings}: the status line is as it was; what else changed since was kept."


def _whole(place: Place, existed: bool) -> str:
    if existed:
        files.write(place.settings, files.load(place.backup))
    else:
        os.unlink(place.settings)
    return f"{place.settings} is as it was before."
