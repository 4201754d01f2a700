"""Find versions that a memory waits for and that are there by now: of a package, or of the project itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from belay.core.errors import BelayError
from belay.memory.drift.versions import PATTERN, Version, parse_lowest, parse_version
from belay.repository.git import history
from belay.repository.manifests import known_packages

if TYPE_CHECKING:
    from belay.memory.drift.changes import Comparison
    from belay.memory.drift.diff_types import DependencyChange

Cause = tuple[str, str]
"""(path or "", evidence)"""
_BETWEEN = r"[`*\"]*(?:\s+(?:version|release|to|at|in|is|>=|≥|[@=]))*[\s@]+(?:version\s+)?[`\"]?"
"""What may stand between a package's name and its version."""
_GENERIC = frozenset("api app cli client common config core node plugin plugins sdk server types utils".split())
"""Last parts of package names that say nothing without what is before them."""
_COUNTED = (
    r"(?!\d)(?!\s*(?:%|k\b|ms\b|s\b|more\b|(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|sessions?|steps?|items?"
    r"|times|tests?|files?|lines?|people|users?|percent)\b))"
)
"""What stands behind a number that is no version."""
_BEFORE = r"(?:^|\b(?:the|our|a|an|next|new|for|until|till|after|on|with|of|in|release|version|tag|tagged)\s+|[:(]\s*)"
_RELEASE = re.compile(
    rf"{_BEFORE}[`\"]?{PATTERN}[`\"]?\s+(?:release|tag)\b(?!\s+of\b)"
    rf"|\b(?:release|releasing|tag|tagging|publish|ship)\s+(?:of\s+)?(?:version\s+)?[`\"]?{PATTERN}",
    re.IGNORECASE,
)
"""A version of the project itself: no other name stands beside it."""


def find_package(text: str, packages: dict[str, dict[str, str]], deltas: list[DependencyChange]) -> Cause | None:
    """Return the package that a text names with a version, where every manifest reached it and one did so since.

    `packages` is manifest → dependencies now, `deltas` what changed in them since.
    """
    for row in deltas:
        for name in (*row["changed"], *row["added"]):
            wanted = _find_wanted(text, name)
            before = row["changed"][name][0] if name in row["changed"] else ""
            now = _find_lowest(name, packages) if wanted else None
            if wanted and now and now >= wanted and not _reaches(before, wanted):
                new = row["changed"][name][1] if before else row["added"][name]
                return row["manifest"], _format_rise(row["manifest"], name, before, new)
    return None


def _find_lowest(name: str, packages: dict[str, dict[str, str]]) -> Version | None:
    """Return the lowest version of a package in any manifest."""
    versions = [parse_lowest(rows[name]) for rows in packages.values() if name in rows]
    known = [version for version in versions if version]
    return min(known) if known and len(known) == len(versions) else None


def _reaches(constraint: str, wanted: Version) -> bool:
    version = parse_lowest(constraint)
    return version is not None and version >= wanted


def _find_wanted(text: str, package: str) -> Version | None:
    """Return the version that a text names with a package, None where it names none."""
    low = text.lower()
    for name in list_names(package):
        if name.lower() not in low:
            continue
        found = re.search(
            rf"(?<![\w/@.-]){re.escape(name)}(?![\w/]){_BETWEEN}({PATTERN}){_COUNTED}", text, re.IGNORECASE
        )
        behind = re.search(rf"(?<![\w.])({PATTERN})\s+of\s+[`\"]?{re.escape(name)}(?![\w/-])", text, re.IGNORECASE)
        match = found or behind
        if match:
            return parse_version(match[1])
    return None


def names_version(text: str, package: str) -> bool:
    """Whether a text names a version of a package."""
    return _find_wanted(text, package) is not None


def list_names(package: str) -> list[str]:
    """Return what a text may call a package: its own name, the known one, and the telling last part of the name."""
    bare = known_packages.without_major(package)
    parts = re.split(r"[/:]", bare)
    pair = "/".join(parts[-2:]) if "/" in bare else ""
    names = [package, bare, known_packages.called(package), pair, "" if parts[-1].lower() in _GENERIC else parts[-1]]
    return list(dict.fromkeys(name for name in names if len(name) > 2))


def shortest_name(package: str) -> str:
    """Return the name by which evidence calls a package."""
    return known_packages.called(package) or package[:60]


def _format_rise(manifest: str, name: str, before: str, new: str) -> str:
    rise = f"{before} → {new}" if before else f"{new} was added"
    return f"{manifest}: {shortest_name(name)} {rise}"


def find_release(look: Comparison, text: str) -> Cause | None:
    """Return the tag of the project's own release that a text waits for, or of a later one that was made since."""
    found = _RELEASE.search(text) if look.project.common_dir else None
    named = next((group for group in (found[1], found[4]) if group), "") if found else ""
    if not found or "." not in named:
        return None
    for tag in (named, f"v{named}"):
        if history.has_tag(look.project.common_dir, tag):
            return "", f"tag {tag}: is there"
    wanted, (before, now) = parse_version(named), _list_versions(look)
    reached = sorted(version for version in now if wanted and version >= wanted)
    known = any(wanted and version >= wanted for version in before)
    return ("", f"tag {now[reached[0]]}: is there") if reached and not known else None


def _list_versions(look: Comparison) -> tuple[dict[Version, str], dict[Version, str]]:
    """Return version → tag of the releases before the memory, and of all up to now."""
    try:
        root = look.project.root
        commits = (look.base, "HEAD") if look.base else ()
        before, now = [history.list_tags(root, commit) for commit in commits] or [[], []]
    except BelayError:
        return {}, {}
    return _parse_tags(before), _parse_tags(now)


def _parse_tags(tags: list[str]) -> dict[Version, str]:
    versions = {tag: parse_version(tag) for tag in tags if re.fullmatch(r"v?\d+(?:\.\d+)+", tag)}
    return {version: tag for tag, version in versions.items() if version}
