"""The client's settings on the model and on compaction, read from the files of the user and of the project."""

from __future__ import annotations

import os

from belay.core import files, json_codec, paths
from belay.core.constants import FILE_BYTES
from belay.core.json_codec import fields_of, text_or_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    class SettingsFields(TypedDict, total=False):
        """The keys of a settings file that Belay reads."""

        autoCompactEnabled: object
        autoMemoryEnabled: object
        claudeMdExcludes: object
        env: object
        permissions: object
        autoCompactWindow: object
        model: object
        modelSettings: object

    class StateFields(TypedDict, total=False):
        """The keys of the client's own state file, and of a project in it, that Belay reads."""

        disabledMcpServers: object
        mcpServers: object
        projects: object


SERVER, TOOLS = "plugin:belay:memory", "mcp__plugin_belay_memory"
"""What the client calls Belay's MCP server, and its tools (HOST §2.3)."""
_STATE_BYTES = 32 * 1024 * 1024
"""The state file holds every project that the client ever saw."""
_NO_INSTRUCTIONS = "CLAUDE_CODE_DISABLE_CLAUDE_MDS"
_NO_NATIVE_MEMORY = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
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
    fields: SettingsFields = {}
    if any(mark in _read(_find_state(environ)) for mark in _GLOBALLY_OFF):
        fields["autoCompactEnabled"] = False
    for path in _list_paths(environ, root):
        data = _read(path)
        if any(mark in data for mark in _MARKS):  # most settings say nothing of it and are not parsed
            fields.update(_parse(data))
    return ClientSettings(fields)


def _list_paths(environ: Mapping[str, str], root: str) -> list[str]:
    """Return the settings files of the user and of a project, the one that counts most last."""
    own = [os.path.join(root, ".claude", name) for name in ("settings.json", "settings.local.json")] if root else []
    return [os.path.join(paths.client_dir(environ), "settings.json"), *own]


def _find_state(environ: Mapping[str, str]) -> str:
    """Return the file in which the client keeps its own state."""
    folder = paths.client_dir(environ) if environ.get("CLAUDE_CONFIG_DIR") else paths.home_dir(environ)
    return os.path.join(folder, ".claude.json")


def _parse(data: bytes) -> SettingsFields:
    try:
        fields: SettingsFields = fields_of(json_codec.loads(data.decode("utf-8", "replace")))
    except ValueError:
        return {}
    return fields


def _read(path: str) -> bytes:
    return files.read(path, FILE_BYTES) if os.path.isfile(path) else b""


class Server:
    """An MCP server of a project whose program, or the script that it is given, is `missing`."""

    __slots__ = ("missing", "name")

    def __init__(self, name: str, missing: str) -> None:
        self.name, self.missing = name, missing


def list_server_blocks(environ: Mapping[str, str], root: str) -> list[tuple[str, str, str]]:
    """Return (file, what, mend) of each choice of the user that keeps Claude from Belay's MCP server."""
    blocks = []
    state = _find_state(environ)
    if SERVER in _texts_of(_project_state(state, root).get("disabledMcpServers")):
        blocks.append((state, "it is switched off for this project", "switch it on with /mcp in Claude Code"))
    for path in _list_paths(environ, root):
        denied = _texts_of(fields_of(_parse(_read(path)).get("permissions")).get("deny"))
        rule = next((one for one in denied if one in (TOOLS, TOOLS + "__*")), "")
        if rule:
            blocks.append((path, f"permissions.deny takes its tools away (“{rule}”)", "take that out to have them"))
    return blocks


def list_missing_servers(environ: Mapping[str, str], root: str) -> list[Server]:
    """Return the MCP servers that are listed for a project and whose program is named by a path that is not there."""
    state = _find_state(environ)
    listed: dict[str, object] = {}
    for fields in (_parse_state(state), _parse_state(os.path.join(root, ".mcp.json")), _project_state(state, root)):
        listed.update(servers_of(fields))
    found = ((name, _find_missing(fields_of(server))) for name, server in listed.items())
    return [Server(name, missing) for name, missing in found if missing]


def servers_of(fields: Mapping[str, object]) -> dict[str, object]:
    """Return the MCP servers that a file of the client declares, or a project in its state file, by name."""
    found: dict[str, object] = fields_of(fields.get("mcpServers"))
    return found


def _find_missing(server: dict[str, object]) -> str:
    """Return the absolute path of a server's program or of the script behind it that is no file, "" for none."""
    command, args = text_or_empty(server.get("command")), _texts_of(server.get("args"))
    scripts = [one for one in args[:1] if one.endswith((".py", ".js", ".mjs", ".ts", ".sh"))]
    return next((path for path in (command, *scripts) if os.path.isabs(path) and not os.path.exists(path)), "")


def find_instructions_switch(environ: Mapping[str, str], root: str) -> str:
    """Return what switches every CLAUDE.md off: the variable, or the settings file that sets it; "" for nothing."""
    if environ.get(_NO_INSTRUCTIONS, "0") not in ("", "0", "false"):
        return _NO_INSTRUCTIONS
    for path in _list_paths(environ, root):
        value = fields_of(_parse(_read(path)).get("env")).get(_NO_INSTRUCTIONS, "0")
        if str(value).lower() not in ("", "0", "false"):
            return path
    return ""


def find_native_memory_switch(environ: Mapping[str, str], root: str) -> str:
    """Return what switches the client's own memory off: the variable, or the settings file; "" for nothing."""
    if environ.get(_NO_NATIVE_MEMORY, "0") not in ("", "0", "false"):
        return _NO_NATIVE_MEMORY
    given = {path: _parse(_read(path)).get("autoMemoryEnabled") for path in _list_paths(environ, root)}
    last = [path for path, value in given.items() if value is not None][-1:]
    return last[0] if last and given[last[0]] is False else ""


def find_exclusion(environ: Mapping[str, str], root: str, path: str) -> str:
    """Return the settings file that excludes a CLAUDE.md by its absolute path, "" for none.

    Where a pattern takes others back ("!…"), nothing is claimed.
    """
    for name in _list_paths(environ, root):
        patterns = _texts_of(_parse(_read(name)).get("claudeMdExcludes"))
        if any(one.startswith("!") for one in patterns):
            return ""
        if any(_matches(one, path) for one in patterns):
            return name
    return ""


def _matches(pattern: str, path: str) -> bool:
    """Whether a glob names a path: `**` goes through folders, `*` and `?` do not."""
    import re

    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return (
        re.fullmatch("".join(signs.get(part, re.escape(part)) for part in parts), path.replace(os.sep, "/")) is not None
    )


def _project_state(state: str, root: str) -> StateFields:
    found: StateFields = fields_of(fields_of(_parse_state(state).get("projects")).get(root))
    return found


def _parse_state(path: str) -> StateFields:
    data = files.read(path, _STATE_BYTES) if os.path.isfile(path) else b""
    try:
        found: StateFields = fields_of(json_codec.loads(data.decode("utf-8", "replace"))) if data else {}
    except ValueError:
        return {}
    return found


def _texts_of(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
