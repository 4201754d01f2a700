"""What a cleanup sees and leaves to the user: settings, hooks and programs of earlier tools (seed 001)."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from typing import Any

from belay.client.settings_files import servers_of
from belay.core import files, paths
from belay.core.paths import Project
from belay.setup.cleanup.places import LEGACY, is_plain

CONFIG_BYTES = 32 * 1024 * 1024
"""The client's own ~/.claude.json grows with use; above this it is not a settings file."""
HOOK = "session-start.sh"
SERVER = "vibe-memory"

Report = dict[str, str]


def reports(project: Project, environ: Mapping[str, str]) -> list[Report]:
    """Return {where, what, mend} for each thing found; nothing is changed and no value is quoted."""
    found = [*_leftover(project), *_servers(project, environ), *_hooks(project, environ), *_programs(environ)]
    return found + list(_variables(environ))


def _report(where: str, what: str, mend: str) -> Report:
    return {"where": where, "what": what, "mend": mend}


def _leftover(project: Project) -> Iterator[Report]:
    if os.path.lexists(project.at(".claude", "mcp.json")):
        yield _report(
            ".claude/mcp.json",
            "the client does not read this file",
            "move what you need to .mcp.json, then remove it",
        )


def _servers(project: Project, environ: Mapping[str, str]) -> Iterator[Report]:
    for path in (project.at(".mcp.json"), *_client_files(environ), *_settings(project, environ)):
        for where in _declared(_load(path), project):
            yield _report(path, f"declares the {SERVER} server{where}", "remove it there; Belay needs no such server")


def _declared(config: dict[str, Any], project: Project) -> Iterator[str]:
    if any(map(_is_old_server, servers_of(config).items())):
        yield ""
    for root in {project.root, project.home}:
        entry = _table(config, "projects").get(root)
        if isinstance(entry, dict) and any(map(_is_old_server, servers_of(entry).items())):
            yield " for this project"


def _is_old_server(entry: tuple[str, Any]) -> bool:
    name, server = entry
    called = [server.get("command"), *_list(server.get("args"))] if isinstance(server, dict) else []
    return SERVER in name or any(SERVER in str(word) for word in called)


def _hooks(project: Project, environ: Mapping[str, str]) -> Iterator[Report]:
    if os.path.lexists(project.at(".claude", "hooks", HOOK)):
        yield _report(f".claude/hooks/{HOOK}", "an earlier tool's hook script", "remove it once no settings name it")
    for path in _settings(project, environ):
        events = [event for event, entries in _table(_load(path), "hooks").items() if _calls_old(entries)]
        for event in events:
            yield _report(path, f"runs an earlier tool at {event}", "remove that hook, or both will answer")


def _calls_old(entries: object) -> bool:
    hooks = [hook for entry in _list(entries) if isinstance(entry, dict) for hook in _list(entry.get("hooks"))]
    commands = [str(hook.get("command", "")) for hook in hooks if isinstance(hook, dict)]
    return any(HOOK in command or command.split(" ")[0].rpartition("/")[2] == "workshop" for command in commands)


def _programs(environ: Mapping[str, str]) -> Iterator[Report]:
    found = shutil.which("workshop", path=environ.get("PATH", ""))
    if found and not os.path.realpath(found).startswith(paths.PLUGIN_ROOT + os.sep):
        yield _report(found, "the Workshop program writes .workshop/ again when it runs", "uninstall it if unused")


def _variables(environ: Mapping[str, str]) -> Iterator[Report]:
    for name in ("WORKSHOP_DB", "WORKSHOP_ROOT"):
        value = environ.get(name, "")
        if value and any(f"{os.sep}{folder}" in value for folder in LEGACY):
            yield _report(f"${name}", "points into a folder that a cleanup empties", "unset it")


def _client_files(environ: Mapping[str, str]) -> list[str]:
    """Return where the client may keep its own state: beside the home, or in the folder that replaces it."""
    return sorted({os.path.join(base, ".claude.json") for base in (paths.home_dir(environ), paths.client_dir(environ))})


def _settings(project: Project, environ: Mapping[str, str]) -> list[str]:
    own = [project.at(".claude", name) for name in ("settings.json", "settings.local.json")]
    return [*own, os.path.join(paths.client_dir(environ), "settings.json")]


def _load(path: str) -> dict[str, Any]:
    if not is_plain(os.path.realpath(path)) or os.path.getsize(path) > CONFIG_BYTES:
        return {}
    try:
        found = json.loads(files.read(path))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _table(config: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = config.get(key)
    return found if isinstance(found, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
