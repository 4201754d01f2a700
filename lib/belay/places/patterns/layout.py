"""How files are named and laid out: tests, components and what is beside them, the files that sibling folders share."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from belay.places.patterns.candidates import LEAST, Candidate, Place, find_candidate, make_candidate
from belay.repository.code.masking import JAVASCRIPT, PYTHON

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from belay.places.patterns.sample import Sample
    from belay.repository.code.source import Source

_TEST_MARK = re.compile(r"[._-](test|spec|cy|e2e)(?=\.\w+$)")
_ENDS = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue", ".svelte")
_BESIDE = {
    "a test": ("{}.test", "{}.spec", "__tests__/{}.test", "__tests__/{}.spec"),
    "a story": ("{}.stories", "{}.story"),
    "its styles": ("{}.module", "{}.css", "{}.scss", "{}.styles", "{}.style"),
}
"""What may be beside a component → how its name begins."""
_STYLES = {
    "PascalCase": re.compile(r"[A-Z][A-Za-z0-9]*"),
    "kebab-case": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+"),
    "snake_case": re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+"),
    "camelCase": re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+"),
}
_RUN = re.compile(r"\bt\.Run\s*\(")
_OUTSIDE = re.compile(r"^package\s+\w+_test\b", re.MULTILINE)
_ENDING = re.compile(r"[._-]([a-z]+)(\.\w+)$")
_MOST = 3
_GIVEN = frozenset(("__init__.py", "page.tsx", "page.jsx", "page.js", "route.ts", "doc.go", "main.go", "index.ts"))
"""Names that the language or the framework gives."""


def find_patterns(sample: Sample) -> Iterator[Candidate]:
    """Yield the patterns of names and places of files."""
    finders = (
        _find_test_places,
        _find_go_tests,
        _find_component_names,
        _find_beside,
        _find_endings,
        _find_shared_names,
    )
    for find in finders:
        yield from filter(None, find(sample))


def _find_test_places(sample: Sample) -> Iterator[Candidate | None]:
    """Yield where tests of JavaScript and Python lie, and how they are named."""
    scripts = [source for source in sample.tests if source.language == JAVASCRIPT and _TEST_MARK.search(source.path)]
    beside = [source for source in scripts if _has_subject(sample, source)]
    of = "JavaScript test files"
    yield find_candidate("test layout", "Tests lie beside the file that they test.", _firsts(beside), len(scripts), of)
    for mark in ("test", "spec"):
        rows = [source for source in scripts if f".{mark}." in source.path]
        yield find_candidate("test layout", f"Test files are named `*.{mark}.*`.", _firsts(rows), len(scripts), of)
    named = [source for source in sample.tests if source.language == PYTHON and _is_pytest_name(source.path)]
    for top in ("tests", "test"):
        rows = [source for source in named if top in source.path.split("/")[:-1]]
        yield find_candidate("test layout", f"Tests lie in `{top}/`.", _firsts(rows), len(named), "Python test files")


def _is_pytest_name(path: str) -> bool:
    name = posixpath.basename(path)
    return name.startswith("test_") or name.endswith("_test.py")


def _has_subject(sample: Sample, source: Source) -> bool:
    stem = _TEST_MARK.split(source.path)[0]
    return any(stem + end in sample.tree.known for end in _ENDS)


def _find_go_tests(sample: Sample) -> Iterator[Candidate | None]:
    tests = [source for source in sample.tests if source.path.endswith("_test.go")]
    of = "Go test files"
    run = [place for source in tests for place in _first_match(source, _RUN)]
    yield find_candidate("test layout", "Tests run their cases as subtests (`t.Run`).", run, len(tests), of)
    outside = [place for source in tests for place in _first_match(source, _OUTSIDE)]
    statement = "Tests are in a package of their own (`_test`), so they use only what is exported."
    yield find_candidate("test layout", statement, outside, len(tests), of)


def _find_component_names(sample: Sample) -> Iterator[Candidate | None]:
    """Yield the style in which files of components are named; a name of one word in small letters fits several."""
    stems = {source.path: posixpath.basename(source.path).partition(".")[0] for source in sample.component_files}
    told = {path: stem for path, stem in stems.items() if stem != "index" and not stem.islower()} | {
        path: stem for path, stem in stems.items() if "-" in stem or "_" in stem
    }
    for style, pattern in _STYLES.items():
        rows = [Place(path, 1) for path, stem in told.items() if pattern.fullmatch(stem)]
        of = "component files whose name shows a style"
        yield find_candidate("file naming", f"Component files are named in {style}.", rows, len(told), of)


def _find_beside(sample: Sample) -> Iterator[Candidate | None]:
    """Yield what lies beside a component: a test, a story, styles, a file that exports it."""
    own = sample.components
    for what, shapes in _BESIDE.items():
        rows = [Place(path, fact.line) for path, fact in own.items() if _has_beside(sample, path, shapes)]
        yield find_candidate("co-location", f"A component has {what} beside it.", rows, len(own), "component files")
    folders = {posixpath.dirname(path) for path in own}
    named = {folder for folder in folders if _is_own_folder(folder, own)}
    rows = [
        Place(f"{folder}/index{end}", 1)
        for folder in named
        for end in _ENDS
        if f"{folder}/index{end}" in sample.tree.known
    ]
    yield find_candidate(
        "co-location", "The folder of a component has an `index` file.", rows, len(named), "such folders"
    )


def _is_own_folder(folder: str, components: Collection[str]) -> bool:
    """Whether a folder is named after a component in it."""
    name = posixpath.basename(folder)
    return bool(name) and any(f"{folder}/{name}{end}" in components for end in _ENDS)


def _has_beside(sample: Sample, path: str, shapes: tuple[str, ...]) -> bool:
    folder, name = posixpath.split(path)
    starts = tuple(posixpath.join(folder, shape.format(name.partition(".")[0])) + "." for shape in shapes)
    plain = tuple(posixpath.join(folder, shape.format(name.partition(".")[0])) for shape in shapes)
    return any(other.startswith(starts) or other in plain for other in sample.siblings.get(folder, ()))


def _find_endings(sample: Sample) -> Iterator[Candidate | None]:
    """Yield folders of one name whose files end alike: `user_service.py`, `order_service.py` in `services`."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for source in sample.program:
        if posixpath.basename(source.path) != "__init__.py":
            groups[posixpath.basename(source.folder)].append(source.path)
    found = []
    for paths in groups.values():
        endings = Counter(match[0] for path in paths if (match := _ENDING.search(posixpath.basename(path))))
        for ending, _ in endings.most_common(1):
            where = _name_folders({posixpath.dirname(path) for path in paths})
            rows = [Place(path, 1) for path in paths if path.endswith(ending)]
            statement = f"Source files in {where} are named `*{ending}`."
            found.append(find_candidate("file naming", statement, rows, len(paths), "source files there"))
    yield from sorted(filter(None, found), key=_by_number)[:_MOST]


