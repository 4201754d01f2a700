"""Find what a memory waits for and what is there by now: a key in .env, a file, a dependency, a merged branch, a tag.

Of .env files only key names are read, never values.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from belay.core import files as core_files
from belay.core.constants import FILE_BYTES
from belay.memory.drift import awaited_versions
from belay.memory.drift.awaited_versions import Cause
from belay.memory.drift.changes import parse_midnight
from belay.repository.git import history
from belay.repository.manifests import env_keys as manifests_env_keys
from belay.repository.manifests import known_packages

if TYPE_CHECKING:
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import Conflict, DependencyChange
    from belay.memory.memory_facts import Facts

_WAITS = re.compile(r"\b(?:blocked|blocking|waiting|waits|awaiting|pending|until|needs?|missing)\b", re.IGNORECASE)
_SAMPLE = ("example", "sample", "template", "dist", "defaults", "schema")
_KEY = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_SECRET = re.compile(
    r"((?:[\w.-]+ ){0,3}?)\b(api[ -]?keys?"
    r"|(?:api|access|webhook|client|signing|secret|auth)[ -](?:keys?|tokens?|secrets?)"
    r"|keys?|tokens?|secrets?|credentials|password|dsn)\b(?: (?:for|from|of) (?:the )?([\w.-]+))?",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    "the a an our my for on to of from waiting waits awaiting blocked blocking pending until need needs missing new "
    "get getting have has no real valid by and is still with".split()
)
_STAGES = {"production": "prod", "prod": "prod", "live": "live", "staging": "stag"}
_PULL = re.compile(r"(?:PR|MR|pull request|merge request)?\s*[#!](\d{1,7})\b", re.IGNORECASE)
_MERGED = re.compile(r"^Merge (?:pull request #(\d+) from [^/\s]+/(\S+)|(?:remote-tracking )?branch '([^']+)')")
_SQUASHED = re.compile(r"\((?:#|!)(\d+)\)$")

TEXT_CHARS = 500
"""Characters of one text of the memory that are looked at."""
TEXTS = 200
"""Texts that are looked at."""


def find_conflicts(
    look: Comparison, deltas: list[DependencyChange], packages: dict[str, dict[str, str]]
) -> list[Conflict]:
    """Return a conflict for each open blocker whose cause is there now, at most one a line.

    `packages` is manifest → dependencies now, `deltas` what changed in them since.
    """
    keys = read_env_keys(look)
    conflicts = []
    for line, text in _find_waiting_texts(look.facts):
        cause = (
            _find_key(look, keys, text)
            or _find_added_file(look, line)
            or _find_package(deltas, packages, text)
            or _find_merge(look, text)
        )
        if cause:
            conflicts.append(_build_conflict(line, text, cause))
    return conflicts


def read_env_keys(look: Comparison) -> dict[str, list[str]]:
    """Return key → .env files of the root in which it has a value; samples do not count."""
    files_by_key: dict[str, list[str]] = {}
    for name in _list_env_files(look.project.root):
        body = core_files.read(look.project.at(name), FILE_BYTES).decode("utf-8", "replace")
        for key in manifests_env_keys.keys(body, filled=True):
            files_by_key.setdefault(key, []).append(name)
    return files_by_key


def _list_env_files(root: str) -> list[str]:
    try:
        names = [name for name in os.listdir(root) if name == ".env" or name.startswith(".env.")]
    except OSError:
        return []
    plain = [name for name in names if not any(word in name.lower() for word in _SAMPLE)]
    return sorted(
        name
        for name in plain
        if os.path.isfile(os.path.join(root, name)) and not os.path.islink(os.path.join(root, name))
    )


def _find_waiting_texts(facts: Facts) -> list[tuple[int, str]]:
    """Return (line, text) of the open blockers, and of what else says that it waits."""
    rows = [(row["line"], row["text"]) for row in facts.get("blockers") or [] if not row["resolved"]]
    others = [(row["line"], row["text"]) for row in facts.get("active") or [] if not row["done"]]
    others.append((facts.get("left_lines", {}).get("status", 0), facts.get("left", {}).get("status", "")))
    known_lines = {line for line, _ in rows}
    rows += [row for row in others if row[0] and row[0] not in known_lines and _WAITS.search(row[1][:TEXT_CHARS])]
    return [(line, text[:TEXT_CHARS]) for line, text in rows[:TEXTS]]


def _find_key(look: Comparison, keys: dict[str, list[str]], text: str) -> Cause | None:
    for name in _KEY.findall(text):
        if name in keys:
            return keys[name][0], f"{keys[name][0]}: {name} is set"
    for before, what, vendor in _SECRET.findall(text):
        words = [word.lower().strip(".") for word in (*before.split(), vendor) if word]
        named = [word for word in words if word not in _FILLERS]
        fits = [key for key in keys if _is_key_for(key, what.lower(), named, keys[key])]
        if len(fits) == 1 or (fits and named):
            file = keys[fits[0]][0]
            return (file, f"{file}: {fits[0]} is set") if _is_newer(look, file) else None
    return None


def _is_key_for(key: str, what: str, named: list[str], files: list[str]) -> bool:
    """Whether a key fits a text such as "the Stripe API key"; a stage must be in the name of the key or the file."""
    parts, nouns = set(key.lower().split("_")), [word.rstrip("s") for word in what.replace("-", " ").split()]
    kinds = {"key", "token", "secret", "password"} if nouns[-1] == "credential" else {nouns[-1]}
    stages = [stage for word, stage in _STAGES.items() if word in named]
    vendors = [word for word in named if word not in _STAGES and len(word) > 2]
    whole = f"{key} {' '.join(files)}".lower()
    if not parts & kinds or any(stage not in whole for stage in stages):
        return False
    joined = key.lower().replace("_", "")
    if vendors:
        return any(vendor.replace("-", "").replace(".", "") in joined for vendor in vendors)
    return set(nouns[:-1]) <= parts and len(parts) <= len(nouns) + 1 if len(nouns) > 1 else False


def _is_newer(look: Comparison, name: str) -> bool:
    """Whether a file was written on the memory's day or later: an older file is not what the memory waits for."""
    try:
        moment = os.stat(look.project.at(name)).st_mtime
    except OSError:
        return False
    return moment >= parse_midnight(look.day)


