"""Where the work of a project happens: files and folders by how often history changes them, and what they are for."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import NamedTuple

from belay.core.paths import inside
from belay.repository.survey import files, quotes

FILES = 10
FOLDERS = 10
_HEAD_BYTES = 6000
_LOCKS = (
    ".md", ".rst", ".adoc", ".txt", ".mdx",
    ".lock", "lock.json", "lock.yaml", "lockb", ".sum", "shrinkwrap.json", ".snap", ".map", ".min.js", ".min.css",
    ".svg", ".png", ".po", ".pot", ".mo", ".pb.go", "_pb2.py", ".generated.ts", ".csv", ".ico", ".gif", ".jpg",
)  # fmt: skip
_PASSED = re.compile(
    r"(?:^|/)(?:vendor|node_modules|third_party|dist|build|__snapshots__|locales?|translations?|i18n|l10n|generated"
    r"|migrations|examples?|samples?|demos?|testdata|fixtures|tests?|__tests__|spec|docs?|\.github|\.claude|\.memory|requirements)/"
    r"|(?:^|/)\.[^/]+/|(?:^|/)(?:changelog|changes|history|news|release[-_ ]?notes|readme|authors"
    r"|contributors|license|memory|copying|handoff|continuation|todo|lessons|version)[^/]*$|(?:^|/)\.[^/]+$|(?:[._]test|[._]spec|_test)\.\w+$|/test_[^/]*$",
    re.IGNORECASE,
)
_LICENSE = re.compile(
    r"copyright|licen[sc]e|spdx|all rights|permission is hereby|generated|eslint|-\*-|vim:|usr/bin|pragma"
    r"|module (?:dependencies|exports)|^imports?$",
    re.I,
)
_DOC = re.compile(r'^\s*[ru]?(?:"""|\'\'\')\s*(.*)', re.IGNORECASE)
_STOP = re.compile(r"(?<=[a-z\d)`])[.;:](?:\s|$)")
_C = ("//", "/*", "*")
_MARKS = {
    **dict.fromkeys(("js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "rs", "c", "h", "cc", "cpp", "java", "kt"), _C),
    **dict.fromkeys(("swift", "scala", "php", "cs", "dart"), _C),
    **dict.fromkeys(("sh", "rb", "pl", "r", "jl", "ex", "exs"), ("#",)), "lua": ("--",), "sql": ("--",), "el": (";",),
}  # fmt: skip
"""File name's end → what its comments begin with."""
_JS_NAME = re.compile(
    r"^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(class|interface|enum|type|function|const)\*? (\w+)",
    re.M,
)
_CLASS_NAME = re.compile(
    r"^(?:public |final |abstract |open |data )*(class|module|interface|object|struct) (\w+)", re.M
)
_DEFINES = {
    **dict.fromkeys(("py", "pyi"), re.compile(r"^(class|def|async def) (\w+)", re.M)),
    **dict.fromkeys(("js", "jsx", "ts", "tsx", "mjs"), _JS_NAME),
    "go": re.compile(r"^(type|func) ([A-Z]\w*)", re.M),
    "rs": re.compile(r"^pub(?:\([^)]*\))? (?:async )?(struct|enum|trait|fn) (\w+)", re.M),
    **dict.fromkeys(("rb", "java", "kt", "cs", "php", "swift"), _CLASS_NAME),
}  # fmt: skip
"""File name's end → (kind, name) of what is at the outermost level."""
_TYPES = ("class", "interface", "enum", "type", "struct", "trait", "module", "object")
_LANGUAGES = {
    "py": "Python", "js": "JavaScript", "jsx": "JavaScript", "mjs": "JavaScript", "ts": "TypeScript",
    "tsx": "TypeScript", "go": "Go", "rs": "Rust", "c": "C", "cc": "C++", "cpp": "C++", "java": "Java", "kt": "Kotlin",
    "rb": "Ruby", "php": "PHP", "cs": "C#", "swift": "Swift", "sh": "Shell", "ex": "Elixir", "scala": "Scala",
    "dart": "Dart", "lua": "Lua", "pl": "Perl", "hs": "Haskell", "zig": "Zig", "jl": "Julia", "r": "R", "vue": "Vue",
    "svelte": "Svelte",
}  # fmt: skip
_SHARE = 0.2
_OPENING = ("<?php", "#!", "'use strict'", '"use strict"', '"use client"', "# frozen", "//go:build")
_NAMED = {
    "package.json": "manifest: dependencies and scripts", "pyproject.toml": "manifest: dependencies and tools",
    "go.mod": "manifest: module and dependencies", "Cargo.toml": "manifest: crate and dependencies",
    "Gemfile": "manifest: dependencies", "composer.json": "manifest: dependencies", "pom.xml": "manifest: build",
    "Makefile": "build targets", "Dockerfile": "container image", "tsconfig.json": "TypeScript settings",
}  # fmt: skip
_PURPOSE_CHARS = 90
_GENERATED = re.compile(
    r"(?:^|\W)(?:@generated|do not (?:edit|modify)(?: (?:this file|manually|by hand))?[.!]?\s*(?:\*/|-->|$)"
    r"|(?:this file (?:is|was) )?(?:auto-?|automatically )?generated (?:by|from|with|using)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""How generators mark what they write, in its first lines."""


def languages(tracked: list[str]) -> list[str]:
    """Return the languages in which at least a fifth of the source files are written, the first one first."""
    ends = (path.rpartition(".")[2].lower() for path in tracked if "." in path)
    held = Counter(_LANGUAGES[end] for end in ends if end in _LANGUAGES)
    return [name for name, count in held.most_common(3) if count >= _SHARE * held.total()]


def is_code(path: str) -> bool:
    """Whether a path is a source file of a known language."""
    return path.rpartition(".")[2].lower() in _LANGUAGES


class Place(NamedTuple):
    """A folder with the number of its tracked files and of the commits' changes in it."""

    path: str
    files: int
    changes: int


def key_files(root: str, changes: dict[str, int], tracked: list[str], most: int = FILES) -> list[tuple[str, int]]:
    """Return (path, changes) of the most changed files that exist and that people write, the most changed first.

    Lock files, snapshots, translations, tests, docs, changelogs and vendored code change often and say little; so do
    a package's manifests beside the project's own.
    """
    standing = set(tracked)
    rows = (
        (path, count)
        for path, count in changes.items()
        if path in standing and is_written(path) and quotes.path(path) and files.is_file(root, path)
    )
    telling = (row for row in rows if not (_is_packages_own(row[0], standing) or _is_generated(root, row[0])))
    return [row for row, _ in zip(telling, range(most), strict=False)]


def _is_generated(root: str, path: str) -> bool:
    """Whether a file's first lines say that a program writes it."""
    return bool(_GENERATED.search("\n".join(files.text(root, path, _HEAD_BYTES).split("\n")[:12])))


def _is_packages_own(path: str, standing: set[str]) -> bool:
    """Whether a path is a package's manifest or the like and the project has one of that name itself."""
    folder, _, name = path.rpartition("/")
    return bool(folder) and name in _NAMED and name in standing


def stands(root: str, path: str) -> bool:
    """Whether a path that a memory names exists, or is none that can be looked up (a pattern, an address)."""
    if any(char in path for char in "*{<:~ ") or not re.search(r"[./]", path):
        return True
    full = inside(root, path.strip("/"))
    return not full or os.path.lexists(full)


def is_written(path: str) -> bool:
    """Whether a path looks like one that people write and others want to know."""
    return not path.lower().endswith(_LOCKS) and not _PASSED.search(path)


def folders(changes: dict[str, int], tracked: list[str], most: int = FOLDERS) -> list[Place]:
    """Return the folders, at most two levels deep, with most changes and files."""
    held = Counter(folder for path in tracked if (folder := _folder(path)))
    moved: Counter[str] = Counter()
    for path, count in changes.items():
        moved[_folder(path)] += count
    rows = [Place(name, held[name], moved[name]) for name in held if quotes.path(name)]
    return sorted(rows, key=lambda row: (-row.changes, -row.files, row.path))[:most]


def _folder(path: str) -> str:
    parts = path.split("/")[:-1]
    return "/".join(parts[:2])


def purpose(root: str, path: str) -> tuple[str, str]:
    """Return what a file is for and what says so: opening comment, name, or definitions; ("", "") if nothing."""
    text = files.text(root, path, _HEAD_BYTES)
    lines, end = text.split("\n")[:60], path.rpartition(".")[2]
    said = _docstring(lines) if end in ("py", "pyi") else _comment(lines, _MARKS.get(end, ()))
    first = quotes.line(_STOP.split(said, maxsplit=1)[0].strip(" .*=-#"), _PURPOSE_CHARS)
    if len(first.split()) >= 2 and not first.startswith("@"):
        return first, "its first comment"
    named = _NAMED.get(path.rpartition("/")[2])
    if named:
        return named, "its name"
    names = _defined(files.text(root, path), end)
    return (f"defines {', '.join(f'`{name}`' for name in names)}", "its definitions") if names else ("", "")


def _defined(text: str, end: str) -> list[str]:
    """Return the first names that a source file gives others: public types before functions."""
    rule = _DEFINES.get(end)
    rows = [(row[0], row[1]) for row in rule.findall(text)] if rule else []
    public = [(kind, name) for kind, name in rows if not name.startswith("_") and len(name) < 60]
    types = [name for kind, name in public if kind in _TYPES]
    return list(dict.fromkeys([*types, *(name for _, name in public)]))[:3]


def _docstring(lines: list[str]) -> str:
    for at, line in enumerate(lines[:30]):
        found = _DOC.match(line)
        if found:
            rest = "\n".join([found.group(1), *lines[at + 1 : at + 8]])
            return _paragraph(re.split("\"\"\"|'''", rest)[0].split("\n"))
        if line.strip() and not line.startswith("#"):
            return ""
    return ""


def _paragraph(lines: list[str]) -> str:
    """Return the first paragraph of some lines, blank ones before it left out."""
    text: list[str] = []
    for line in lines:
        if line.strip():
            text.append(line.strip())
        elif text:
            break
    return " ".join(text)


def _comment(lines: list[str], marks: tuple[str, ...]) -> str:
    """Return the file's opening comment that is no licence; one that touches code describes that code alone."""
    told: list[str] = []
    whole = False
    for line in lines:
        text = line.strip()
        if marks and text.startswith(marks) and not text.startswith("#!"):
            words = text.lstrip("/*!#;-").removesuffix("*/").strip()
            whole |= text.startswith(("//!", "/**", "/*!", "// Package"))
            told = [] if _LICENSE.search(words) else [*told, words]
        elif not text and any(told):
            return _paragraph(told)
        elif text and not text.startswith(_OPENING):
            return _paragraph(told) if whole else ""
    return ""
