"""Folders whose CLAUDE.md files are not this project's: dependencies, submodules, build output, data of tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from belay.core.paths import leads_out
from belay.knowledge.documents.file_kinds import NEVER, OUTPUT
from belay.repository import file_places

if TYPE_CHECKING:
    from collections.abc import Collection

CONTAINERS = frozenset(
    "features feature modules module domains domain apps packages services service internal cmd pkg libs crates "
    "plugins workspaces projects contexts slices areas sections verticals bundles entities".split()
)
"""Folders that hold a feature in each folder below them."""
COPIED = frozenset("vendor third_party third-party thirdparty externals Carthage".split())
"""Folders of copied code, where they are at the top or beside a manifest: `src/features/vendor` is a feature."""
DATA = frozenset(
    "fixtures __fixtures__ fixture testdata test-data test_data __snapshots__ snapshots __mocks__ cassettes".split()
)
"""Folders of what tests read: a CLAUDE.md there is an example."""
MODELS = frozenset(
    "templates template memory-templates scaffolds scaffold scaffolding skeleton skeletons boilerplate".split()
)
"""Folders of files that are copied into other projects."""
MANIFESTS = (
    "package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml", "composer.json", "Gemfile", "pom.xml",
    "build.gradle", "build.gradle.kts", "mix.exs", "Package.swift", "deno.json",
)  # fmt: skip


def find_owner(root: str, path: str, names: Collection[str]) -> str:
    """Return whose a file is if it is not the project's own, in a few words; "" for the project's.

    `path` is from the root with forward slashes, `names` are the files of the project.
    """
    folders = path.split("/")[:-1]
    for depth, name in enumerate(folders):
        reason = _find_kind(name, "/".join(folders[:depth]), names)
        if reason:
            return reason
    if file_places.is_elsewhere(root, path):
        return "of another repository"
    return "of another project" if leads_out(root, os.path.join(root, path)) else ""


def _find_kind(name: str, above: str, names: Collection[str]) -> str:
    """Return what a folder that lies in another one holds, "" for the project's own files."""
    if name in NEVER or name.endswith((".egg-info", ".dist-info")):
        return "of a dependency"
    if name in DATA:
        return "data of tests"
    if name in MODELS and above.rpartition("/")[2] not in CONTAINERS:
        return "a template"
    if name in COPIED and _has_manifest(above, names):
        return "of a dependency"
    is_package = any(f"{above}/{name}/{manifest}".lstrip("/") in names for manifest in MANIFESTS)
    return "build output" if name in OUTPUT and _has_manifest(above, names) and not is_package else ""


def _has_manifest(folder: str, names: Collection[str]) -> bool:
    """Whether a folder is the top of a package; the project's root is one."""
    return not folder or any(f"{folder}/{manifest}" in names for manifest in MANIFESTS)
