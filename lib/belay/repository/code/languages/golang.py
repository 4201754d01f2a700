"""Go: exported names and methods, exported types as components, tests, imports."""

from __future__ import annotations

import re
from collections.abc import Iterator

from belay.repository.code.facts import COMPONENT, EXPORT, TEST, Fact, Import
from belay.repository.code.source import Source

_PACKAGE = re.compile(r"^package[ \t]+(\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"func[ \t]+(?:\([ \t]*(?:\w+[ \t]+)?\*?[ \t]*(\w+)[^)]*\)[ \t]*)?([A-Z]\w*)[ \t]*[\[(]")
_TYPE = re.compile(r"type[ \t]+([A-Z]\w*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(=?[ \t]*\w*)")
_VALUE = re.compile(r"(?:const|var)[ \t]+([A-Z]\w*)\b")
_GROUP = re.compile(r"(type|const|var|import)[ \t]*\(")
_MEMBER = re.compile(r"^(?:\t|[ ]{2,4})([A-Z]\w*)\b[ \t]*(=?[ \t]*\w*)", re.MULTILINE)
_CASE = re.compile(r"func[ \t]+((?:Test|Fuzz|Example)(?:[A-Z_]\w*)?)[ \t]*\(")
_ONE_IMPORT = re.compile(r'import[ \t]+([\w.]*)[ \t]*(")')
_GROUP_IMPORT = re.compile(r'^[ \t]*([\w.]*)[ \t]*(")', re.MULTILINE)
_KINDS = ("struct", "interface")


def find_facts(source: Source) -> list[Fact]:
    """Return the exported names of a package that can be imported, and its exported structs and interfaces."""
    package = _PACKAGE.search(source.code)
    rows = list(_find_named(source))
    kinds = {name: kind for name, _, kind in rows}
    exports = [(name, at) for name, at, _ in rows] + list(_find_methods(source, set(kinds)))
    if package and package[1] == "main":
        exports = []
    return [
        *(Fact(EXPORT, name, source.path, source.line(at)) for name, at in sorted(exports, key=lambda row: row[1])),
        *(Fact(COMPONENT, name, source.path, source.line(at)) for name, at, kind in rows if kind in _KINDS),
    ]


def find_cases(source: Source) -> list[Fact]:
    """Return the tests of a file, fuzz tests and examples with them."""
    if not source.path.endswith("_test.go"):
        return []
    return [
        Fact(TEST, match[1], source.path, source.line(match.start()))
        for match in source.find_at(_CASE, source.tops)
        if match[1] != "TestMain"
    ]


def find_imports(source: Source) -> Iterator[Import]:
    """Yield the packages that a file imports."""
    for match in source.find_at(_ONE_IMPORT, source.tops):
        yield _make_import(source, match)
    for group in source.find_at(_GROUP, source.tops):
        if group[1] == "import":
            end = source.find_close(group.end() - 1)
            for match in _GROUP_IMPORT.finditer(source.code, group.end(), end):
                yield _make_import(source, match)


def _make_import(source: Source, match: re.Match[str]) -> Import:
    return Import(source.string_at(match.start(2)) or "", (), source.line(match.start(2)), match[1])


def _find_named(source: Source) -> Iterator[tuple[str, int, str]]:
    """Yield (name, place, what it is) of the exported functions, types and values of a file."""
    for match in source.find_at(_FUNCTION, source.tops):
        if not match[1]:
            yield match[2], match.start(), "func"
    for match in source.find_at(_TYPE, source.tops):
        yield match[1], match.start(), match[2].strip()
    for match in source.find_at(_VALUE, source.tops):
        yield match[1], match.start(), "value"
    for group in source.find_at(_GROUP, source.tops):
        if group[1] != "import":
            yield from _find_members(source, group)


def _find_members(source: Source, group: re.Match[str]) -> Iterator[tuple[str, int, str]]:
    """Yield the members of `type (…)`, `const (…)`; the fields of a type in it are deeper, and none."""
    end, place = source.find_close(group.end() - 1), group.end()
    while place < end:
        match = _MEMBER.search(source.code, place, end)
        if not match:
            break
        yield match[1], match.start(1), match[2].strip() if group[1] == "type" else "value"
        line_end = source.code.find("\n", match.end(), end)
        brace = source.code.find("{", match.end(), line_end if line_end > 0 else end)
        place = source.find_close(brace) if brace > 0 else match.end()


def _find_methods(source: Source, types: set[str]) -> Iterator[tuple[str, int]]:
    for match in source.find_at(_FUNCTION, source.tops):
        if match[1] and match[1][0].isupper():
            yield f"{match[1]}.{match[2]}", match.start()
