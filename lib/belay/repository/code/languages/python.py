"""Python by its outermost lines: exports, classes, test cases, imports. The text is masked, so strings hold none."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from belay.repository.code.facts import COMPONENT, EXPORT, TEST, Fact, Import
from belay.repository.code.source import Source

_DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def|(class))[ \t]+(\w+)[ \t]*(\()?", re.MULTILINE)
_ALL = re.compile(r"^__all__[ \t]*(?::[^=\n]+)?(?:\+?=)[ \t]*([\[(])", re.MULTILINE)
_ASSIGNED = re.compile(r"^([A-Za-z]\w*)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n;]*)|import[ \t]+(?P<plain>[\w., \t]+))",
    re.MULTILINE,
)
_CASE = re.compile(r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>test\w*)[ \t]*\(", re.MULTILINE)
_SCOPE = re.compile(r"^([ \t]*)(class[ \t]+\w+|(?:async[ \t]+)?def[ \t]+\w+)", re.MULTILINE)
_NO_COMPONENT = re.compile(r"\b(?:\w*Exception|\w*Error|\w*Warning|Enum|IntEnum|StrEnum|TextChoices|IntegerChoices)\b")


def find_facts(source: Source) -> list[Fact]:
    """Return the public functions and classes of a module (or what __all__ names), and its classes as components."""
    defined = {match[2]: match for match in source.find_all(_DEFINED)}
    places = {name: match.start() for name, match in defined.items()}
    listed = _read_all(source)
    if listed:
        assigned = {match[1]: match.start() for match in source.find_all(_ASSIGNED)}
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
    found = []
    for match in source.find_all(_CASE):
        if not match["indent"] or _is_in_class(source, match):
            found.append(Fact(TEST, match["name"], source.path, source.line(match.start("name"))))
    return found


def find_imports(source: Source) -> Iterator[Import]:
    """Yield what a module imports, also inside functions; a relative name keeps its dots."""
    for match in source.find_all(_IMPORT):
        line = source.line(match.start("base") if match["base"] is not None else match.start("plain"))
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
    for match in source.find_all(_ALL):
        for span in source.split_arguments(match.start(1)):
            name = source.string_in(span)
            if name:
                found[name] = span.start
    return found


def _find_passed_on(source: Source) -> dict[str, int]:
    """Return what the file of a package imports from its own modules, to be imported from the package."""
    found = {}
    for match in source.find_all(_IMPORT):
        if (match["base"] or "").startswith(".") and source.code[match.start()] not in " \t":
            for name in re.finditer(r"(\w+)(?:\s+as\s+(\w+))?\s*(?:,|\)|$|\n)", match["names"]):
                local = name[2] or name[1]
                if not local.startswith("_"):
                    found[local] = match.start("names") + name.start()
    return found


def _is_in_class(source: Source, case: re.Match[str]) -> bool:
    """Whether the nearest line above that is less indented begins a class."""
    above = source.code.rfind("\nclass ", 0, case.start())
    if above < 0 and not source.code.startswith("class "):
        return False
    scopes = _SCOPE.findall(source.code, max(0, above + 1), case.start())
    outer = [what for indent, what in scopes if len(indent) < len(case["indent"])]
    return bool(outer) and outer[-1].startswith("class")
