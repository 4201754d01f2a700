"""Habits inside the code: what classes extend and carry, how errors are made, what components begin with."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from belay.places.patterns.candidates import Candidate, Place, find_candidate, make_candidate
from belay.repository.code.masking import GO, PYTHON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from belay.places.patterns.sample import Sample

_CLASS = re.compile(r"((?:@[^\n]+\n)*)class[ \t]+(\w+)[ \t]*(?:\(([^)]*)\))?")
_DECORATED = re.compile(r"@([\w.]+)")
_FORMATTED = re.compile(r"\bfmt\.Errorf\s*(\()")
_CONSTRUCTOR = re.compile(r"^func New\w*\(", re.MULTILINE)
_CONTEXT = re.compile(r"^func[ \t]+(?:\([^)]*\)[ \t]*)?[A-Z]\w*\(\s*(?:ctx|c|_)[ \t]+context\.Context\b", re.MULTILINE)
_JSON_TAG = re.compile(r'json:"')
_CHECK_TAG = re.compile(r'(?:validate|binding):"')
_CLIENT = re.compile(r"""\A\s*["']use client["']""")
_FORM = re.compile(r"<form\b|<Form\b|\buseForm\s*\(")
_MOST = 4


def find_patterns(sample: Sample) -> Iterator[Candidate]:
    """Yield the habits of the code."""
    for find in (_find_classes, _find_go_errors, _find_go_tags, _find_client, _find_forms):
        yield from filter(None, find(sample))


def _find_classes(sample: Sample) -> Iterator[Candidate | None]:
    """Yield what most classes of a folder, or most own exceptions, extend; and which decorator classes have."""
    bases: defaultdict[tuple[str, str], list[Place]] = defaultdict(list)
    marks: defaultdict[tuple[str, str], list[Place]] = defaultdict(list)
    totals: defaultdict[str, int] = defaultdict(int)
    for source in sample.program:
        if source.language != PYTHON:
            continue
        for match in source.find_at(_CLASS, _list_class_starts(source.code, source.tops)):
            place = Place(source.path, source.line(match.start(2)))
            totals[source.folder] += 1
            for base in {name.strip().rpartition(".")[2] for name in (match[3] or "").split(",") if "=" not in name}:
                bases[source.folder, base.partition("[")[0]].append(place)
            for mark in set(_DECORATED.findall(match[1])):
                marks[source.folder, mark].append(place)
    found = [
        make_candidate(
            "base classes",
            f"Classes in `{folder or '.'}` extend `{base}`.",
            rows,
            len(rows),
            totals[folder],
            "classes there",
        )
        for (folder, base), rows in bases.items()
        if base not in ("", "object")
    ]
    found += [
        make_candidate(
            "decorators",
            f"Classes in `{folder or '.'}` have `@{mark}`.",
            rows,
            len(rows),
            totals[folder],
            "classes there",
        )
        for (folder, mark), rows in marks.items()
    ]
    yield from sorted(filter(None, found), key=lambda one: (-one.number, one.statement))[:_MOST]


def _list_class_starts(code: str, tops: list[int]) -> list[int]:
    """Return where classes begin, with the decorators above them."""
    starts: list[int] = []
    begin = -1
    for place in tops:
        if code[place] == "@":
            begin = place if begin < 0 else begin
        else:
            if code.startswith("class", place):
                starts.append(begin if begin >= 0 and "\n\n" not in code[begin:place] else place)
            begin = -1
    return starts


def _find_go_errors(sample: Sample) -> Iterator[Candidate | None]:
    """Yield whether errors are wrapped, and whether exported functions take a context first."""
    wrapped, total = [], 0
    for source in sample.program:
        for match in source.find_all(_FORMATTED) if source.language == GO else ():
            arguments = source.split_arguments(match.start(1))
            if len(arguments) > 1 and "err" in source.code[arguments[-1].start : arguments[-1].end].lower():
                total += 1
                text = source.string_in(arguments[0]) or ""
                wrapped += [Place(source.path, source.line(match.start()))] if "%w" in text else []
    statement = "Errors are wrapped with `%w` where `fmt.Errorf` adds to them."
    yield make_candidate(
        "error handling", statement, wrapped, len(wrapped), total, "calls of `fmt.Errorf` with an error"
    )
    files = [source for source in sample.program if source.language == GO and "context.Context" in source.code]
    rows = [
        Place(source.path, source.line(match.start()))
        for source in files
        for match in [_CONTEXT.search(source.code)]
        if match
    ]
    of = "Go files that use a context"
    yield find_candidate("function shape", "Exported Go functions take `context.Context` first.", rows, len(files), of)


def _find_go_tags(sample: Sample) -> Iterator[Candidate | None]:
    """Yield whether structs that are read from JSON say how they are checked."""
    tagged = [source for source in sample.program if source.language == GO and _JSON_TAG.search(source.text)]
    rows = [
        Place(source.path, source.line(match.start()))
        for source in tagged
        for match in [_CHECK_TAG.search(source.text)]
        if match
    ]
    of = "files with `json` tags"
    yield find_candidate(
        "validation", "Fields of JSON structs have `validate` or `binding` tags.", rows, len(tagged), of
    )


def _find_client(sample: Sample) -> Iterator[Candidate | None]:
    sources = sample.component_files
    uses = [source for source in sources if "use client" in source.text[:400]]
    rows = [Place(source.path, 1) for source in uses if _CLIENT.match(source.text)]
    if uses:
        of = "component files"
        yield find_candidate("rendering", 'Components are client components (`"use client"`).', rows, len(sources), of)
        plain = [Place(source.path, 1) for source in sources if source not in uses]
        yield find_candidate("rendering", 'Components do without `"use client"`.', plain, len(sources), of)


def _find_forms(sample: Sample) -> Iterator[Candidate | None]:
    """Yield what the components with a form use for it."""
    forms = [source for source in sample.component_files if _FORM.search(source.code)]
    for name in ("react-hook-form", "formik", "@hookform/resolvers", "zod"):
        rows = [Place(source.path, sample.imports(source)[name]) for source in forms if name in sample.imports(source)]
        yield find_candidate(
            "forms", f"Components with a form use `{name}`.", rows, len(forms), "component files with a form"
        )