def _name_folders(folders: set[str]) -> str:
    """Return "`app/services`" for one folder, "folders named `services`" for several."""
    if len(folders) == 1:
        return f"`{folders.pop() or '.'}`"
    return f"folders named `{posixpath.basename(min(folders))}`"


def _find_shared_names(sample: Sample) -> Iterator[Candidate | None]:
    """Yield the files and folders that most folders of one parent have: `routes.py` in each of `modules`."""
    names: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    children: defaultdict[str, set[str]] = defaultdict(set)
    for source in [*sample.program, *sample.tests]:
        parts = source.path.split("/")
        for depth in range(2, len(parts)):
            parent, child = parts[depth - 2], "/".join(parts[:depth])
            children[parent].add(child)
            name = parts[depth] + ("" if depth == len(parts) - 1 else "/")
            names[parent][name].add(child)
    found = []
    for parent, by_name in names.items():
        above = {posixpath.dirname(child) for child in children[parent]}
        where = f"`{min(above)}`" if len(above) == 1 else f"a folder `{parent}`"
        for name, folders in by_name.items():
            if len(folders) >= LEAST and name not in _GIVEN:
                rows = [Place(f"{folder}/{name}", 1) for folder in sorted(folders)]
                statement = f"Folders directly below {where} have a `{name}`."
                total = len(children[parent])
                found.append(make_candidate("co-location", statement, rows, len(folders), total, "such folders"))
    for candidate in sorted(filter(None, found), key=_by_number)[: _MOST * 2]:
        yield candidate._replace(places=[Place(_find_first(sample, place.path), 1) for place in candidate.places])


def _find_first(sample: Sample, path: str) -> str:
    """Return the path of a file, or that of the first file in a folder."""
    return path if not path.endswith("/") else next(known for known in sample.by_path if known.startswith(path))


def _by_number(candidate: Candidate) -> tuple[int, str]:
    return -candidate.number, candidate.statement


def _firsts(sources: list[Source]) -> list[Place]:
    return [Place(source.path, 1) for source in sources]


def _first_match(source: Source, pattern: re.Pattern[str]) -> list[Place]:
    match = pattern.search(source.code)
    return [Place(source.path, source.line(match.start()))] if match else []
