"""Python by its outermost lines: exports, classes, test cases, imports. The text is masked, so strings hold none."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from belay.repository.code.facts import COMPONENT, EXPORT, TEST, Fact, Import
from belay.repository.code.source import Source

_DEFINED = re.compile(r"(?:(?:async[ \t]+)?def|(class))[ \t]+(\w+)[ \t]*(\()?")
_ALL = re.compile(r"__all__[ \t]*(?::[^=\n]+)?(?:\+?=)[ \t]*([\[(])")
_ASSIGNED = re.compile(r"([A-Za-z]\w*)[ \t]*(?::[^=\n]+)?=(?!=)")
_IMPORT = re.compile(
    r"\n[ \t]*(?:from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n;]*)"
    r"|import[ \t]+(?P<plain>[\w., \t]+))"
)
_SCOPE = re.compile(r"\n(?P<indent>[ \t]*)(?:(?P<class>class)|(?:async[ \t]+)?def)[ \t]+(?P<name>\w+)")
_NO_COMPONENT = re.compile(r"\b(?:\w*Exception|\w*Error|\w*Warning|Enum|IntEnum|StrEnum|TextChoices|IntegerChoices)\b")


def find_facts(source: Source) -> list[Fact]:
    """Return the public functions and classes of a module (or what __all__ names), and its classes as components."""
    defined = {match[2]: match for match in source.find_at(_DEFINED, source.tops)}
    places = {name: match.start() for name, match in defined.items()}
    listed = _read_all(source)
    if listed:
        assigned = {match[1]: match.start() for match in source.find_at(_ASSIGNED, source.tops)}
        public = {name: places.get(name, assigned.get(name, at)) for name, at in listed.items()}
    else:
        public = {name: at for name, at in places.items() if not name.startswith("_")}
        if posixpath.basename(source.path) == "__init__.py":
            public = {**_find_passed_on(source), **public}
    exports = [Fact(EXPORT, name, source.path, source.line(at)) for name, at in public.items()]
    classes = [name for name, match in defined.items() if match[1] and not name.startswith("_")]
    return [
        *exports,
        *(
            Fact(COMPONENT, name, source.path, source.line(places[name]))
            for name in classes
            if not _NO_COMPONENT.search(_read_bases(source, defined[name]))
        ),
    ]


def find_cases(source: Source) -> list[Fact]:
    """Return the tests of a file: functions, and methods of classes, whose names begin with test."""
    name = posixpath.basename(source.path)
    if name == "conftest.py" or not (name.startswith("test") or name.endswith("_test.py") or "TestCase" in source.code):
        return []
    found: list[Fact] = []
    scopes: list[tuple[int, bool]] = []
    for match in _SCOPE.finditer("\n" + source.code):
        depth = len(match["indent"])
        scopes = [scope for scope in scopes if scope[0] < depth]
        if match["name"].startswith("test") and not match["class"] and all(is_class for _, is_class in scopes):
            found.append(Fact(TEST, match["name"], source.path, source.line(match.start("name") - 1)))
        scopes.append((depth, bool(match["class"])))
    return found


def find_imports(source: Source) -> Iterator[Import]:
    """Yield what a module imports, also inside functions; a relative name keeps its dots."""
    for match in _IMPORT.finditer("\n" + source.code):
        line = source.line(match.start("base" if match["base"] is not None else "plain") - 1)
        if match["plain"]:
            for part in match["plain"].split(","):
                words = part.split()
                if words:
                    yield Import(words[0], (), line, words[2] if len(words) > 2 else words[0])
        else:
            names = (" ".join(part.split()) for part in match["names"].strip("() \n").split(","))
            yield Import(match["base"], tuple(name for name in names if name), line)


def _read_bases(source: Source, match: re.Match[str]) -> str:
    return source.code[match.end() : source.find_close(match.end() - 1)] if match[3] else ""


def _read_all(source: Source) -> dict[str, int]:
    """Return the names that `__all__` lists with their places."""
    found = {}
    for match in source.find_at(_ALL, source.tops):
        for span in source.split_arguments(match.start(1)):
            name = source.string_in(span)
            if name:
                found[name] = span.start
    return found


def _find_passed_on(source: Source) -> dict[str, int]:
    """Return what the file of a package imports from its own modules, to be imported from the package."""
    found = {}
    for match in _IMPORT.finditer("\n" + source.code):
        if (match["base"] or "").startswith(".") and match[0].startswith("\nfrom"):
            for name in re.finditer(r"(\w+)(?:\s+as\s+(\w+))?\s*(?:,|\)|$|\n)", match["names"]):
                local = name[2] or name[1]
                if not local.startswith("_"):
                    found[local] = match.start("names") + name.start() - 1
    return found
