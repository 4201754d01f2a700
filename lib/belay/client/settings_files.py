"""The client's settings on the model and on compaction, read from the files of the user and of the project."""

from __future__ import annotations

import os

from belay.client.event import fields_of, text_or_empty
from belay.core import files, json_codec, paths
from belay.core.constants import FILE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    class SettingsFields(TypedDict, total=False):
        """The keys of a settings file that Belay reads."""

        autoCompactEnabled: object
        autoCompactWindow: object
        model: object
        modelSettings: object


_MARKS = (b"utoCompact", b"[1m]")
_GLOBALLY_OFF = (b'"autoCompactEnabled":false', b'"autoCompactEnabled": false')


class ClientSettings:
    """Whether the client compacts, the `model` that was chosen, and the auto-compact window in general and by model.

    The windows are as they were written: numbers, or text such as "500k".
    """

    __slots__ = ("compacts", "model", "window", "windows")

    def __init__(self, fields: SettingsFields) -> None:
        self.compacts = fields.get("autoCompactEnabled") is not False
        self.model = text_or_empty(fields.get("model"))
        self.window = fields.get("autoCompactWindow")
        rows = fields_of(fields.get("modelSettings"))
        self.windows: dict[str, object] = {
            name: row.get("autoCompactWindow") for name, row in rows.items() if isinstance(row, dict)
        }


def load_settings(environ: Mapping[str, str], root: str) -> ClientSettings:
    """Return the settings for a project; of two files that set a key, the one nearer to the project counts."""
    home = paths.client_dir(environ)
    names = [os.path.join(home, "settings.json")]
    if root:
        names += [os.path.join(root, ".claude", name) for name in ("settings.json", "settings.local.json")]
    fields: SettingsFields = {}
    state = home if environ.get("CLAUDE_CONFIG_DIR") else paths.home_dir(environ)
    if any(mark in _read(os.path.join(state, ".claude.json")) for mark in _GLOBALLY_OFF):
        fields["autoCompactEnabled"] = False
    for path in names:
        data = _read(path)
        if any(mark in data for mark in _MARKS):  # most settings say nothing of it and are not parsed
            fields.update(_parse(data))
    return ClientSettings(fields)


def _parse(data: bytes) -> SettingsFields:
    try:
        fields: SettingsFields = fields_of(json_codec.loads(data.decode("utf-8", "replace")))
    except ValueError:
        return {}
    return fields


def _read(path: str) -> bytes:
    return files.read(path, FILE_BYTES) if os.path.isfile(path) else b""
