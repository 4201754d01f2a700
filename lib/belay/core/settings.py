"""Settings: YAML that a person writes, compiled to JSON so that no hook parses YAML."""

from __future__ import annotations

import os

from belay.core import files as core_files
from belay.core import json_codec, paths, signatures
from belay.core.constants import FILE_BYTES, MEMORY_COMPRESS, MEMORY_SUGGEST, RETENTION_DAYS, THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DEFAULTS: dict[str, Any] = {
    "thresholds": list(THRESHOLDS),
    "absolute": [],
    "retention_days": RETENTION_DAYS,
    "capture": True,
    "notices": True,
    "memory_suggest": MEMORY_SUGGEST,
    "memory_compress": MEMORY_COMPRESS,
    "reprint_claude_md": False,
    "index": True,
    "vectors": "intfloat/e5-small-v2",
    "qdrant": "",
    "qdrant_project": "",
}
"""Every setting with its default; `absolute` holds token counts at which a notice comes besides the percentages."""
NAME_CHARS = 300
"""Characters of a setting that is a name."""
HARMLESS = ("thresholds", "absolute")
"""What a project's file may set though it came with a clone: nothing that keeps less."""


def load(project: paths.Project, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the compiled settings over the defaults; what is missing or of the wrong type is the default."""
    return {**DEFAULTS, **_valid(_compiled(project, environ).get("settings"))}


def stale(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Whether a settings file changed since it was compiled."""
    return bool(_compiled(project, environ).get("sources", {}) != sources(project, environ))


def sources(project: paths.Project, environ: Mapping[str, str]) -> dict[str, float]:
    """Return the settings files that stand, the user's first, with their times."""
    found = [path for path in (paths.user_settings(environ), project.settings) if os.path.isfile(path)]
    return {path: os.stat(path).st_mtime for path in found}


def compile_settings(project: paths.Project, environ: Mapping[str, str], accepted: bool = True) -> list[str]:
    """Compile the settings to JSON; return one line for each that was left out (see `resolved`)."""
    settings, wrong = resolved(project, environ, accepted)
    files = sources(project, environ)
    compiled = {"sources": files, "settings": settings, "mark": _mark(project, environ)}
    core_files.write(project.settings_compiled, json_codec.encode(compiled), sync=False)
    return wrong


def resolved(
    project: paths.Project, environ: Mapping[str, str], accepted: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return the user's settings with the project's over them, and one line for each that is left out.

    Of a project's file that nobody here wrote or `accepted` only what can do no harm counts (docs/trust.md).
    """
    settings: dict[str, Any] = {}
    wrong: list[str] = []
    for path in sources(project, environ):
        found, why = _parse(path)
        valid = _valid(found)
        wrong += [f"{path}: {why}"] if why else []
        wrong += [f"{path}: {key} is not a setting" for key in found if key not in valid]
        if path == project.settings and not accepted:
            foreign = [key for key in valid if key not in HARMLESS]
            wrong += [f"{path}: {key} came with the repository: belay trust {path}" for key in foreign]
            valid = {key: value for key, value in valid.items() if key in HARMLESS}
        settings.update(valid)
    return settings, wrong


def _parse(path: str) -> tuple[dict[str, Any], str]:
    import yaml

    try:
        found = yaml.safe_load(core_files.read(path))
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date such as 2001-99-99 is a ValueError
        return {}, " ".join(str(error).split())
    return (
        (found, "")
        if isinstance(found, dict)
        else ({}, "" if found is None else "is not a table of settings")
    )


def _valid(found: object) -> dict[str, Any]:
    rows = found.items() if isinstance(found, dict) else ()
    return {key: value for key, value in rows if key in DEFAULTS and _same_kind(value, DEFAULTS[key])}


def _same_kind(value: object, default: object) -> bool:
    if isinstance(default, list):
        return isinstance(value, list) and all(type(item) is int and item > 0 for item in value)
    if isinstance(default, str):
        return isinstance(value, str) and value.isprintable() and 0 < len(value) <= NAME_CHARS
    return type(value) is type(default) and (value is True or value is False or value > 0)  # type: ignore[operator]


def _compiled(project: paths.Project, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return what was compiled here, {} where nothing was: a clone's own file carries no mark of this user."""
    try:
        found = json_codec.loads(
            core_files.read(project.settings_compiled, FILE_BYTES).decode("utf-8", "replace")
        )
    except ValueError:
        return {}
    told = found.get("mark") if isinstance(found, dict) else ""
    return found if told and told == _mark(project, environ) else {}


def _mark(project: paths.Project, environ: Mapping[str, str]) -> str:
    return signatures.of(environ, "settings " + project.store)
