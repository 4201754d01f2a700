"""Settings: YAML that a person writes, compiled to JSON so that no hook parses YAML."""

from __future__ import annotations

import os

from belay.core import files as core_files
from belay.core import json_codec, paths, signatures
from belay.core.constants import FILE_BYTES, INJECT_TOKENS, MEMORY_COMPRESS, MEMORY_SUGGEST, RETENTION_DAYS, THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypedDict

    class Settings(TypedDict):
        """Every setting; `absolute` holds token counts at which a notice comes besides the percentages."""

        thresholds: list[int]
        absolute: list[int]
        retention_days: int
        sentinel: str
        capture: bool
        notices: bool
        ask: bool
        memory_suggest: int
        memory_compress: int
        reprint_claude_md: bool
        share: list[str]
        index: bool
        search_sessions: bool
        workspace: bool
        evidence: bool
        tier1_tokens: int
        tier1_lines: int
        tier1_kilobytes: int
        tier2_tokens: int
        tier3_megabytes: int
        tier4_megabytes: int
        vectors: str
        qdrant: str
        qdrant_project: str
        qdrant_person: str
        search_shared: bool

    class Compiled(TypedDict, total=False):
        """The compiled file: settings, the files they came from with their times, this user's mark."""

        mark: str
        settings: dict[str, object]
        sources: dict[str, float]


OFF, ADVISE, ENFORCE = "off", "advise", "enforce"
"""Modes of the sentinel."""

DEFAULTS: Settings = {
    "thresholds": list(THRESHOLDS),
    "absolute": [],
    "retention_days": RETENTION_DAYS,
    "sentinel": OFF,
    "capture": True,
    "notices": True,
    "ask": True,
    "memory_suggest": MEMORY_SUGGEST,
    "memory_compress": MEMORY_COMPRESS,
    "reprint_claude_md": False,
    "share": [],
    "index": True,
    "search_sessions": True,
    "workspace": True,
    "evidence": True,
    "tier1_tokens": INJECT_TOKENS,
    "tier1_lines": 200,
    "tier1_kilobytes": 25,
    "tier2_tokens": 1500,
    "tier3_megabytes": 100,
    "tier4_megabytes": 10,
    "vectors": "intfloat/e5-small-v2",
    "qdrant": "",
    "qdrant_project": "",
    "qdrant_person": "",
    "search_shared": False,
}
WORDS = {"share": ("memory", "lessons")}
"""Settings that are lists of words, and the words."""
CHOICES = {"sentinel": (OFF, ADVISE, ENFORCE)}
"""Settings that are one of some words; YAML reads a bare `off` as false."""
NAME_CHARS = 300
"""Characters of a setting that is a name."""
HARMLESS = ("thresholds", "absolute")
"""What a project's file may set though it came with a clone: nothing that keeps less."""


def load_settings(project: paths.Project, environ: Mapping[str, str]) -> Settings:
    """Return the compiled settings over the defaults; what is missing or of the wrong type is the default."""
    settings: Any = {**DEFAULTS, **_keep_valid(_load_compiled(project, environ).get("settings"))}
    return settings  # type: ignore[no-any-return]


def is_stale(project: paths.Project, environ: Mapping[str, str]) -> bool:
    """Whether a settings file changed since it was compiled."""
    return _load_compiled(project, environ).get("sources", {}) != find_sources(project, environ)


def find_sources(project: paths.Project, environ: Mapping[str, str]) -> dict[str, float]:
    """Return the settings files that exist, the user's first, with their times."""
    existing = [path for path in (paths.user_settings(environ), project.settings) if os.path.isfile(path)]
    return {path: os.stat(path).st_mtime for path in existing}


def compile_settings(project: paths.Project, environ: Mapping[str, str], accepted: bool = True) -> list[str]:
    """Compile the settings to JSON; return one line for each that was left out (see `resolve_settings`)."""
    settings, wrong = resolve_settings(project, environ, accepted)
    compiled: Compiled = {
        "sources": find_sources(project, environ), "settings": settings, "mark": _mark(project, environ),
    }  # fmt: skip
    core_files.write(project.settings_compiled, json_codec.encode(compiled), sync=False)
    return wrong


def resolve_settings(
    project: paths.Project, environ: Mapping[str, str], accepted: bool
) -> tuple[dict[str, object], list[str]]:
    """Return the user's settings with the project's over them, and one line for each that is left out.

    A project's file may have come with a clone: unless it is `accepted`, only its harmless settings count
    (docs/trust.md).
    """
    settings: dict[str, object] = {}
    wrong: list[str] = []
    for path in find_sources(project, environ):
        rows, why = _parse(path)
        valid = _keep_valid(rows)
        wrong += [f"{path}: {why}"] if why else []
        wrong += [f"{path}: {key} is not a setting" for key in rows if key not in valid]
        if path == project.settings and not accepted:
            from belay.core.errors import mend_foreign

            foreign = [key for key in valid if key not in HARMLESS]
            wrong += [f"{path}: {key} came with the repository; {mend_foreign(path)}" for key in foreign]
            valid = {key: value for key, value in valid.items() if key in HARMLESS}
        settings.update(valid)
    return settings, wrong


def _parse(path: str) -> tuple[dict[object, object], str]:
    import yaml

    try:
        rows = yaml.safe_load(core_files.read(path))
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # a date such as 2001-99-99 is a ValueError
        return {}, " ".join(str(error).split())
    if isinstance(rows, dict):
        return rows, ""
    return {}, "" if rows is None else "is not a table of settings"


def _keep_valid(rows: object) -> dict[str, object]:
    defaults: Mapping[str, object] = DEFAULTS
    pairs = rows.items() if isinstance(rows, dict) else ()
    named = ((key, OFF if key in CHOICES and value is False else value) for key, value in pairs)
    return {key: value for key, value in named if key in defaults and _is_valid(key, value, defaults[key])}


def _is_valid(key: str, value: object, default: object) -> bool:
    if key in CHOICES:
        return value in CHOICES[key]
    if key in WORDS:
        return isinstance(value, list) and all(word in WORDS[key] for word in value)
    return _is_same_kind(value, default)


def _is_same_kind(value: object, default: object) -> bool:
    if isinstance(default, list):
        return isinstance(value, list) and all(type(item) is int and item > 0 for item in value)
    if isinstance(default, str):
        return isinstance(value, str) and value.isprintable() and 0 < len(value) <= NAME_CHARS
    return type(value) is type(default) and (value is True or value is False or value > 0)  # type: ignore[operator]


def _load_compiled(project: paths.Project, environ: Mapping[str, str]) -> Compiled:
    """Return what was compiled here, {} where nothing was: a file that came with a clone has no mark of this user."""
    try:
        compiled: Any = json_codec.loads(
            core_files.read(project.settings_compiled, FILE_BYTES).decode("utf-8", "replace")
        )
    except ValueError:
        return {}
    mark = compiled.get("mark") if isinstance(compiled, dict) else ""
    return compiled if mark and mark == _mark(project, environ) else {}


def _mark(project: paths.Project, environ: Mapping[str, str]) -> str:
    return signatures.sign_name(environ, "settings " + project.store)