def _find_added_file(look: Comparison, line: int) -> Cause | None:
    """Return a file that the line names and that was added since."""
    added = {file.path for file in history.sum_changes(look.commits) if file.status == "A"}
    for ref in look.facts["refs"]:
        if ref["line"] == line and ref["path"] in added and look.path_exists(ref["path"]):
            return ref["path"], f"{ref['path']}: added since"
    return None


def _find_package(deltas: list[DependencyChange], packages: dict[str, dict[str, str]], text: str) -> Cause | None:
    for row in deltas:
        for name in row["added"]:
            if _mentions(text, name) and not awaited_versions.names_version(text, name):
                return row["manifest"], f"{row['manifest']}: {awaited_versions.shortest_name(name)} was added"
    return awaited_versions.find_package(text, packages, deltas)


def _mentions(text: str, package: str) -> bool:
    names = {package, known_packages.called(package), package.rpartition(":")[2]} - {""}
    return any(
        len(name) > 2
        and name.lower() in text.lower()
        and re.search(rf"(?<![\w/@-]){re.escape(name)}(?![\w/-])", text, re.IGNORECASE)
        for name in names
    )


def _find_merge(look: Comparison, text: str) -> Cause | None:
    pulls = set(_PULL.findall(text))
    for commit in look.commits + [seen for seen in look.seen if len(seen.parents) > 1]:
        merged, squashed = _MERGED.match(commit.subject), _SQUASHED.search(commit.subject)
        number = (merged[1] if merged else "") or (squashed[1] if squashed else "")
        branch = ((merged[2] or merged[3]) if merged else "") or ""
        if number and number in pulls:
            return "", f"{commit.sha[:9]}: #{number} was merged"
        if branch and re.search(rf"(?<![\w/.-]){re.escape(branch)}(?![\w/-])", text) and _is_name(branch, text):
            return "", f"{commit.sha[:9]}: {branch} was merged"
    return awaited_versions.find_release(look, text)


def _is_name(branch: str, text: str) -> bool:
    """Whether a branch's name can be no plain word: it has a mark in it or is written as code."""
    return any(mark in branch for mark in "/-_0123456789") or f"`{branch}`" in text


def _build_conflict(line: int, text: str, cause: Cause) -> Conflict:
    return {
        "kind": "unblocked", "line": line, "also": [], "claim": text[:200], "path": cause[0], "evidence": cause[1],
        "repair": None, "ask": f"Is line {line} still blocked?",
    }  # fmt: skip
